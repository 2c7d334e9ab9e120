//===- Transport.h - Flows from rows to columns -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_DISPATCH_TRANSPORT_H
#define MOE_LIB_DISPATCH_TRANSPORT_H

#include "moe/Dispatch/Target.h"

namespace moe::dispatch {

/// Fills a matrix up to its capacities so that row i sums to `rows[i]` and
/// column j to `columns[j]`; all numbers at least 0, both sums the same.
/// Nullopt when there is no such matrix.
std::optional<Matrix<int64_t>> transport(const Matrix<int64_t> &capacities,
                                         const std::vector<int64_t> &rows,
                                         const std::vector<int64_t> &columns);

} // namespace moe::dispatch

#endif // MOE_LIB_DISPATCH_TRANSPORT_H
