// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Priorities of collectives.

#include "mpi/MpiTurns.h"

using namespace moert;
using Clock = std::chrono::steady_clock;

MpiTurns::UnderWay::UnderWay(MpiTurns &turns, int32_t priority)
    : turns(turns), priority(priority) {
  std::lock_guard<std::mutex> lock(turns.mutex);
  ++turns.underWay[priority];
}

MpiTurns::UnderWay::~UnderWay() {
  std::lock_guard<std::mutex> lock(turns.mutex);
  if (--turns.underWay[priority] == 0)
    turns.underWay.erase(priority);
  turns.ended.notify_all();
}

std::chrono::microseconds MpiTurns::yield(int32_t priority,
                                          std::chrono::microseconds most) {
  Clock::time_point start = Clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  // The most urgent priority is the first.
  ended.wait_for(lock, most, [&] {
    return underWay.empty() || underWay.begin()->first >= priority;
  });
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() -
                                                               start);
}
