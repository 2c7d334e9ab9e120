//===- Elements.cuh - Elements of any type, and errors ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_ELEMENTS_CUH
#define MOERT_NCCL_KERNELS_ELEMENTS_CUH

#include "nccl/KernelArgs.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace moert::cuda;

template <typename T>
__device__ T load(int type, const void *data, long long i) {
  switch (type) {
  case MOERT_F64:
    return static_cast<T>(static_cast<const double *>(data)[i]);
  case MOERT_F32:
    return static_cast<T>(static_cast<const float *>(data)[i]);
  case MOERT_F16:
    return static_cast<T>(__half2float(static_cast<const __half *>(data)[i]));
  default:
    return static_cast<T>(
        __bfloat162float(static_cast<const __nv_bfloat16 *>(data)[i]));
  }
}

template <typename T>
__device__ void store(int type, void *data, long long i, T value) {
  switch (type) {
  case MOERT_F64:
    static_cast<double *>(data)[i] = static_cast<double>(value);
    return;
  case MOERT_F32:
    static_cast<float *>(data)[i] = static_cast<float>(value);
    return;
  case MOERT_F16:
    static_cast<__half *>(data)[i] = __float2half_rn(static_cast<float>(value));
    return;
  default:
    static_cast<__nv_bfloat16 *>(data)[i] =
        __float2bfloat16_rn(static_cast<float>(value));
    return;
  }
}

__device__ long long loadInteger(int type, const void *data, long long i) {
  switch (type) {
  case MOERT_I64:
    return static_cast<const long long *>(data)[i];
  case MOERT_I32:
    return static_cast<const int *>(data)[i];
  case MOERT_I16:
    return static_cast<const short *>(data)[i];
  default:
    return static_cast<const signed char *>(data)[i];
  }
}

__device__ void storeInteger(int type, void *data, long long i,
                             long long value) {
  switch (type) {
  case MOERT_I64:
    static_cast<long long *>(data)[i] = value;
    return;
  case MOERT_I32:
    static_cast<int *>(data)[i] = static_cast<int>(value);
    return;
  case MOERT_I16:
    static_cast<short *>(data)[i] = static_cast<short>(value);
    return;
  default:
    static_cast<signed char *>(data)[i] = static_cast<signed char>(value);
    return;
  }
}

/// What a launch asks for beyond static shared memory.
extern __shared__ double sharedMemory[];

/// Keeps the first error only.
__device__ void report(Error *error, int code, long long value, long long at,
                       long long perToken, long long limit) {
  if (atomicCAS_system(&error->taken, 0, 1) != 0)
    return;
  error->value = value;
  error->at = at;
  error->perToken = perToken;
  error->limit = limit;
  __threadfence_system();
  atomicExch_system(&error->code, code);
}

/// Global index of the thread, and how many there are.
__device__ long long firstIndex() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ long long indexStep() {
  return static_cast<long long>(gridDim.x) * blockDim.x;
}

/// Two 16-bit floats of one word.
struct HalfPair {
  __half2 value;
  __device__ static float2 toFloats(HalfPair p) {
    return __half22float2(p.value);
  }
  __device__ static HalfPair fromFloats(float a, float b) {
    return {__floats2half2_rn(a, b)};
  }
};
struct BFloatPair {
  __nv_bfloat162 value;
  __device__ static float2 toFloats(BFloatPair p) {
    return __bfloat1622float2(p.value);
  }
  __device__ static BFloatPair fromFloats(float a, float b) {
    return {__floats2bfloat162_rn(a, b)};
  }
};

#endif // MOERT_NCCL_KERNELS_ELEMENTS_CUH
