// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job's layers and their gradients.

#include "JobNetwork.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

Result<std::vector<JobLayer>>
moe::plan::listJobLayers(const PlannedJob &job, const cost::Machine &machine) {
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
  // What lies in front of an MoE layer: an attention for it and for each dense
  // layer, and their networks.
  auto addDense = [&](JobLayer &layer, const std::optional<DenseCost> &part,
                      int64_t count) {
    if (!part)
      return;
    layer.gradientElements += count * part->parameters;
    layer.denseUs += double(count) * (getUs(part->dgrad) + getUs(part->wgrad));
  };
  int64_t besideExperts =
      config.hiddenSize * config.numExperts +
      config.getNumMatrices() * config.hiddenSize * layout.localSharedFFNSize;
  std::vector<JobLayer> layers(size_t(layout.stageLayers) + 1);
  for (int64_t i = 0; i < layout.stageLayers; ++i) {
    int64_t before = config.moeLayers[size_t(i)] -
                     (i > 0 ? config.moeLayers[size_t(i - 1)] + 1 : 0);
    JobLayer &layer = layers[size_t(i)];
    addDense(layer, layout.attention, before + 1);
    addDense(layer, layout.projections, before + 1);
    addDense(layer, layout.denseFFN, before);
    layer.gradientElements += besideExperts;
    layers[size_t(i) + 1].hasMoE = true;
  }
  return layers;
}

Result<cost::RankGroups> moe::plan::getGradientGroups(const PlannedJob &job) {
  const Layout &layout = job.layout;
  std::vector<unsigned> axes;
  for (auto [i, axis] : enumerate(layout.axes))
    if (is_contained({"dp", "cp", "ep"}, axis))
      axes.push_back(unsigned(i));
  return cost::RankGroups::fromMesh(layout.shape, axes);
}
