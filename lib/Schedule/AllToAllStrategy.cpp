// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection of the fastest strategy for an all-to-all.

#include "moe/Schedule/AllToAllStrategy.h"
#include "ContendedPipeline.h"
#include "moe/Cost/Machine.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Schedule/FlowShop.h"

#include <algorithm>
#include <cassert>
#include <limits>

using namespace moe;
using namespace moe::schedule;
using cost::isFaster;

/// The time of an option that cannot be chosen.
static constexpr double kNever = std::numeric_limits<double>::infinity();

ExchangeCosts::~ExchangeCosts() = default;

const char *moe::schedule::getName(Strategy strategy) {
  constexpr const char *kNames[] = {"baseline", "o1", "o2", "o3"};
  return kNames[size_t(strategy)];
}

/// Returns the makespan without contention, which is a lower bound with
/// contention. Stages that take turns count as one stage.
static double getFlowShopUs(const StageTimes &stages, int64_t chunks,
                            Strategy strategy, bool exchangeAndGatherShare) {
  double exchange = stages.allToAllUs, gather = stages.allGatherUs,
         copy = stages.copyUs;
  if (exchangeAndGatherShare) {
    exchange += gather;
    gather = 0;
  }
  if (strategy == Strategy::O3)
    return getEqualJobsMakespanUs(std::array{exchange, gather, copy}, chunks);
  if (exchangeAndGatherShare)
    return getEqualJobsMakespanUs(std::array{exchange + copy}, chunks);
  return getEqualJobsMakespanUs(std::array{exchange, gather + copy}, chunks);
}

StrategyTime StrategyPlanner::planPipelined(const ExchangeCosts &costs,
                                            const ChunkLimits &limits,
                                            Strategy strategy,
                                            const Contention &contention) {
  StrategyTime best;
  std::vector<Tried> &tried = this->tried[size_t(strategy)];
  tried.clear();
  StageResources resources = costs.getResources();
  bool share = resources.allToAll == resources.allGather;
  std::optional<ContendedPipeline> contended;
  if (contention.hasAny())
    contended.emplace(strategy, resources, contention);
  int64_t first = limits.chunks.value_or(1);
  int64_t last = limits.chunks.value_or(limits.maxChunks);
  for (int64_t chunks = first; chunks <= last; ++chunks) {
    double messageBytes = costs.getMessageBytes(chunks);
    if (cost::isTooSmall(messageBytes, limits.minMessageBytes)) {
      if (chunks == first)
        best.whyNot =
            cost::explainTooSmall(messageBytes, chunks, limits.minMessageBytes);
      break;
    }
    StageTimes stages = costs.getStageTimes(chunks, strategy);
    double boundUs = getFlowShopUs(stages, chunks, strategy, share);
    if (contended)
      boundUs = std::max(boundUs, contended->getBoundUs(stages, chunks));
    tried.push_back({boundUs, chunks, stages});
  }

  auto take = [&](const Tried &candidate, double us) {
    best = {true, candidate.chunks, us, candidate.stages, ""};
  };
  if (!contended) {
    for (const Tried &candidate : tried)
      if (!best.possible || isFaster(candidate.boundUs, best.timeUs))
        take(candidate, candidate.boundUs);
    return best;
  }
  // Candidates are tried in the order of their bounds until none of the rest
  // can be better. Few need a simulation, and the result is the same as with
  // all.
  byBound = tried;
  std::sort(byBound.begin(), byBound.end(), [](const Tried &a, const Tried &b) {
    return a.boundUs != b.boundUs ? a.boundUs < b.boundUs : a.chunks < b.chunks;
  });
  for (const Tried &candidate : byBound) {
    if (best.possible && isFaster(best.timeUs, candidate.boundUs))
      break;
    // A slightly larger limit also recognizes candidates that are equally fast.
    double enoughUs = best.possible ? best.timeUs * (1 + 1e-9) : kNever;
    double us =
        contended->getMakespanUs(candidate.stages, candidate.chunks, enoughUs);
    if (!best.possible || isFaster(us, best.timeUs) ||
        (candidate.chunks < best.chunks && !isFaster(best.timeUs, us)))
      take(candidate, us);
  }
  return best;
}

StrategyTime StrategyPlanner::findFewest(Strategy strategy,
                                         const ExchangeCosts &costs,
                                         const Contention &contention,
                                         double enoughUs) {
  std::optional<ContendedPipeline> contended;
  if (contention.hasAny())
    contended.emplace(strategy, costs.getResources(), contention);
  for (const Tried &candidate : tried[size_t(strategy)]) {
    double us = candidate.boundUs;
    if (contended && us <= enoughUs)
      us = contended->getMakespanUs(candidate.stages, candidate.chunks,
                                    enoughUs);
    if (us <= enoughUs)
      return {true, candidate.chunks, us, candidate.stages, ""};
  }
  assert(false && "expected the strategy's own best among those tried");
  return {};
}

StrategyPlan StrategyPlanner::plan(const ExchangeCosts &costs,
                                   const ChunkLimits &limits) {
  StrategyPlan plan;
  auto at = [&](Strategy strategy) -> StrategyTime & {
    return plan.strategies[size_t(strategy)];
  };
  double baselineUs = costs.getBaselineUs();
  at(Strategy::Baseline) = {true, 1, baselineUs, {baselineUs, 0, 0}, ""};

  at(Strategy::O1).whyNot = costs.getWhyNot(Strategy::O1);
  if (at(Strategy::O1).whyNot.empty()) {
    StageTimes whole = costs.getStageTimes(1, Strategy::O1);
    // A single chunk is already in place, so nothing is copied.
    whole.copyUs = 0;
    at(Strategy::O1) = {true, 1, whole.allToAllUs + whole.allGatherUs, whole,
                        ""};
  }
  Contention contention = costs.getContention();
  for (Strategy strategy : {Strategy::O2, Strategy::O3}) {
    at(strategy).whyNot = costs.getWhyNot(strategy);
    if (at(strategy).whyNot.empty())
      at(strategy) = planPipelined(costs, limits, strategy, contention);
  }

  // Simpler strategies come first.
  auto pick = [&](double uncertainty) {
    return Strategy(cost::pickWithinTolerance(plan.strategies, uncertainty,
                                              [](const StrategyTime &time) {
                                                return time.possible
                                                           ? time.timeUs
                                                           : kNever;
                                              }) -
                    plan.strategies.begin());
  };
  plan.fastest = pick(/*uncertainty=*/0);
  plan.fastestChunks = plan.get(plan.fastest).chunks;
  plan.leastUs = plan.get(plan.fastest).timeUs;
  double uncertainty = costs.getUncertainty();
  plan.chosen = pick(uncertainty);
  if (uncertainty > 0 && plan.chosen >= Strategy::O2)
    at(plan.chosen) =
        findFewest(plan.chosen, costs, contention,
                   cost::getToleratedUs(plan.leastUs, uncertainty));
  for (size_t i = 0; i < kNumStrategies; ++i)
    if (Strategy(i) != plan.chosen && plan.strategies[i].possible &&
        (!plan.runnerUp ||
         isFaster(plan.strategies[i].timeUs, plan.get(*plan.runnerUp).timeUs)))
      plan.runnerUp = Strategy(i);
  if (plan.runnerUp)
    plan.gapUs = plan.get(*plan.runnerUp).timeUs - plan.get(plan.chosen).timeUs;
  return plan;
}
