// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan expand.

#include "Commands.h"
#include "ConfigJob.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

namespace {

class ExpandCommand : public Command {
public:
  ExpandCommand()
      : Command("expand", "Place context-parallel ranks relative to "
                          "expert-parallel ranks, and size the switches") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  /// Without --config, degrees alone.
  ConfigJob job{table,
                {JobOptions::Missing::Command, JobOptions::Missing::One}};
  IntegerOption ports{
      table, "switch-ports",
      "Ports of the switch that connects equal positions of "
      "the tensor-parallel groups (default: as many as needed)"};
  AnswerOptions answers{subCommand};
};

/// Ranks of one group: every `stride`-th, `size` of them.
struct Group {
  const char *name;
  int64_t size, stride;
};

} // namespace

std::optional<Failure> ExpandCommand::run(raw_ostream &os) {
  Result<MeshDegrees> degrees = job.readDegrees({"tp", "ep", "cp"});
  if (!degrees)
    return degrees.getFailure();
  auto [outer, inner, c, e, t] = degrees->shape;
  // SPEC MO-13.
  std::optional<int64_t> most;
  if (auto failure = ports.readIfSet(most))
    return failure;
  int64_t across = 0;
  bool overflows = MulOverflow(c, e, across);
  bool fits = !overflows && (!most || across <= *most);
  bool isHorizontal = c < e && fits;
  int64_t along = std::max(c, e);
  std::string why =
      isHorizontal ? "fewer context-parallel ranks than expert-parallel ones"
      : c < e      ? "a switch for " + std::to_string(c) + " x " +
                    std::to_string(e) + " ranks is wanted beside each other"
              : "as many context-parallel ranks as expert-parallel ones, "
                "or more";
  if (!isHorizontal) {
    if (along % std::min(c, e) != 0)
      return makeFailure("--cp: expected a divisor or a multiple of --ep " +
                         Twine(e) + ", as both lie along the same ranks, got " +
                         Twine(c));
    if (most && along > *most)
      return makeFailure("--switch-ports: expected at least " + Twine(along) +
                         ", as many as the larger of --ep and --cp, got " +
                         Twine(*most));
  }
  int64_t width = isHorizontal ? across : along, total = t;
  for (int64_t factor : {width, inner, outer})
    if (MulOverflow(total, factor, total) || total > IntegerRange::kMaxSize)
      return makeFailure("--tp: expected at most " +
                         Twine(IntegerRange::kMaxSize) +
                         " ranks in all, got more");
  Group groups[] = {{"tp", t, 1},
                          {"ep", e, t},
                          {"cp", c, isHorizontal ? t * e : t},
                          {"pp", inner, t * width},
                          {"dp", outer, t * width * inner}};
  if (degrees->stagesOutermost)
    std::swap(groups[3].name, groups[4].name);
  StringRef name = isHorizontal ? "horizontal" : "vertical";
  Result<bool> isAnswered = answers.answer(
      os, "Context- beside expert-parallel ranks", [&](json::OStream &out) {
        out.attribute("expansion", name);
        out.attribute("why", why);
        out.attribute("ports", width);
        out.attribute("ranks", total);
        out.attributeArray("groups", [&] {
          for (const Group &group : groups)
            out.object([&] {
              out.attribute("axis", group.name);
              out.attribute("size", group.size);
              out.attribute("stride", group.stride);
            });
        });
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << name << ": " << why << "\n"
     << "ranks          " << total << "\n"
     << "switch ports   " << width << ", for each place in a tensor-parallel "
     << "group\n\naxis  ranks of the group of rank 0\n";
  for (const Group &group : groups) {
    os << group.name << "   ";
    for (int64_t i = 0; i < std::min<int64_t>(group.size, 4); ++i)
      os << " " << i * group.stride;
    if (group.size > 5)
      os << " ...";
    if (group.size > 4)
      os << " " << (group.size - 1) * group.stride;
    os << "\n";
  }
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createExpandCommand() {
  return std::make_unique<ExpandCommand>();
}
