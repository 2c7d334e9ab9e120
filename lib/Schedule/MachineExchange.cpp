// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of an all-to-all on a machine.

#include "moe/Schedule/MachineExchange.h"
#include "moe/Schedule/Resources.h"

#include <cmath>

using namespace moe;
using namespace moe::schedule;

cost::Result<MachineExchange>
MachineExchange::create(const cost::Machine &machine, cost::Bytes buffer,
                        int64_t ep, int64_t tp) {
  if (!(buffer.value() > 0) || !std::isfinite(buffer.value()))
    return cost::Failure{"expected a finite number of bytes above 0, got " +
                         std::to_string(buffer.value())};
  if (ep < 1 || tp < 1)
    return cost::Failure{"expected degrees of parallelism of at least 1, got "
                         "ep " +
                         std::to_string(ep) + " and tp " + std::to_string(tp)};
  // The check divides because the product may overflow.
  if (ep > machine.getNumRanks() / tp)
    return cost::Failure{
        "expected a machine of at least ep * tp = " + std::to_string(ep) +
        " * " + std::to_string(tp) + " ranks, got '" + machine.name +
        "' with " + std::to_string(machine.getNumRanks())};
  const int64_t shape[] = {ep, tp};
  auto makePlan =
      [&](unsigned axis,
          cost::CollectiveKind kind) -> cost::Result<cost::CollectivePlan> {
    auto groups = cost::RankGroups::fromMesh(shape, std::span(&axis, 1));
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
  return MachineExchange(machine, buffer, ep, tp, std::move(*allToAll),
                         std::move(*allGather));
}

double MachineExchange::getBaselineUs() const {
  // Every tensor-parallel rank sends the whole buffer.
  return allToAll.getTime(buffer).value();
}

StageTimes MachineExchange::getStageTimes(int64_t chunks,
                                          Strategy strategy) const {
  StageTimes stages;
  stages.allToAllUs = allToAll.getTime(getAllToAllBytes(chunks)).value();
  stages.allGatherUs = allGather.getTime(getAllGatherBytes(chunks)).value();
  if (machine->copy)
    stages.copyUs =
        cost::getCopyTime(*machine->copy, getAllGatherBytes(chunks)).value();
  if (chunks > 1) {
    double stallUs = machine->pipelineStall.value.value();
    stages.allToAllUs += stallUs;
    stages.allGatherUs += stallUs;
    stages.copyUs += stallUs;
  }
  return stages;
}

bool MachineExchange::isExtrapolated(Strategy strategy, int64_t chunks) const {
  if (strategy == Strategy::Baseline)
    return allToAll.isExtrapolated(buffer);
  return allToAll.isExtrapolated(getAllToAllBytes(chunks)) ||
         allGather.isExtrapolated(getAllGatherBytes(chunks)) ||
         (strategy != Strategy::O1 && machine->copy &&
          cost::isCopyExtrapolated(*machine->copy, getAllGatherBytes(chunks)));
}

double MachineExchange::getMessageBytes(int64_t chunks) const {
  // The all-gather's I/N is never smaller.
  return getAllToAllBytes(chunks).value();
}

StageResources MachineExchange::getResources() const {
  return {getResourceId(allToAll.getResource()),
          getResourceId(allGather.getResource()),
          getResourceId(cost::Resource::Copy)};
}

Contention MachineExchange::getContention() const {
  return schedule::getContention(*machine);
}

std::string MachineExchange::getWhyNot(Strategy strategy) const {
  if (strategy == Strategy::Baseline)
    return "";
  if (ep == 1)
    return "nothing to exchange: one expert-parallel rank";
  if (tp == 1)
    return "no copies to drop: one tensor-parallel rank";
  if (strategy != Strategy::O1 && !machine->copy)
    return "chunks cannot be put in place: '" + machine->name +
           "' states no bandwidth of copies";
  return "";
}
