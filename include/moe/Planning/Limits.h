// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the limits of predictions.

#ifndef MOE_PLANNING_LIMITS_H
#define MOE_PLANNING_LIMITS_H

#include "moe/Planning/NotModelled.h"
#include "moe/Planning/Planner.h"
#include "moe/Support/EnumNames.h"

template <> struct moe::EnumNames<moe::planning::LimitOf> {
  using Of = planning::LimitOf;
  static constexpr EnumName<Of> all[] = {
      {Of::Time, "time", "of the time of a step"},
      {Of::Memory, "memory", "of the memory of a rank"}};
};

namespace moe::planning {

struct LimitsInput : Input {
  WordOption<LimitOf> of{table, "of",
                         "Only what is left out of one prediction (default: of "
                         "both)",
                         LimitOf::Time};
};

struct LimitsAnswer {
  static constexpr unsigned kJsonIndent = 2;
  std::vector<Limit> limits;
};

Result<LimitsAnswer> planLimits(LimitsInput &in);

std::string getTitle(const LimitsAnswer &answer);
void printJSON(llvm::json::OStream &out, const LimitsAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_LIMITS_H
