// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Median time per call.

#ifndef MOE_BENCH_SCHEDULE_TIMING_H
#define MOE_BENCH_SCHEDULE_TIMING_H

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace moe::bench {

/// Returns the seconds of `count` calls.
template <typename Function> double timeCalls(Function &&call, long count) {
  auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < count; ++i)
    call();
  std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return wall.count();
}

/// Returns the median microseconds per call of each. Both run in turn, so that
/// they see the same machine. Each sample takes about ten milliseconds.
template <typename Ours, typename Peer>
std::pair<double, double> measure(Ours &&ours, Peer &&peer) {
  auto getCount = [](auto &call) {
    long count = 1;
    while (timeCalls(call, count) < 0.01)
      count *= 2;
    return count;
  };
  constexpr size_t kSamples = 15;
  long ourCount = getCount(ours), peerCount = getCount(peer);
  std::array<double, kSamples> ourUs, peerUs;
  for (size_t i = 0; i < kSamples; ++i) {
    ourUs[i] = timeCalls(ours, ourCount) * 1e6 / double(ourCount);
    peerUs[i] = timeCalls(peer, peerCount) * 1e6 / double(peerCount);
  }
  std::sort(ourUs.begin(), ourUs.end());
  std::sort(peerUs.begin(), peerUs.end());
  return {ourUs[kSamples / 2], peerUs[kSamples / 2]};
}

} // namespace moe::bench

#endif // MOE_BENCH_SCHEDULE_TIMING_H
