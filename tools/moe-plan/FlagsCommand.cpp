// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan flags.

#include "Commands.h"
#include "moe/Options/FrameworkFlags.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

namespace {

/// Prints the table of flags, as Markdown, which docs/Frameworks.md shows.
class FlagsCommand : public Command {
public:
  FlagsCommand()
      : Command("flags", "Map flags of Megatron-LM, DeepSpeed and torchtitan "
                         "to options of these tools") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  TextOption preset{
      table, "parallelism",
      "Framework: megatron, deepspeed or torchtitan (default: all)",
      "FRAMEWORK"};
  AnswerOptions answers{subCommand};
};

} // namespace

/// "--tp N" or "drop_tokens=false".
static std::string formatFlag(const FrameworkFlag &flag) {
  if (flag.value.empty())
    return flag.name.str();
  return (flag.name + (flag.name.starts_with("--") ? " " : "=") + flag.value)
      .str();
}

std::optional<Failure> FlagsCommand::run(raw_ostream &os) {
  std::vector<ParallelismPreset> frameworks = {ParallelismPreset::Megatron,
                                               ParallelismPreset::DeepSpeed,
                                               ParallelismPreset::TorchTitan};
  if (preset.isSet()) {
    Result<ParallelismPreset> one = parseParallelism(preset.get());
    if (!one)
      return one.getFailure();
    frameworks = {*one};
  }
  Result<bool> isAnswered =
      answers.answer(os, "Flags of frameworks", [&](json::OStream &out) {
        out.attributeArray("flags", [&] {
          for (ParallelismPreset framework : frameworks)
            for (const FrameworkFlag &flag : getFrameworkFlags(framework))
              out.object([&] {
                out.attribute("framework", getFrameworkName(framework));
                out.attribute("flag", formatFlag(flag));
                out.attribute("ours", flag.ours);
              });
        });
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  for (ParallelismPreset framework : frameworks) {
    os << (framework == frameworks.front() ? "" : "\n") << "| "
       << getFrameworkName(framework) << " | ours |\n|---|---|\n";
    for (const FrameworkFlag &flag : getFrameworkFlags(framework))
      os << "| `" << formatFlag(flag) << "` | " << flag.ours << " |\n";
  }
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createFlagsCommand() {
  return std::make_unique<FlagsCommand>();
}
