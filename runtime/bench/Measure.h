//===- Measure.h - What the bandwidth benchmarks share ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_BENCH_MEASURE_H
#define MOERT_BENCH_MEASURE_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

/// Bytes a rank holds before an all-to-all and after an all-gather.
inline std::vector<size_t> getSizes() {
  std::vector<size_t> sizes;
  for (size_t bytes = 1024; bytes <= (size_t(16) << 20); bytes *= 4)
    sizes.push_back(bytes);
  return sizes;
}

/// Calls in one measurement: enough to move some 64 MB a rank.
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

/// One line for the script that makes the table.
inline void print(const std::string &who, const char *what, int ranks,
                  size_t bytes, double us) {
  std::printf("%s %s %d %zu %.3f\n", who.c_str(), what, ranks, bytes, us);
  std::fflush(stdout);
}

} // namespace bench

#endif // MOERT_BENCH_MEASURE_H
