// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bootstrap functions of the caller.

#include "net/Bootstrap.h"
#include <exception>
#include <system_error>

using namespace moert;
using namespace std::chrono_literals;

/// Polling interval of `must_abort`.
constexpr auto kTick = 50ms;
/// Time limit for a pending call of the caller when the job ends.
constexpr auto kPatience = 2s;

Bootstrap::Bootstrap(const moert_config &config)
    : allGather(config.all_gather), mustAbort(config.must_abort),
      aborted(config.aborted), user(config.bootstrap_user), rank(config.rank),
      worldSize(config.world_size) {}

std::shared_ptr<Bootstrap> Bootstrap::start(const moert_config &config) {
  std::shared_ptr<Bootstrap> made(new Bootstrap(config));
  made->hasServed = made->hasWatched = true;
  try {
    made->hasServed = false;
    made->server = std::thread([made] { made->serve(); });
    if (made->mustAbort || made->aborted) {
      made->hasWatched = false;
      made->watcher = std::thread([made] { made->watch(); });
    }
  } catch (const std::system_error &) {
    // The system has no more threads.
    (made->server.joinable() ? made->hasWatched : made->hasServed) = true;
    made->stop();
    throw;
  }
  return made;
}

void Bootstrap::stop() {
  std::unique_lock<std::mutex> lock(mutex);
  stopping = true;
  changed.notify_all();
  changed.wait_for(lock, kPatience, [&] { return hasServed && hasWatched; });
  auto end = [&](std::thread &thread, bool hasEnded) {
    if (!thread.joinable())
      return;
    if (!hasEnded)
      return thread.detach();
    lock.unlock();
    thread.join();
    lock.lock();
  };
  end(server, hasServed);
  end(watcher, hasWatched);
}

Status Bootstrap::fail(Status status, std::vector<int32_t> concerned) {
  failure.raise(std::move(status), std::move(concerned));
  // The lock ensures that no waiter is between its check and its sleep.
  { std::lock_guard<std::mutex> lock(mutex); }
  changed.notify_all();
  return failure.getStatusOf(rank);
}

Status Bootstrap::gather(const std::string &own, const std::string &what,
                         Deadline deadline, std::string &all) {
  std::unique_lock<std::mutex> lock(mutex);
  if (failure.isRaised())
    return failure.getStatusOf(rank);
  mine = own;
  hasReturned = false;
  isWanted = true;
  changed.notify_all();
  changed.wait_until(lock, deadline.getTime(),
                     [&] { return hasReturned || failure.isRaised(); });
  if (failure.isRaised())
    return failure.getStatusOf(rank);
  bool isLate = !hasReturned;
  std::string why = isLate ? "" : problem;
  if (!isLate && why.empty()) {
    all = std::move(everyones);
    return {};
  }
  lock.unlock();
  if (isLate)
    return fail(error(MOERT_DEADLINE_EXCEEDED,
                      "%s: expected all %d ranks to come before the deadline, "
                      "got no answer of the caller's all_gather, which alone "
                      "knows who is missing",
                      what.c_str(), worldSize),
                {rank});
  return fail(error(MOERT_BACKEND_ERROR,
                    "%s: expected the caller's all_gather to return 0, %s",
                    what.c_str(), why.c_str()),
              {rank});
}

std::string Bootstrap::callAllGather() {
  try {
    everyones.assign(mine.size() * static_cast<size_t>(worldSize), '\0');
    int result = allGather(user, mine.data(), everyones.data(), mine.size());
    return result ? format("got %d", result) : "";
  } catch (const std::exception &thrown) {
    return std::string("it threw ") + thrown.what();
  } catch (...) {
    return "it threw something";
  }
}

void Bootstrap::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return isWanted || stopping; });
    if (stopping)
      break;
    isWanted = false;
    lock.unlock();
    std::string found = callAllGather();
    lock.lock();
    problem = std::move(found);
    hasReturned = true;
    changed.notify_all();
  }
  hasServed = true;
  changed.notify_all();
}

void Bootstrap::watch() {
  bool isTold = false, isLast = false;
  std::unique_lock<std::mutex> lock(mutex);
  while (!isLast) {
    changed.wait_for(lock, kTick, [&] {
      return stopping || (failure.isRaised() && !isTold);
    });
    isLast = stopping;
    lock.unlock();
    // The caller's functions must not throw, because no one could catch it.
    if (failure.isRaised()) {
      if (aborted && !isTold)
        aborted(user, failure.getStatusOf(rank).getMessage().c_str());
      isTold = true;
    } else if (!isLast && mustAbort && mustAbort(user) != 0) {
      (void)fail(error(MOERT_ABORTED,
                       "must_abort of rank %d's caller says "
                       "that the job has to end",
                       rank),
                 {});
    }
    lock.lock();
  }
  hasWatched = true;
  changed.notify_all();
}
