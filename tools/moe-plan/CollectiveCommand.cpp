// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan collective.

#include "Commands.h"
#include "moe/Cost/Collectives.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

namespace {

class CollectiveCommand : public Command {
public:
  CollectiveCommand()
      : Command("collective", "Predict the time of an all-to-all, all-gather, "
                              "reduce-scatter or all-reduce") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  MachineOptions platform = makeMachineOptions();
  cl::opt<std::string> kind{"kind",
                            cl::desc("all-to-all, all-gather, reduce-scatter "
                                     "or all-reduce (required)"),
                            cl::value_desc("KIND"), cl::sub(subCommand)};
  IntegerOption bytes{"bytes",
                      "Size as nccl-tests prints it (required)",
                      subCommand,
                      {1, int64_t(1) << 53}};
  IntegerOption ranks{"ranks", "Ranks of the group (required)", subCommand};
  IntegerOption stride{
      "stride",
      "How far apart these ranks are; the ranks between are of "
      "other groups, which act at the same time (default: 1)",
      subCommand};
  AnswerOptions answers{subCommand};
};

/// Bus bandwidth over bandwidth, as nccl-tests counts it.
double getBusFactor(cost::CollectiveKind kind, double ranks) {
  double share = (ranks - 1) / ranks;
  return kind == cost::CollectiveKind::AllReduce ? 2 * share : share;
}

} // namespace

std::optional<Failure> CollectiveCommand::run(raw_ostream &os) {
  Result<platform::Platform> loaded = platform.load();
  if (!loaded)
    return loaded.getFailure();
  if (kind.getNumOccurrences() == 0)
    return failMissing("kind");
  std::string word = kind;
  llvm::replace(word, '-', '_');
  std::optional<cost::CollectiveKind> parsed = cost::parseCollectiveKind(word);
  if (!parsed)
    return makeFailure("--kind: expected all-to-all, all-gather, "
                       "reduce-scatter or all-reduce, got '" +
                       kind + "'");
  Result<int64_t> size = bytes.read();
  if (!size)
    return size.getFailure();
  Result<int64_t> group = ranks.read();
  if (!group)
    return group.getFailure();
  Result<int64_t> apart = stride.read(1);
  if (!apart)
    return apart.getFailure();
  int64_t has = loaded->machine.getNumRanks();
  if (*group > has / *apart)
    return makeFailure("--ranks: expected at most the " + Twine(has / *apart) +
                       " ranks of " + loaded->machine.name +
                       (*apart > 1 ? " that are so far apart" : "") + ", got " +
                       Twine(*group));
  int64_t shape[] = {*group, *apart};
  unsigned axes[] = {0};
  auto groups = cost::RankGroups::fromMesh(shape, axes);
  if (!groups)
    return groups.getFailure();
  auto plan = cost::CollectivePlan::create(loaded->machine, *groups, *parsed);
  if (!plan)
    return plan.getFailure();
  cost::CostBreakdown cost = plan->explain(cost::Bytes(double(*size)));
  double us = cost.time.value();
  double rate = us > 0 ? double(*size) / us * 1e-3 : 0;
  double bus = rate * getBusFactor(*parsed, double(*group));
  std::string slowest =
      cost.bottleneck
          ? loaded->machine.levels[cost.levels[*cost.bottleneck].level].name
          : "";
  Result<bool> isAnswered =
      answers.answer(os, "moe-plan collective", [&](json::OStream &out) {
        out.attribute("platform", loaded->machine.name);
        out.attribute("kind", kind.getValue());
        out.attribute("time_us", us);
        out.attribute("algbw_GBps", rate);
        out.attribute("busbw_GBps", bus);
        out.attribute("slowest_level", slowest);
        out.attribute("extrapolated", cost.isExtrapolated);
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << formatFixed(us, 1) << " us, " << formatFixed(rate, 1) << " GB/s (busbw "
     << formatFixed(bus, 1) << ")";
  if (!slowest.empty())
    os << ", most of it over " << slowest;
  os << (cost.isExtrapolated ? "; outside of the sizes that were measured\n"
                             : "\n");
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createCollectiveCommand() {
  return std::make_unique<CollectiveCommand>();
}
