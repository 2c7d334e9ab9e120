//===- Copies.cuh - Copies of boxes -----------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_COPIES_CUH
#define MOERT_NCCL_KERNELS_COPIES_CUH

#include "nccl/kernels/Elements.cuh"

template <typename T>
__device__ void copyBox(const BoxArgs &args, T *target, const T *source) {
  for (long long i = firstIndex(); i < args.count; i += indexStep()) {
    long long rest = i, to = 0, from = 0;
    for (int d = args.dims - 1; d >= 0; --d) {
      long long at = rest % args.sizes[d];
      rest /= args.sizes[d];
      to += at * args.targetStrides[d];
      from += at * args.sourceStrides[d];
    }
    target[to] = source[from];
  }
}

extern "C" __global__ void moert_copy_box(BoxArgs args) {
  switch (args.elementBytes) {
  case 1:
    return copyBox(args, static_cast<unsigned char *>(args.target),
                   static_cast<const unsigned char *>(args.source));
  case 2:
    return copyBox(args, static_cast<unsigned short *>(args.target),
                   static_cast<const unsigned short *>(args.source));
  case 4:
    return copyBox(args, static_cast<unsigned *>(args.target),
                   static_cast<const unsigned *>(args.source));
  default:
    return copyBox(args, static_cast<unsigned long long *>(args.target),
                   static_cast<const unsigned long long *>(args.source));
  }
}

#endif // MOERT_NCCL_KERNELS_COPIES_CUH
