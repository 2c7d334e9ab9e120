// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flows from rows to columns.

#ifndef MOE_LIB_DISPATCH_TRANSPORT_H
#define MOE_LIB_DISPATCH_TRANSPORT_H

#include "moe/Dispatch/Target.h"

#include <cmath>

namespace moe::dispatch {

/// Fills a matrix up to its capacities so that row i sums to `rows[i]` and
/// column j to `columns[j]`. All numbers are at least 0, and both sums must be
/// equal. The flow starts from as much of `start` as fits, if given, so a start
/// that fits entirely is the result. Returns nullopt if there is no such
/// matrix.
std::optional<Matrix<int64_t>>
transport(const Matrix<int64_t> &capacities, const std::vector<int64_t> &rows,
          const std::vector<int64_t> &columns,
          const Matrix<int64_t> *start = nullptr);

/// Numbers this close to an integer count as integers.
constexpr double kTokenRounding = 1e-6;

/// Return the whole tokens below and above a number of tokens.
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
