//===- UsedRows.h - Rows of an expert that are used -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_KERNELS_USEDROWS_H
#define MOERT_KERNELS_USEDROWS_H

#include "core/Types.h"
#include "kernels/Verify.h"

namespace moert {

/// Of `moert_experts_args` and `moert_experts_grad_args`.
template <typename Args> Status verifyCounts(const Args &args) {
  return args.counts ? verifyInteger("counts", args.counts_type) : Status();
}

/// How many of an expert's rows are used.
template <typename Args>
Status getUsedRows(const Args &args, int64_t expert, int64_t &used) {
  used = args.rows;
  if (!args.counts)
    return {};
  used = loadInteger(args.counts_type, args.counts, expert);
  if (used >= 0 && used <= args.rows)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "experts: expected counts of rows in [0, %lld], got %lld of "
               "expert %lld",
               static_cast<long long>(args.rows), static_cast<long long>(used),
               static_cast<long long>(expert));
}

} // namespace moert

#endif // MOERT_KERNELS_USEDROWS_H
