// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the ranks of a job as threads of a test.

#ifndef MOERT_TEST_UNIT_RANKS_H
#define MOERT_TEST_UNIT_RANKS_H

#include "moert.h"
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace moert::test {

/// Deadline for waits that only depend on the speed of the machine: an hour,
/// because a process of low priority may get a hundredth of a loaded machine.
/// scripts/test.sh ends tests that hang.
constexpr int64_t kPatienceUs = 3600 * int64_t{1000000};

inline double nowMs() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Runs `body` with the number of every rank concurrently.
template <typename Body> void runThreads(int32_t count, Body body) {
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < count; ++rank)
    threads.emplace_back([rank, &body] { body(rank); });
  for (std::thread &thread : threads)
    thread.join();
}

/// Runs `body` with the context of every rank of a job. `moert_finalize` must
/// succeed if `isWell`.
template <typename Body>
void runRanks(int32_t count, const moert_config &config, Body body,
              bool isWell = true) {
  runThreads(count, [&](int32_t rank) {
    moert_config own = config;
    own.rank = rank;
    own.world_size = count;
    moert_context *context = nullptr;
    ASSERT_EQ(moert_init(&own, &context), MOERT_OK)
        << moert_last_error(nullptr);
    body(context);
    EXPECT_EQ(moert_finalize(context, kPatienceUs) == MOERT_OK, isWell)
        << moert_last_error(nullptr);
  });
}

} // namespace moert::test

#endif // MOERT_TEST_UNIT_RANKS_H
