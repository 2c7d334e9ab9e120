// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job's layers and their gradients.

#include "JobNetwork.h"
#include "moe/Planning/Answers.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;

Result<std::vector<JobLayer>>
moe::planning::listJobLayers(const PlannedJob &job,
                             const cost::Machine &machine) {
  if (!machine.gemm)
    return makeFailure("--platform: expected a platform that states "
                       "gemm_alpha_us and gemm_beta_us_per_mac, got " +
                       machine.name);
  const Layout &layout = job.layout;
  const ModelConfig &config = job.config;
  auto getUs = [&](const GemmCount &count) {
    return cost::getGemmTime(*machine.gemm, cost::Macs(double(count.macs)),
                             count.gemms)
        .value();
  };
  auto addDense = [&](JobLayer &layer, const DenseCost &part) {
    layer.gradientElements += part.parameters;
    layer.denseUs += getUs(part.dgrad) + getUs(part.wgrad);
  };
  int64_t besideExperts =
      config.hiddenSize * config.getScoredExperts() +
      config.getNumMatrices() * config.hiddenSize * layout.localSharedFFNSize;
  std::vector<JobLayer> layers(size_t(layout.stageLayers) + 1);
  for (int64_t i = 0; i < layout.stageLayers; ++i) {
    // The dense parts of this MoE layer and of the dense layers before it.
    JobLayer &layer = layers[size_t(i)];
    for (int64_t at = i > 0 ? config.moeLayers[size_t(i - 1)] + 1 : 0;
         layout.attention && at <= config.moeLayers[size_t(i)]; ++at) {
      LayerParts parts = config.getParts(at);
      const AttentionCost &attention = layout.getAttention(parts);
      for (bool isAttention : parts.listInOrder()) {
        addDense(layer, isAttention ? attention.cost : *layout.denseFFN);
        if (isAttention && attention.projections)
          addDense(layer, *attention.projections);
      }
    }
    layer.gradientElements += besideExperts;
    if (layout.latentProjection)
      for (int projection = 0; projection < 2; ++projection)
        addDense(layer, *layout.latentProjection);
    layers[size_t(i) + 1].hasMoE = true;
  }
  return layers;
}

Result<cost::RankGroups>
moe::planning::getGradientGroups(const PlannedJob &job) {
  const Layout &layout = job.layout;
  std::vector<unsigned> axes;
  for (auto [i, axis] : enumerate(layout.axes))
    if (is_contained({"dp", "cp", "ep"}, axis))
      axes.push_back(unsigned(i));
  return cost::RankGroups::fromMesh(layout.shape, axes);
}
