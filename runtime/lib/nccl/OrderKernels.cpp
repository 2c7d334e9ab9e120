//===- OrderKernels.cpp - Tokens to experts and back, on a device -*- C++
//-*-===//
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

Status NcclStream::order(const moert_order_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  long long rows = args.experts * args.capacity;
  return withScratch(
      std::max<long long>(rows, 1) * sizeof(long long), [&](char *sources) {
        auto own = args;
        cuda::Error *problem = nccl.getError();
        void *slotParameters[] = {&own, &sources, &problem};
        Status status = nccl.launch("moert_order_slots",
                                    static_cast<unsigned>(args.experts), 1024,
                                    0, stream, slotParameters);
        long long rowBytes = args.hidden * moert_type_size(args.type);
        void *rowParameters[] = {&sources, &rows, &rowBytes, &own.x,
                                 &own.buffer};
        if (status.ok() && rows && rowBytes)
          status = nccl.launch("moert_order_rows", getWarpBlocks(rows, 8), 256,
                               0, stream, rowParameters);
        return status;
      });
}

Status NcclStream::unorder(const moert_unorder_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0 || args.hidden == 0)
    return status;
  auto own = args;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &problem};
  return nccl.launch(
      "moert_unorder_kernel",
      static_cast<unsigned>(std::min<int64_t>(args.tokens, 1 << 20)), 256, 0,
      stream, parameters);
}
