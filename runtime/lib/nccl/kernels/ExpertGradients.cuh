// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients between the products of experts.

#ifndef MOERT_NCCL_KERNELS_EXPERTGRADIENTS_CUH
#define MOERT_NCCL_KERNELS_EXPERTGRADIENTS_CUH

#include "nccl/kernels/Activations.cuh"

/// Computes the gradients of the first products from their results (`inner`,
/// and `up` for gated experts) and from the gradient of the last product's
/// operand (`gated`), which is replaced by the operand.
template <typename Element>
__device__ void differentiateRows(const ActivateArgs &args) {
  using T = Sum<Element>;
  auto *inner = static_cast<const Element *>(args.inner);
  auto *up = static_cast<const Element *>(args.up);
  auto *gated = static_cast<Element *>(args.gated);
  auto *firstGradient = static_cast<Element *>(args.firstGradient);
  auto *secondGradient = static_cast<Element *>(args.secondGradient);
  bool wide = isWide<Element>(0, inner, gated) &&
              isWide<Element>(0, up, firstGradient) &&
              isWide<Element>(0, up, secondGradient);
  forElements<Element>(
      args.count, wide, firstIndex(), indexStep(),
      [&](long long at, auto lanes) {
        constexpr int n = decltype(lanes)::kCount;
        T first[n], second[n], last[n];
        loadMany<n>(inner + at, first);
        if (up)
          loadMany<n>(up + at, second);
        loadMany<n>(gated + at, last);
#pragma unroll
        for (int i = 0; i < n; ++i) {
          T x = first[i], slope = last[i];
          T other = up ? getFactor(args, second[i]) : T(1);
          T value = activate(args, x);
          first[i] = slope * other * differentiate(args, x);
          second[i] =
              up && passesFactor(args, second[i]) ? slope * value : T(0);
          last[i] = value * other;
        }
        storeMany<n>(first, firstGradient + at);
        if (up)
          storeMany<n>(second, secondGradient + at);
        storeMany<n>(last, gated + at);
      });
}

extern "C" __global__ void moert_activate_gradient(ActivateArgs args) {
  withElement(args.type, [&](auto *element) {
    differentiateRows<std::remove_pointer_t<decltype(element)>>(args);
  });
}

#endif // MOERT_NCCL_KERNELS_EXPERTGRADIENTS_CUH
