// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of a phase on a machine.

#include "moe/Schedule/MachinePhase.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Schedule/TaskGraph.h"

#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::schedule;

/// Returns why the sizes are invalid; empty if valid.
static std::string checkShape(const LayerShape &shape) {
  const std::pair<const char *, int64_t> sizes[] = {
      {"micro-batch", shape.microBatch},
      {"sequence length", shape.seqLen},
      {"hidden size", shape.hidden},
      {"FFN hidden size", shape.ffnHidden},
      {"experts per token", shape.topK},
      {"GEMMs", shape.gemms},
      {"tp", shape.tp},
      {"esp", shape.esp}};
  for (auto [name, size] : sizes)
    if (size < 1)
      return std::string(name) + ": expected at least 1, got " +
             std::to_string(size);
  if (shape.tp % shape.esp != 0)
    return "esp: expected a divisor of the " + std::to_string(shape.tp) +
           " tensor-parallel ranks, got " + std::to_string(shape.esp);
  if (shape.capacityFactor &&
      (!(*shape.capacityFactor > 0) || !std::isfinite(*shape.capacityFactor)))
    return "capacity factor: expected a finite number above 0, got " +
           std::to_string(*shape.capacityFactor);
  return "";
}

/// Returns the line through a collective's times if they are linear.
static std::optional<LinearTime> findLine(const cost::Machine &machine,
                                          const cost::CollectivePlan &plan,
                                          cost::Bytes whole) {
  cost::CostBreakdown cost = plan.explain(whole);
  if (!cost.protocol.empty())
    return std::nullopt;
  if (!cost.isFit)
    for (const cost::LevelCost &level : cost.levels)
      if (!machine.levels[level.level].efficiency.isEmpty())
        return std::nullopt;
  return LinearTime{cost.alpha.value(), (cost.time - cost.alpha).value()};
}

cost::Result<MachinePhase>
MachinePhase::create(const cost::Machine &machine, const LayerShape &shape,
                     TrainingPhase which, cost::BytesPerElement element,
                     std::optional<int64_t> givenEp, const ExpertSkew &skew) {
  std::string problem = checkShape(shape);
  if (!problem.empty())
    return cost::Failure{std::move(problem)};
  if (!(element.value() > 0) || !std::isfinite(element.value()))
    return cost::Failure{"expected elements of a finite size above 0 bytes, "
                         "got " +
                         std::to_string(element.value())};
  if (!machine.gemm)
    return cost::Failure{
        "platform '" + machine.name +
        "': experts cannot be timed without gemm_alpha_us and "
        "gemm_beta_us_per_mac; measure them with moe-profile measure"};
  int64_t numRanks = machine.getNumRanks();
  if (!givenEp && numRanks % shape.tp != 0)
    return cost::Failure{
        "platform '" + machine.name + "': expected ranks that divide by tp " +
        std::to_string(shape.tp) + ", got " + std::to_string(numRanks)};
  int64_t ep = givenEp.value_or(numRanks / shape.tp);
  // The check divides because the product may overflow.
  if (ep < 1 || ep > numRanks / shape.tp)
    return cost::Failure{
        "platform '" + machine.name + "': expected 1 to " +
        std::to_string(numRanks / shape.tp) + " expert-parallel ranks of tp " +
        std::to_string(shape.tp) + ", got " + std::to_string(ep)};

  const int64_t meshShape[] = {ep, shape.tp};
  auto makePlan =
      [&](unsigned axis,
          cost::CollectiveKind kind) -> cost::Result<cost::CollectivePlan> {
    auto groups = cost::RankGroups::fromMesh(meshShape, std::span(&axis, 1));
    if (!groups)
      return groups.getFailure();
    return cost::CollectivePlan::create(machine, *groups, kind);
  };
  auto allToAll = makePlan(0, cost::CollectiveKind::AllToAll);
  if (!allToAll)
    return allToAll.getFailure();
  auto allGather = makePlan(1, cost::CollectiveKind::AllGather);
  if (!allGather)
    return allGather.getFailure();
  auto reduceScatter = makePlan(1, cost::CollectiveKind::ReduceScatter);
  if (!reduceScatter)
    return reduceScatter.getFailure();
  if (ep > 1 && shape.tp > 1 &&
      allToAll->getResource() == allGather->getResource())
    return cost::Failure{
        "platform '" + machine.name + "': expected all-to-alls over " +
        std::to_string(ep) + " expert-parallel ranks and collectives over " +
        std::to_string(shape.tp) +
        " tensor-parallel ranks on links of their own, got both " +
        (allToAll->getResource() == cost::Resource::Inter
             ? "beyond level '"
             : "inside of level '") +
        machine.levels.front().name + "' of " +
        std::to_string(machine.levels.front().ranks) + " ranks"};

  MachinePhase phase(machine, getLayerWork(shape, which), ep,
                     std::move(*allToAll), std::move(*allGather),
                     std::move(*reduceScatter));
  // The busiest rank determines the end of all ranks.
  phase.work.allToAllElements *= skew.exchange;
  phase.work.gatheredElements *= skew.load;
  phase.work.macs *= skew.load;
  phase.allToAllBytes = cost::Elements(phase.work.allToAllElements) * element;
  phase.gatheredBytes = cost::Elements(phase.work.gatheredElements) * element;
  ChunkTimes whole = phase.getTimes(1);
  for (double us : {whole.dispatchUs, whole.allGatherUs, whole.expertsUs,
                    whole.reduceScatterUs})
    if (!(us <= kMaxDurationUs))
      return cost::Failure{"expected operations of at most 1e15 us, got " +
                           cost::toText(us)};

  auto exchange = findLine(machine, phase.allToAll, phase.allToAllBytes);
  auto gather = findLine(machine, phase.allGather, phase.gatheredBytes);
  auto scatter = findLine(machine, phase.reduceScatter, phase.gatheredBytes);
  if (exchange && gather && scatter &&
      machine.pipelineStall.value.value() == 0) {
    double alphaUs = double(phase.work.gemms) * machine.gemm->alpha.value();
    LinearPhase linear;
    linear.dispatch = linear.combine = *exchange;
    linear.allGather = *gather;
    linear.reduceScatter = *scatter;
    linear.experts = {alphaUs, whole.expertsUs - alphaUs};
    phase.linear = linear;
  }
  return phase;
}

ChunkTimes MachinePhase::getTimes(double share) const {
  double stallUs = share < 1 ? machine->pipelineStall.value.value() : 0;
  ChunkTimes chunk;
  chunk.dispatchUs = chunk.combineUs =
      stallUs + allToAll.getTime(allToAllBytes * share).value();
  chunk.allGatherUs =
      stallUs + allGather.getTime(gatheredBytes * share).value();
  chunk.reduceScatterUs =
      stallUs + reduceScatter.getTime(gatheredBytes * share).value();
  chunk.expertsUs =
      stallUs + cost::getGemmTime(*machine->gemm, cost::Macs(work.macs * share),
                                  work.gemms)
                    .value();
  return chunk;
}

bool MachinePhase::isExtrapolated(double share) const {
  return allToAll.isExtrapolated(allToAllBytes * share) ||
         allGather.isExtrapolated(gatheredBytes * share) ||
         reduceScatter.isExtrapolated(gatheredBytes * share);
}

int64_t MachinePhase::getMaxDegree(int64_t most) const {
  double least = machine->minimumMessage.value.value();
  int64_t degree = 1;
  while (degree < most &&
         !cost::isTooSmall(allToAllBytes.value() / double(degree + 1), least))
    ++degree;
  return degree;
}

int64_t MachinePhase::getLeastParts(int64_t granularity) const {
  double least = machine->minimumMessage.value.value();
  int64_t parts = 1;
  while (parts < granularity &&
         cost::isTooSmall(allToAllBytes.value() * double(parts) /
                              double(granularity),
                          least))
    ++parts;
  return parts;
}
