// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of training frameworks and the corresponding options of moe-mlir.

#ifndef MOE_PLANNING_FLAGS_H
#define MOE_PLANNING_FLAGS_H

#include "moe/Options/FrameworkFlags.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

struct FlagsInput : Input {
  TextOption preset{
      table, "parallelism",
      "Framework: megatron, deepspeed or torchtitan (default: all)",
      "FRAMEWORK"};
};

struct FlagsAnswer {
  static constexpr unsigned kJsonIndent = 2;

  std::vector<ParallelismPreset> frameworks;
};

Result<FlagsAnswer> planFlags(FlagsInput &in);

/// Returns "--tp N" or "drop_tokens=false".
std::string formatFlag(const FrameworkFlag &flag);

std::string getTitle(const FlagsAnswer &answer);
void printJSON(llvm::json::OStream &out, const FlagsAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_FLAGS_H
