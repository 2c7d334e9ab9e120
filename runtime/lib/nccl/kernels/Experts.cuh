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

/// One warp. Groups after an invalid count have no rows.
extern "C" __global__ void moert_count_groups(CountGroupsArgs args,
                                              Error *error) {
  int lane = threadIdx.x;
  long long before = 0;
  bool isValid = true;
  for (int first = 0; first < args.numGroups; first += 32) {
    int g = first + lane;
    long long own = g < args.numGroups && isValid
                        ? loadInteger(args.countsType, args.counts, g)
                        : 0;
    // Saturate, so that sums do not overflow.
    long long count = own < 0 || own > args.rows ? args.rows + 1 : own;
    long long end = count;
    for (int step = 1; step < 32; step *= 2) {
      long long other = __shfl_up_sync(~0u, end, step);
      if (lane >= step)
        end += other;
    }
    end += before;
    unsigned wrong = __ballot_sync(~0u, end > args.rows);
    int last = wrong ? __ffs(wrong) - 1 : 32;
    if (isValid && lane == last)
      report(error, kExpertsRows, own, g, end - count, args.rows);
    isValid = isValid && !wrong;
    if (g < args.numGroups) {
      long long begin = end - count;
      bool isCounted = isValid || lane < last;
      args.list[g] = {isCounted ? begin : 0, isCounted ? begin : 0,
                      isCounted ? count : 0};
    }
    before = __shfl_sync(~0u, end, 31);
  }
}

extern "C" __global__ void moert_activate(ActivateArgs args) {
  withElement(args.type, [&](auto *element) {
    activateRows<std::remove_pointer_t<decltype(element)>>(args);
  });
}

#endif // MOERT_NCCL_KERNELS_EXPERTS_CUH
