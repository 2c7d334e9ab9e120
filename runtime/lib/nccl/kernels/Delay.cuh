// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that waits.

#ifndef MOERT_NCCL_KERNELS_DELAY_CUH
#define MOERT_NCCL_KERNELS_DELAY_CUH

/// Returns nanoseconds of a clock that does not stop.
__device__ long long readClock() {
#ifdef __CUDACC__
  long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
#else
  return moert::shim::readClock();
#endif
}

/// Keeps the stream busy.
extern "C" __global__ void moert_delay_ns(long long nanoseconds) {
  long long start = readClock();
  do
    __nanosleep(1000);
  while (readClock() - start < nanoseconds);
}

#endif // MOERT_NCCL_KERNELS_DELAY_CUH
