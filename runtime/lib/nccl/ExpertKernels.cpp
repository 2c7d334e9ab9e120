//===- ExpertKernels.cpp - The expert networks on a device ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

Status NcclStream::multiply(const void *x, const void *matrix, void *result,
                            int64_t rows, int64_t inner, int64_t columns,
                            int64_t batches, moert_type type) {
  return callBlas({x, type}, {matrix, type}, result, type, rows, inner, columns,
                  batches, /*adds=*/false);
}

Status NcclStream::experts(const moert_experts_args &args) {
  Status status = begin();
  int64_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  if (!status.ok() || E == 0 || R == 0 || M == 0)
    return status;
  size_t elementBytes = moert_type_size(args.type);
  if (H == 0)
    return fillZero(args.result, E * R * M * elementBytes);
  bool isSwiGLU = args.kind == MOERT_EXPERTS_SWIGLU;
  long long count = E * R * H;
  return withScratch(
      (isSwiGLU ? 2 : 1) * count * elementBytes, [&](char *space) {
        void *inner = space,
             *up = isSwiGLU ? space + count * elementBytes : nullptr;
        Status status = multiply(args.x, args.w1, inner, R, M, H, E, args.type);
        if (status.ok() && isSwiGLU)
          status = multiply(args.x, args.w2, up, R, M, H, E, args.type);
        int activation = isSwiGLU ? MOERT_SILU : args.activation,
            type = args.type;
        void *parameters[] = {&inner, &up, &count, &activation, &type};
        if (status.ok())
          status = nccl.launch("moert_activate", getBlocks(count), 256, 0,
                               stream, parameters);
        if (status.ok())
          status = multiply(inner, args.w3, args.result, R, H, M, E, args.type);
        return status;
      });
}
