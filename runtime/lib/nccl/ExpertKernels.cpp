//===- ExpertKernels.cpp - The expert networks on a device ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::useRows(const cuda::RowCounts &rows, long long experts,
                           long long rowBytes, const void *source,
                           void *target) {
  auto own = rows;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &experts, &rowBytes, &source, &target, &problem};
  return nccl.launch("moert_use_rows", getWarpBlocks(experts * rows.rows, 8),
                     256, 0, stream, parameters);
}

Status NcclStream::experts(const moert_experts_args &args) {
  Status status = begin();
  int64_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  if (!status.ok() || E == 0)
    return status;
  size_t elementBytes = moert_type_size(args.type);
  cuda::RowCounts rows = {args.counts, R, args.counts_type};
  // What is not used is cleared last: 0 times an infinite weight is none.
  auto finish = [&] {
    return args.counts
               ? useRows(rows, E, M * elementBytes, nullptr, args.result)
               : Status();
  };
  if (R == 0 || M == 0 || H == 0) {
    if (size_t bytes = E * R * M * elementBytes)
      status = fillZero(args.result, bytes);
    return status.ok() ? finish() : status;
  }
  bool isSwiGLU = args.kind == MOERT_EXPERTS_SWIGLU;
  int64_t count = E * R * H;
  return withScratch(
      (isSwiGLU ? 2 : 1) * alignScratch(count * elementBytes),
      [&](char *space) {
        cuda::ActivateArgs between = {};
        between.inner = space;
        between.up =
            isSwiGLU ? space + alignScratch(count * elementBytes) : nullptr;
        between.count = count;
        between.ffn = H;
        between.rows = rows;
        between.activation = isSwiGLU ? MOERT_SILU : args.activation;
        between.type = args.type;
        Matrix x = {args.x, args.type}, first = {args.w1, args.type};
        Matrix second = {args.w2, args.type}, last = {args.w3, args.type};
        Status status = callBlas(x, first, between.inner, args.type, R, M, H, E,
                                 /*adds=*/false);
        if (status.ok() && isSwiGLU)
          status = callBlas(x, second, between.up, args.type, R, M, H, E,
                            /*adds=*/false);
        void *parameters[] = {&between};
        if (status.ok())
          status = nccl.launch("moert_activate", getBlocks(count), 256, 0,
                               stream, parameters);
        if (status.ok())
          status = callBlas({between.inner, args.type}, last, args.result,
                            args.type, R, H, M, E, /*adds=*/false);
        return status.ok() ? finish() : status;
      });
}
