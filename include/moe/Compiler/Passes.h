// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that choose by compiling candidates.

#ifndef MOE_COMPILER_PASSES_H
#define MOE_COMPILER_PASSES_H

#include "moe/Compiler/PlanOptions.h"
#include "moe/Dialect/MoE/PlanEnums.h"
#include "moe/Transforms/Passes.h"

namespace moe {

/// The rows that ranks keep for their own experts (SPEC TA-3).
enum class LocalRows { Pinned, Bandwidth };
/// The method to compute target capacities (SPEC TA-3, TA-5).
enum class TargetPlanner { Proportional, Exact };
/// The scope of one limit.
enum class LimitsPer { Rank, Expert };

template <> struct EnumNames<LocalRows> {
  static constexpr EnumName<LocalRows> all[] = {
      {LocalRows::Pinned, "pinned", "an even share"},
      {LocalRows::Bandwidth, "bandwidth",
       "proportional to the memory copy bandwidth"}};
};

template <> struct EnumNames<TargetPlanner> {
  static constexpr EnumName<TargetPlanner> all[] = {
      {TargetPlanner::Proportional, "proportional",
       "proportional to the link bandwidths"},
      {TargetPlanner::Exact, "exact", "the fastest possible dispatch"}};
};

template <> struct EnumNames<LimitsPer> {
  static constexpr EnumName<LimitsPer> all[] = {
      {LimitsPer::Rank, "rank", "one limit per destination rank"},
      {LimitsPer::Expert, "expert", "one limit per expert"}};
};

#define GEN_PASS_DECL
#include "moe/Compiler/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "moe/Compiler/Passes.h.inc"

} // namespace moe

#endif // MOE_COMPILER_PASSES_H
