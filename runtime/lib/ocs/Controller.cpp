// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The controller of an optical switch.

#include "ocs/Controller.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace moert;

void SwitchRequest::finish(Status result) {
  status = std::move(result);
  done.store(true, std::memory_order_release);
  signal.notify();
}

SwitchController::SwitchController(SwitchOptions options)
    : options(std::move(options)), commands(this->options.dialect),
      stopSign(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      session(this->options.address, stopSign.get()) {}

SwitchController::~SwitchController() {
  stopping = true;
  uint64_t one = 1;
  // Cannot fail: the counter is far from its limit.
  [[maybe_unused]] ssize_t written = write(stopSign.get(), &one, sizeof(one));
  work.notify();
  if (thread.joinable())
    thread.join();
  for (const std::shared_ptr<SwitchRequest> &request : queue)
    request->finish(error(MOERT_ABORTED,
                          "the connection to the switch at %s "
                          "was closed before this was its turn",
                          options.address.c_str()));
}

Status SwitchController::login(Deadline deadline) {
  Status status = session.connect(deadline);
  if (!status.ok() || options.user.empty())
    return status;
  std::vector<std::vector<std::string>> lines;
  status = session.exchange({commands.login(options.user, options.password)},
                            deadline, lines);
  if (!status.ok())
    session.close();
  return status;
}

Status SwitchController::open() {
  if (stopSign.get() < 0)
    return error(MOERT_OUT_OF_MEMORY, "the system refused a descriptor: %s",
                 std::strerror(errno));
  Status status = login(Deadline::inMicroseconds(options.deadlineUs));
  if (status.ok())
    thread = std::thread([this] { run(); });
  return status;
}

void SwitchController::submit(std::shared_ptr<SwitchRequest> request) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push_back(std::move(request));
  }
  work.notify();
}

int64_t SwitchController::getLongestUs() {
  std::lock_guard<std::mutex> lock(mutex);
  // Each request takes at most hours, so the sum cannot overflow.
  double each = static_cast<double>(options.deadlineUs) + options.linkUpUs;
  return static_cast<int64_t>(
      std::min(each * static_cast<double>(queue.size() + isBusy), 1e15));
}

void SwitchController::run() {
  auto take = [&]() -> std::shared_ptr<SwitchRequest> {
    std::lock_guard<std::mutex> lock(mutex);
    if (queue.empty())
      return nullptr;
    std::shared_ptr<SwitchRequest> first = queue.front();
    queue.pop_front();
    isBusy = true;
    return first;
  };
  std::shared_ptr<SwitchRequest> request;
  Deadline never = Deadline::inMicroseconds(INT64_MAX);
  for (;;) {
    work.wait([&] { return stopping.load() || (request = take()) != nullptr; },
              never);
    if (!request)
      return;
    if (stopping) {
      request->finish(error(MOERT_ABORTED,
                            "the connection to the switch at %s was closed",
                            options.address.c_str()));
      return;
    }
    Status status;
    auto start = Deadline::Clock::now();
    try {
      status = serve(*request, Deadline::inMicroseconds(options.deadlineUs));
    } catch (const std::exception &failure) {
      session.close();
      status = Status(MOERT_OUT_OF_MEMORY, failure.what());
    }
    request->elapsedUs = std::chrono::duration<double, std::micro>(
                             Deadline::Clock::now() - start)
                             .count();
    {
      std::lock_guard<std::mutex> lock(mutex);
      isBusy = false;
    }
    request->finish(std::move(status));
    request.reset();
  }
}

/// Enters circuits one by one, because a switch denies a command of several
/// circuits for one bad port, and need not name it.
Status SwitchController::enterEach(SwitchRequest &request, Deadline deadline) {
  const std::vector<Circuit> &added = request.difference.added;
  std::vector<std::vector<std::string>> lines;
  Status last;
  for (const Circuit &circuit : added) {
    Status status = session.exchange(commands.add({circuit}), deadline, lines);
    if (status.ok())
      continue;
    // All errors except refusals have closed the connection.
    if (!session.isConnected())
      return status;
    request.refused.push_back(circuit);
    request.refusal = status.getMessage();
    last = std::move(status);
  }
  return request.refused.size() < added.size() ? Status() : last;
}

Status SwitchController::serve(SwitchRequest &request, Deadline deadline) {
  Status status;
  if (!session.isConnected())
    status = login(deadline);
  // Query the circuits each time, because other users may have changed them.
  std::vector<std::vector<std::string>> lines;
  Tl1Command retrieve = commands.retrieve();
  if (status.ok())
    status = session.exchange({retrieve}, deadline, lines);
  if (!status.ok())
    return status;
  for (const std::string &line : lines.front()) {
    Circuit circuit;
    status = SwitchCommands::parseCircuit(line, circuit);
    if (!status.ok())
      return session.fail(status.getCode(), status.getMessage(),
                          retrieve.print("*"), line);
    request.present.push_back(circuit);
  }
  if (!request.wanted)
    return {};

  CircuitDifference &difference = request.difference;
  status = computeDifference(request.present, *request.wanted, options.ports,
                             difference);
  if (!status.ok() || difference.isEmpty())
    return status;
  std::vector<Tl1Command> batch = commands.remove(difference.removed);
  if (!request.entersEach)
    for (Tl1Command &command : commands.add(difference.added))
      batch.push_back(std::move(command));
  request.wasTold = true;
  if (!batch.empty())
    status = session.exchange(batch, deadline, lines);
  if (status.ok() && request.entersEach)
    status = enterEach(request, deadline);
  if (!status.ok() || difference.added.empty() || options.linkUpUs <= 0)
    return status;
  // The switch is done, but the links of the devices at its ports are not up
  // yet.
  if (work.wait(
          [&] { return stopping.load(); },
          Deadline::inMicroseconds(static_cast<int64_t>(options.linkUpUs))))
    return error(MOERT_ABORTED,
                 "the connection to the switch at %s was closed while links "
                 "came up",
                 options.address.c_str());
  return {};
}
