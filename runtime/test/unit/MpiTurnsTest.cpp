// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the priority of messages.

#include "mpi/MpiTurns.h"
#include <atomic>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

using namespace moert;
using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(MpiTurnsTest, WaitsForWhatIsMoreUrgent) {
  MpiTurns turns;
  // No wait for other streams' messages of the same or lower priority, or for
  // own messages.
  MpiTurns::UnderWay own(turns, 2), alike(turns, 2), less(turns, 3);
  EXPECT_LT(turns.yield(2, milliseconds(5000)), milliseconds(4000));
  std::optional<MpiTurns::UnderWay> more, most;
  more.emplace(turns, 1);
  most.emplace(turns, -1);
  std::atomic<bool> waited{false};
  std::thread waiting([&] {
    EXPECT_GE(turns.yield(2, milliseconds(60000)), milliseconds(20));
    waited = true;
  });
  std::this_thread::sleep_for(milliseconds(30));
  most.reset();
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_FALSE(waited);
  more.reset();
  waiting.join();
}

TEST(MpiTurnsTest, WaitsNoLongerThanItMay) {
  MpiTurns turns;
  MpiTurns::UnderWay urgent(turns, 0);
  EXPECT_GE(turns.yield(3, milliseconds(20)), milliseconds(20));
}
