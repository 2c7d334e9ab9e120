// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of one collective.

#include "moe/Planning/Collective.h"
#include "moe/Cost/Collectives.h"
#include "moe/Planning/Answers.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

std::string moe::planning::getTitle(const CollectiveAnswer &answer) {
  return answer.kind + " on " + answer.machine;
}

void moe::planning::printJSON(json::OStream &out,
                              const CollectiveAnswer &answer) {
  out.attribute("platform", answer.machine);
  out.attribute("kind", answer.kind);
  out.attribute("time_us", answer.timeUs);
  out.attribute("algbw_GBps", answer.algorithmGBps);
  out.attribute("busbw_GBps", answer.busGBps);
  out.attribute("slowest_level", answer.slowestLevel);
  out.attribute("rates", answer.rates);
  out.attribute("origin", answer.origin);
  if (!answer.protocol.empty())
    out.attribute("protocol", answer.protocol);
  out.attribute("extrapolated", answer.isExtrapolated);
}

/// Returns the ratio of bus bandwidth to algorithm bandwidth in nccl-tests.
static double getBusFactor(cost::CollectiveKind kind, double ranks) {
  double share = (ranks - 1) / ranks;
  return kind == cost::CollectiveKind::AllReduce ? 2 * share : share;
}

/// Parses a collective in the spelling of NCCL, nccl-tests or PyTorch, for
/// example "all-to-all", "alltoall" or "AllReduce".
static std::optional<cost::CollectiveKind> parseKind(StringRef text) {
  auto getLetters = [](StringRef name) {
    std::string letters = name.lower();
    llvm::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
    return letters;
  };
  for (unsigned i = 0; i < cost::kNumCollectiveKinds; ++i)
    if (auto kind = cost::CollectiveKind(i);
        getLetters(cost::getName(kind)) == getLetters(text))
      return kind;
  return std::nullopt;
}

/// Sets the platform's data that gave the time, and their source.
static void setRates(const cost::Machine &machine, cost::CollectiveKind kind,
                     const cost::CostBreakdown &cost,
                     CollectiveAnswer &answer) {
  if (cost.levels.empty()) {
    answer.rates = "one rank, which exchanges nothing";
    return;
  }
  const cost::Level &outermost = machine.levels[cost.levels.back().level];
  const cost::LevelCost &slowest = cost.levels[*cost.bottleneck];
  const cost::Level &level = machine.levels[slowest.level];
  auto name = [](const cost::Level &of) { return "level '" + of.name + "'"; };
  if (cost.isFit) {
    answer.rates = "measured line of " + name(outermost);
    answer.origin = outermost.getFit(kind)->origin;
  } else if (!cost.protocol.empty()) {
    answer.rates = "protocol " + cost.protocol + " of " + name(outermost);
    if (cost.isAtProtocolLimit)
      answer.rates += ", at its highest rate (max_GBps)";
    answer.origin = outermost.protocolsOrigin;
  } else if (!level.efficiency.isEmpty()) {
    answer.rates = "efficiency curve of " + name(level);
    answer.origin = level.efficiencyOrigin;
  } else {
    answer.rates = "bandwidth and latency of " + name(level);
    answer.origin = level.origin;
  }
}

Result<CollectiveAnswer> moe::planning::planCollective(CollectiveInput &in) {
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  const cost::Machine &machine = loaded->machine;
  if (!in.kind.isSet())
    return failMissing("kind");
  std::optional<cost::CollectiveKind> kind = parseKind(in.kind.get());
  if (!kind)
    return makeFailure("--kind: expected all-to-all, all-gather, "
                       "reduce-scatter or all-reduce, got '" +
                       in.kind.get() + "'");
  Result<int64_t> size = in.bytes.read();
  if (!size)
    return size.getFailure();
  Result<int64_t> group = in.ranks.read();
  if (!group)
    return group.getFailure();
  Result<int64_t> apart = in.stride.read(1);
  if (!apart)
    return apart.getFailure();
  int64_t has = machine.getNumRanks();
  if (*group > has / *apart)
    return makeFailure("--ranks: expected at most the " + Twine(has / *apart) +
                       " ranks of " + machine.name +
                       (*apart > 1 ? " that are so far apart" : "") + ", got " +
                       Twine(*group));
  int64_t shape[] = {*group, *apart};
  unsigned axes[] = {0};
  auto groups = cost::RankGroups::fromMesh(shape, axes);
  if (!groups)
    return groups.getFailure();
  auto plan = cost::CollectivePlan::create(machine, *groups, *kind);
  if (!plan)
    return plan.getFailure();
  cost::CostBreakdown cost = plan->explain(cost::Bytes(double(*size)));
  CollectiveAnswer answer;
  answer.machine = machine.name;
  answer.kind = cost::getName(*kind);
  llvm::replace(answer.kind, '_', '-');
  answer.timeUs = cost.time.value();
  if (answer.timeUs > 0)
    answer.algorithmGBps = double(*size) / answer.timeUs * 1e-3;
  answer.busGBps = answer.algorithmGBps * getBusFactor(*kind, double(*group));
  if (cost.bottleneck)
    answer.slowestLevel =
        machine.levels[cost.levels[*cost.bottleneck].level].name;
  answer.protocol = cost.protocol;
  setRates(machine, *kind, cost, answer);
  answer.isExtrapolated = cost.isExtrapolated;
  return answer;
}
