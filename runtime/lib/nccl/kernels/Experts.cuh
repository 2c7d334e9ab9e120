// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions between the products of experts.

#ifndef MOERT_NCCL_KERNELS_EXPERTS_CUH
#define MOERT_NCCL_KERNELS_EXPERTS_CUH

#include "nccl/GroupedTiles.h"
#include "nccl/kernels/Activations.cuh"

/// Computes gated = act(inner), times the factor of `up` if there is one.
template <typename Element>
__device__ void activateRows(const ActivateArgs &args) {
  using T = Sum<Element>;
  auto *inner = static_cast<const Element *>(args.inner);
  auto *up = static_cast<const Element *>(args.up);
  auto *gated = static_cast<Element *>(args.gated);
  bool wide = isWide<Element>(0, inner, up) && isWide<Element>(0, gated, up);
  forElements<Element>(args.count, wide, firstIndex(), indexStep(),
                       [&](long long at, auto lanes) {
                         constexpr int n = decltype(lanes)::kCount;
                         T values[n], others[n];
                         loadMany<n>(inner + at, values);
                         if (up)
                           loadMany<n>(up + at, others);
#pragma unroll
                         for (int i = 0; i < n; ++i) {
                           values[i] = activate(args, values[i]);
                           if (up)
                             values[i] *= getFactor(args, others[i]);
                         }
                         storeMany<n>(values, gated + at);
                       });
}

extern "C" __global__ void moert_write_addresses(AddressesArgs args) {
  for (long long i = firstIndex(); i < args.count; i += indexStep())
    args.list[i] = args.addresses[i];
}

extern "C" __global__ void moert_write_groups(WriteGroupsArgs args) {
  int i = threadIdx.x;
  if (i < args.count)
    args.list[i] = args.groups[i];
}

extern "C" __global__ void moert_activate(ActivateArgs args) {
  withElement(args.type, [&](auto *element) {
    activateRows<std::remove_pointer_t<decltype(element)>>(args);
  });
}

#endif // MOERT_NCCL_KERNELS_EXPERTS_CUH
