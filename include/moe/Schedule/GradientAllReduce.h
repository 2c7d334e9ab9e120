// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reducing gradients costs.

#ifndef MOE_SCHEDULE_GRADIENTALLREDUCE_H
#define MOE_SCHEDULE_GRADIENTALLREDUCE_H

#include "moe/Cost/Collectives.h"
#include "moe/Schedule/LayerPhase.h"

namespace moe::schedule {

/// The all-reduce of dense gradients on a machine: unless told otherwise over
/// the first axis of a mesh [ranks / tp, tp], by all ranks at once.
struct GradientAllReduce {
  /// Time by elements.
  LinearTime time;
  /// The ranks that hold the same parameters.
  int64_t numRanks = 1;
  /// The machine's times lie on the line (SPEC FS-1). Where they do not, the
  /// line goes through those of an eighth of all elements and of all.
  bool isExact = true;
  /// What the line is through; none where nothing has been asked.
  std::optional<cost::CollectivePlan> plan;
  cost::BytesPerElement element{1};

  /// Whether the machine was not measured at the size of so many elements.
  bool isExtrapolated(int64_t elements) const {
    return plan &&
           plan->isExtrapolated(cost::Elements(double(elements)) * element);
  }

  /// `elements` are those of all gradients together, of `element` bytes each.
  /// Fails, naming what was expected, when `tp` is below 1 or does not divide
  /// the machine's ranks.
  static cost::Result<GradientAllReduce> create(const cost::Machine &machine,
                                                int64_t tp,
                                                cost::BytesPerElement element,
                                                int64_t elements);

  /// The same over groups of ranks; fails for ranks that the machine lacks.
  static cost::Result<GradientAllReduce>
  create(const cost::Machine &machine, const cost::RankGroups &groups,
         cost::BytesPerElement element, int64_t elements);
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_GRADIENTALLREDUCE_H
