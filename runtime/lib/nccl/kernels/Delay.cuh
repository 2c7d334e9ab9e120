//===- Delay.cuh - A kernel that takes its time -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_DELAY_CUH
#define MOERT_NCCL_KERNELS_DELAY_CUH

/// Stays busy.
extern "C" __global__ void moert_delay_ns(long long nanoseconds) {
  long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do {
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
}

#endif // MOERT_NCCL_KERNELS_DELAY_CUH
