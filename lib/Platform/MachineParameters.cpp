// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists a machine's parameters with their origins.

#include "moe/Platform/MachineParameters.h"
#include "moe/Cost/FormatNumber.h"

using namespace moe;

std::string moe::platform::describeUncertainty(const cost::Machine &machine) {
  return "the platform's uncertainty of " +
         cost::formatFixed(100 * machine.uncertainty.value, 1) + " %";
}

std::vector<std::vector<std::string>>
moe::platform::listParameters(const cost::Machine &machine) {
  std::vector<std::vector<std::string>> rows;
  auto add = [&](std::string name, const std::string &value,
                 const std::string &origin) {
    rows.push_back({std::move(name), value, origin});
  };
  auto curve = [&](const cost::EfficiencyCurve &efficiency) {
    const auto &points = efficiency.getPoints();
    std::string text = cost::toText(points.front().ratio);
    if (points.size() > 1)
      text += " to " + cost::toText(points.back().ratio) + ", " +
              std::to_string(points.size()) + " points from " +
              cost::toText(points.front().bytes) + " to " +
              cost::toText(points.back().bytes) + " bytes";
    return text;
  };
  for (const cost::Level &level : machine.levels) {
    add(level.name + " ranks", std::to_string(level.ranks), level.origin);
    add(level.name + " bandwidth",
        cost::toText(level.bandwidth.value()) + " GB/s per " +
            (level.ranksPerNic == 1
                 ? "rank"
                 : std::to_string(level.ranksPerNic) + " ranks"),
        level.origin);
    if (level.portRate)
      add(level.name + " port",
          cost::toText(level.portRate->value()) + " GB/s",
          level.portOrigin);
    add(level.name + " latency",
        cost::toText(level.getCountedLatency().value()) + " us",
        level.latencyOrigin);
    if (!level.efficiency.isEmpty())
      add(level.name + " efficiency", curve(level.efficiency),
          level.efficiencyOrigin);
    for (unsigned kind = 0; kind < cost::kNumCollectiveKinds; ++kind)
      if (const std::optional<cost::CollectiveFit> &fit = level.fits[kind]) {
        auto addLine = [&](const cost::CollectiveFit &line) {
          add(level.name + " " +
                  std::string(cost::getName(cost::CollectiveKind(kind))) +
                  (fit->others.empty()
                       ? ""
                       : " of " + std::to_string(*line.groupRanks)) +
                  (line.ranksTogether
                       ? ", " + std::to_string(*line.ranksTogether) +
                             " together"
                       : ""),
              cost::toText(line.alpha.value()) + " us + " +
                  cost::toText(line.beta.value()) + " us/byte",
              line.origin);
        };
        addLine(*fit);
        for (const cost::CollectiveFit &other : fit->others)
          addLine(other);
      }
    for (const cost::StepProtocol &protocol : level.protocols)
      add(level.name + " " + std::string(cost::getName(protocol.algorithm)) +
              ", " + protocol.name,
          cost::toText(protocol.start.value()) + " us + " +
              cost::toText(protocol.step.value()) + " us/step, " +
              cost::toText(protocol.innerStep.value()) + " inside",
          level.protocolsOrigin);
  }
  if (machine.copy) {
    add("copy bandwidth",
        cost::toText(machine.copy->bandwidth.value()) + " GB/s",
        machine.copy->origin);
    add("copy latency",
        cost::toText(machine.copy->latency.value()) + " us",
        machine.copy->origin);
    if (!machine.copy->efficiency.isEmpty())
      add("copy efficiency", curve(machine.copy->efficiency),
          machine.copy->efficiencyOrigin);
  }
  add("minimum message",
      cost::toText(machine.minimumMessage.value.value()) + " bytes",
      machine.minimumMessage.origin);
  add("pipeline stall",
      cost::toText(machine.pipelineStall.value.value()) + " us",
      machine.pipelineStall.origin);
  add("uncertainty", cost::toText(machine.uncertainty.value),
      machine.uncertainty.origin);
  for (const cost::ContentionFactor &entry : machine.contention)
    add(std::string(cost::getName(entry.slowed)) + " beside " +
            std::string(cost::getName(entry.by)),
        cost::toText(entry.factor) + " times as long", entry.origin);
  return rows;
}

std::vector<std::vector<std::string>>
moe::platform::listLayerParameters(const cost::Machine &machine) {
  std::vector<std::vector<std::string>> rows = listParameters(machine);
  if (machine.gemm) {
    rows.push_back({"GEMM",
                    cost::toText(machine.gemm->alpha.value()) + " us",
                    machine.gemm->origin});
    rows.push_back({"multiply-accumulate",
                    cost::toText(machine.gemm->beta.value()) + " us",
                    machine.gemm->origin});
  }
  return rows;
}
