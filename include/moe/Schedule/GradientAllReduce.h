// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of the gradient all-reduce.

#ifndef MOE_SCHEDULE_GRADIENTALLREDUCE_H
#define MOE_SCHEDULE_GRADIENTALLREDUCE_H

#include "moe/Cost/Collectives.h"
#include "moe/Schedule/LayerPhase.h"

namespace moe::schedule {

/// The all-reduce of dense gradients on a machine. By default it runs over the
/// first axis of a mesh [ranks / tp, tp], on all ranks at once.
struct GradientAllReduce {
  /// Time as a function of elements.
  LinearTime time;
  /// The ranks that hold the same parameters.
  int64_t numRanks = 1;
  /// True if the machine's times are on the line (SPEC FS-1). Otherwise, the
  /// line passes through the times of all elements and of an eighth of them.
  bool isExact = true;
  /// The collective with the times of the line; nullopt if none.
  std::optional<cost::CollectivePlan> plan;
  cost::BytesPerElement element{1};

  /// Returns true if this number of elements is outside the measured sizes of
  /// the machine.
  bool isExtrapolated(int64_t elements) const {
    return plan &&
           plan->isExtrapolated(cost::Elements(double(elements)) * element);
  }

  /// `elements` counts all gradients together, with `element` bytes each. Fails
  /// with the expected values if `tp` is below 1 or does not divide the
  /// machine's ranks.
  static cost::Result<GradientAllReduce> create(const cost::Machine &machine,
                                                int64_t tp,
                                                cost::BytesPerElement element,
                                                int64_t elements);

  /// The same over groups of ranks; fails if the machine lacks some of them.
  static cost::Result<GradientAllReduce>
  create(const cost::Machine &machine, const cost::RankGroups &groups,
         cost::BytesPerElement element, int64_t elements);
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_GRADIENTALLREDUCE_H
