// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions that NCCL does not provide.

#ifndef MOERT_NCCL_KERNELS_REDUCTIONS_CUH
#define MOERT_NCCL_KERNELS_REDUCTIONS_CUH

#include "nccl/kernels/Elements.cuh"

/// Reduces `members` blocks of `count` 16-bit integers, which NCCL does not
/// reduce.
extern "C" __global__ void moert_reduce_i16(const short *blocks, short *target,
                                            long long count, int members,
                                            int reduction) {
  for (long long i = firstIndex(); i < count; i += indexStep()) {
    unsigned result = static_cast<unsigned short>(blocks[i]);
    for (int m = 1; m < members; ++m) {
      short a = static_cast<short>(result), b = blocks[m * count + i];
      switch (reduction) {
      case MOERT_SUM:
        result += static_cast<unsigned short>(b);
        break;
      case MOERT_PROD:
        result *= static_cast<unsigned short>(b);
        break;
      case MOERT_MIN:
        result = static_cast<unsigned short>(a < b ? a : b);
        break;
      default:
        result = static_cast<unsigned short>(a > b ? a : b);
      }
    }
    target[i] = static_cast<short>(result);
  }
}

#endif // MOERT_NCCL_KERNELS_REDUCTIONS_CUH
