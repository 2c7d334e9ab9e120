// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of training frameworks and the corresponding options of moe-mlir.

#include "moe/Planning/Flags.h"
#include "moe/Planning/Answers.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

std::string moe::planning::formatFlag(const FrameworkFlag &flag) {
  if (flag.value.empty())
    return flag.name.str();
  return (flag.name + (flag.name.starts_with("--") ? " " : "=") + flag.value)
      .str();
}

Result<FlagsAnswer> moe::planning::planFlags(FlagsInput &in) {
  FlagsAnswer answer{{ParallelismPreset::Megatron, ParallelismPreset::DeepSpeed,
                      ParallelismPreset::TorchTitan}};
  if (!in.preset.isSet())
    return answer;
  Result<ParallelismPreset> one = parseParallelism(in.preset.get());
  if (!one)
    return one.getFailure();
  answer.frameworks = {*one};
  return answer;
}

std::string moe::planning::getTitle(const FlagsAnswer &) {
  return "Flags of frameworks";
}

void moe::planning::printJSON(json::OStream &out, const FlagsAnswer &answer) {
  out.attributeArray("flags", [&] {
    for (ParallelismPreset framework : answer.frameworks)
      for (const FrameworkFlag &flag : getFrameworkFlags(framework))
        out.object([&] {
          out.attribute("framework", getFrameworkName(framework));
          out.attribute("flag", formatFlag(flag));
          out.attribute("ours", flag.ours);
        });
  });
}
