// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a backward pass can carry.

#ifndef MOE_LIB_SCHEDULE_OVERLAPWINDOWS_H
#define MOE_LIB_SCHEDULE_OVERLAPWINDOWS_H

#include "moe/Schedule/GradientPartition.h"

namespace moe::schedule {

/// A way to use a slot: it carries up to `capacity` elements in `us`, and each
/// element more adds the slope of the all-reduce.
struct SlotOption {
  int64_t capacity;
  double us;
};

/// A slot of the backward pass.
struct Slot {
  int64_t layer;
  OverlapWindow kind;
  /// Elements whose gradients exist before it.
  int64_t produced;
  /// What it takes when it carries nothing.
  double idleUs;
  /// What it can do with a gradient, cheapest first; each that costs more
  /// carries more, and for less than the ramp of the ones before it takes.
  std::vector<SlotOption> options;
};

/// The slots in the order of the backward pass; the one after it only where
/// the first layer has no MoE part. Those before which no gradient exists have
/// no options. The last can carry every gradient.
std::vector<Slot> getSlots(const std::vector<GeneralizedLayer> &layers,
                           const LinearTime &allReduce);

} // namespace moe::schedule

#endif // MOE_LIB_SCHEDULE_OVERLAPWINDOWS_H
