// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the bandwidth benchmarks.

#ifndef MOERT_BENCH_MEASURE_H
#define MOERT_BENCH_MEASURE_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace bench {

/// Returns the bytes per rank before an all-to-all and after an all-gather.
inline std::vector<size_t> getSizes() {
  std::vector<size_t> sizes;
  for (size_t bytes = 1024; bytes <= (size_t(16) << 20); bytes *= 4)
    sizes.push_back(bytes);
  return sizes;
}

/// Returns the calls per measurement: enough to move about 64 MB per rank.
inline int getCalls(size_t bytes) {
  return static_cast<int>(
      std::clamp<size_t>((size_t(64) << 20) / bytes, 8, 2000));
}

constexpr int kRepetitions = 5;

inline double nowUs() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Returns the user and system time of this process so far, in microseconds.
inline double cpuUs() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  auto toUs = [](const timeval &time) {
    return time.tv_sec * 1e6 + time.tv_usec;
  };
  return toUs(used.ru_utime) + toUs(used.ru_stime);
}

/// Returns the times that rank 0 sleeps while the others wait for it.
inline std::vector<int> getDelaysUs() { return {100, 1000, 10000, 100000}; }
/// Returns a number of rounds with about 1 s of waiting, between 10 and 1000.
inline int getRounds(int delayUs) {
  return std::clamp(1000000 / delayUs, 10, 1000);
}
/// Bytes that each rank contributes to the all-gather of this measurement.
constexpr size_t kWaitedBlock = 1024;
/// Returns the share of a core that each waiting rank uses, in percent.
inline double getShare(double cpuUs, double wallUs, int ranks) {
  return 100 * cpuUs / wallUs / (ranks - 1);
}

/// Prints one line for the script that makes the table.
inline void print(const std::string &who, const char *what, int ranks,
                  size_t bytes, double us) {
  std::printf("%s %s %d %zu %.3f\n", who.c_str(), what, ranks, bytes, us);
  std::fflush(stdout);
}

} // namespace bench

#endif // MOERT_BENCH_MEASURE_H
