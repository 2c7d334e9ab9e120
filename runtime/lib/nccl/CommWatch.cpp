// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of collectives on devices.

// The context's watcher calls these functions of a communicator.

#include "nccl/NcclComm.h"
#include <algorithm>
#include <cinttypes>

using namespace moert;
using namespace moert::nccl;

void NcclComm::announce() {
  struct Call {
    uint64_t number;
    Signature signature;
    std::vector<int64_t> sizes;
  };
  std::vector<Call> calls;
  {
    std::lock_guard<std::mutex> lock(flightMutex);
    for (; numAnnounced < flights.size(); ++numAnnounced) {
      Flight &flight = flights[numAnnounced];
      calls.push_back(
          {flight.number, flight.signature, std::move(flight.sizes)});
    }
  }
  for (const Call &call : calls)
    context.getMember().addCall(group, position, call.number,
                                call.signature.print(), call.sizes);
}

void NcclComm::retire() {
  const cuda::Driver &driver = context.driver();
  std::lock_guard<std::mutex> lock(flightMutex);
  size_t numCalled = 0;
  while (numCalled < numAnnounced && flights[numCalled].isCalled)
    ++numCalled;
  // The time of a captured collective is unknown. Drop it; it also gives no
  // information about earlier calls.
  auto getEnd = [&](size_t i) {
    return flights[i].end ? driver.EventQuery(flights[i].end) : cuda::kSuccess;
  };
  size_t last = numCalled;
  while (last > 0 && !flights[last - 1].end)
    --last;
  // Work of a stream ends in order, so if the last collective has ended, all
  // have. Otherwise query only the first few, because the others follow later.
  constexpr size_t kMostQueries = 4;
  size_t numEnded = 0;
  cuda::Result result = last ? getEnd(last - 1) : cuda::Result(cuda::kSuccess);
  if (result == cuda::kSuccess)
    numEnded = numCalled;
  else if (last > 1)
    while (numEnded < std::min(last - 1, kMostQueries) &&
           (result = getEnd(numEnded)) == cuda::kSuccess)
      ++numEnded;
  for (size_t i = 0; i < numEnded; ++i) {
    context.giveEvent(flights.front().begin);
    context.giveEvent(flights.front().end);
    flights.pop_front();
    --numAnnounced;
  }
}

void NcclComm::checkErrors() {
  // The caller checks its own communicators.
  if (isAdopted)
    return;
  // If another thread is calling NCCL, that call reports errors itself.
  std::unique_lock<std::timed_mutex> lock(live->calls, std::try_to_lock);
  if (!lock || live->isEnding())
    return;
  Result result = kSuccess;
  if (Result asked = context.nccl().CommGetAsyncError(comm, &result);
      asked != kSuccess)
    result = asked;
  if (result != kSuccess && result != kInProgress)
    (void)context.fail(error(MOERT_BACKEND_ERROR, "rank %d: %s: %s",
                             context.rank, describe().c_str(),
                             context.explain(comm, result).c_str()));
}

void NcclComm::reportIfLate(int64_t deadlineUs) {
  auto now = Deadline::Clock::now();
  std::unique_lock<std::mutex> lock(flightMutex);
  if (flights.empty())
    return;
  Flight &flight = flights.front();
  if (flight.isCalled && !flight.isRunning) {
    // The stream may reach the collective much later.
    flight.since = now;
    flight.isRunning = flight.begin && context.driver().EventQuery(
                                           flight.begin) == cuda::kSuccess;
  }
  if (flight.isReported ||
      now - flight.since <= std::chrono::microseconds(deadlineUs))
    return;
  flight.isReported = true;
  uint64_t late = flight.number;
  const char *name = getCollectiveName(flight.signature.kind);
  lock.unlock();
  context.getMember().reportStuck(group, late, name);
}

bool NcclComm::check(int64_t deadlineUs) {
  announce();
  {
    std::lock_guard<std::mutex> lock(flightMutex);
    if (flights.empty())
      return false;
  }
  checkErrors();
  retire();
  reportIfLate(deadlineUs);
  return true;
}

std::string NcclComm::describeFlight(bool &hasBegun) {
  hasBegun = false;
  const cuda::Driver &driver = context.driver();
  std::lock_guard<std::mutex> lock(flightMutex);
  for (const Flight &flight : flights) {
    if (!flight.isCalled || !flight.end ||
        driver.EventQuery(flight.end) != cuda::kNotReady)
      continue;
    hasBegun = driver.EventQuery(flight.begin) == cuda::kSuccess;
    return format("%s #%" PRIu64 " of %s",
                  getCollectiveName(flight.signature.kind), flight.number,
                  describe().c_str());
  }
  return "";
}
