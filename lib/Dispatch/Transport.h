// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flows from rows to columns.

#ifndef MOE_LIB_DISPATCH_TRANSPORT_H
#define MOE_LIB_DISPATCH_TRANSPORT_H

#include "moe/Dispatch/Target.h"

#include <cmath>

namespace moe::dispatch {

/// Fills a matrix up to its capacities so that row i sums to `rows[i]` and
/// column j to `columns[j]`; all numbers at least 0, both sums the same.
/// Starts from as much of `start` as fits, where there is one, so that a start
/// that fits altogether is the answer. Nullopt when there is no such matrix.
std::optional<Matrix<int64_t>>
transport(const Matrix<int64_t> &capacities, const std::vector<int64_t> &rows,
          const std::vector<int64_t> &columns,
          const Matrix<int64_t> *start = nullptr);

/// What is an integer but for rounding stays one.
constexpr double kTokenRounding = 1e-6;

/// Whole tokens next to a number of them.
inline int64_t getFloor(double tokens) {
  return static_cast<int64_t>(std::floor(tokens + kTokenRounding));
}
inline int64_t getCeil(double tokens) {
  int64_t floor = getFloor(tokens);
  return tokens - static_cast<double>(floor) > kTokenRounding ? floor + 1
                                                              : floor;
}

} // namespace moe::dispatch

#endif // MOE_LIB_DISPATCH_TRANSPORT_H
