// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capacities of the slots of a backward pass.

#ifndef MOE_LIB_SCHEDULE_OVERLAPWINDOWS_H
#define MOE_LIB_SCHEDULE_OVERLAPWINDOWS_H

#include "moe/Schedule/GradientPartition.h"

namespace moe::schedule {

/// A way to use a slot: it carries up to `capacity` elements in `us`, and each
/// further element adds the slope of the all-reduce.
struct SlotOption {
  int64_t capacity;
  double us;
};

struct Slot {
  int64_t layer;
  OverlapWindow kind;
  /// Elements with gradients that exist before the slot.
  int64_t produced;
  /// Time of the slot without an all-reduce.
  double idleUs;
  /// The options for an all-reduce, cheapest first. Each more expensive option
  /// carries more, and takes less time for it than the slope of the previous
  /// options.
  std::vector<SlotOption> options;
};

/// Returns the slots in the order of the backward pass. The slot after the pass
/// exists only if the first layer has no MoE part. Slots before the first
/// gradient have no options. The last slot can carry every gradient.
std::vector<Slot> getSlots(const std::vector<GeneralizedLayer> &layers,
                           const LinearTime &allReduce);

} // namespace moe::schedule

#endif // MOE_LIB_SCHEDULE_OVERLAPWINDOWS_H
