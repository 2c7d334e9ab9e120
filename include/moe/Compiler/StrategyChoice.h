// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which strategies to choose from.

#ifndef MOE_COMPILER_STRATEGYCHOICE_H
#define MOE_COMPILER_STRATEGYCHOICE_H

#include "moe/Support/EnumNames.h"

namespace moe {

/// Which forms of a layer `moe-select-strategy` chooses from (SPEC MO-3, MO-4).
enum class StrategyChoice { Auto, Baseline, O1, O2, O3, Hierarchical, Nodes };

template <> struct EnumNames<StrategyChoice> {
  static constexpr EnumName<StrategyChoice> all[] = {
      {StrategyChoice::Auto, "auto", "all variants"},
      {StrategyChoice::Baseline, "baseline", "unchanged"},
      {StrategyChoice::O1, "o1", "slice, all-to-all, all-gather"},
      {StrategyChoice::O2, "o2",
       "o1 in chunks, copies on the collectives' stream"},
      {StrategyChoice::O3, "o3", "o1 in chunks, copies on their own stream"},
      {StrategyChoice::Hierarchical, "hierarchical",
       "within nodes, then between nodes"},
      {StrategyChoice::Nodes, "node-dedup", "send each token once per node",
       /*old=*/"nodes"}};
};

} // namespace moe

#endif // MOE_COMPILER_STRATEGYCHOICE_H
