//===- Experts.cuh - Experts: what stands between the products --*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_KERNELS_EXPERTS_CUH
#define MOERT_NCCL_KERNELS_EXPERTS_CUH

#include "nccl/kernels/Elements.cuh"

template <typename T> __device__ T activate(int activation, T x) {
  switch (activation) {
  case MOERT_RELU:
    return x < 0 ? T(0) : x;
  case MOERT_SILU:
    return x / (1 + exp(-x));
  default:
    return T(0.5) * x *
           (1 +
            tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)));
  }
}

/// inner = act(inner), times `up` when there is one.
extern "C" __global__ void moert_activate(void *inner, const void *up,
                                          long long count, int activation,
                                          int type) {
  for (long long i = firstIndex(); i < count; i += indexStep()) {
    if (type == MOERT_F64) {
      double value = activate(activation, load<double>(type, inner, i));
      store<double>(type, inner, i,
                    up ? value * load<double>(type, up, i) : value);
    } else {
      float value = activate(activation, load<float>(type, inner, i));
      store<float>(type, inner, i,
                   up ? value * load<float>(type, up, i) : value);
    }
  }
}

#endif // MOERT_NCCL_KERNELS_EXPERTS_CUH
