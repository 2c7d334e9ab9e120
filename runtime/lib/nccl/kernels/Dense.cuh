// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placeholders for the dense parts of a model.

#ifndef MOERT_NCCL_KERNELS_DENSE_CUH
#define MOERT_NCCL_KERNELS_DENSE_CUH

#include "nccl/kernels/Elements.cuh"

template <typename Element>
__device__ void divide(const moert_dense_args &args) {
  using T = Sum<Element>;
  auto *x = static_cast<const Element *>(args.x);
  auto *result = static_cast<Element *>(args.result);
  T parts = static_cast<T>(args.parts);
  forElements<Element>(args.count, isWide<Element>(0, x, result), firstIndex(),
                       indexStep(), [&](long long at, auto lanes) {
                         constexpr int n = decltype(lanes)::kCount;
                         T values[n];
                         loadMany<n>(x + at, values);
#pragma unroll
                         for (int i = 0; i < n; ++i)
                           values[i] /= parts;
                         storeMany<n>(values, result + at);
                       });
}

extern "C" __global__ void moert_dense_kernel(moert_dense_args args) {
  withElement(args.type, [&](auto *element) {
    divide<std::remove_pointer_t<decltype(element)>>(args);
  });
}

/// Computes result[p] = sums[p mod period].
extern "C" __global__ void moert_repeat(const void *sums, int sumType,
                                        long long period, void *result,
                                        int resultType, long long count) {
  for (long long p = firstIndex(); p < count; p += indexStep()) {
    long long at = p < period ? p : p % period;
    if (sumType == MOERT_F64)
      store(resultType, result, p, load<double>(sumType, sums, at));
    else
      store(resultType, result, p, load<float>(sumType, sums, at));
  }
}

#endif // MOERT_NCCL_KERNELS_DENSE_CUH
