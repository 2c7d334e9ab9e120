// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout in the flags of a framework.

#include "moe/Planning/JobFlags.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::schedule;

FrameworkJob moe::planning::getFrameworkJob(const SweepQuestion &question,
                                            const SweepLayout &layout) {
  FrameworkJob job;
  job.options = layout.options;
  job.dataRanks = layout.options.dp * getDegrees(layout.options).getAxisEp();
  if (question.statesBatch)
    job.microBatches = layout.microBatches;
  job.zero = int64_t(question.zero);
  job.gradientBytes = question.stateBytes.gradient;
  job.optimizerBytes = question.stateBytes.optimizer;
  job.precision = question.quantization.precision;
  job.keepsQuantizedWeights = question.quantization.keepsWeights;
  job.recomputes = layout.recompute == Recompute::Layers;
  if (layout.recompute == Recompute::Selective)
    job.recomputedModules = listModules(layout.modules);
  for (const LayerCount &piece : layout.pieces)
    job.pieces.push_back(piece.getAll());
  job.pipelineLayout = question.pipelineLayout;
  job.mtpLayers = question.mtpLayers;
  if (!layout.stated.empty()) {
    job.mtpLayers = 0;
    for (const estimate::Piece &piece : layout.stated)
      job.mtpLayers += piece.furtherTokens;
  }
  job.overlap = estimate::getName(layout.overlap);
  return job;
}

FrameworkJob
moe::planning::getTimedFrameworkJob(const SweepQuestion &question,
                                    const SweepLayout &layout,
                                    StringRef dispatcher) {
  FrameworkJob job = getFrameworkJob(question, layout);
  job.microBatches = layout.microBatches;
  job.dispatcher = dispatcher.str();
  // The prediction assumes that sums overlap the last backward pass.
  job.hidesSums = question.zero != ZeroStage::Parameters;
  job.fullGraph = question.ways.fullGraph;
  job.isTimed = true;
  return job;
}

JobFlags moe::planning::writeJobFlags(ParallelismPreset framework,
                                      const ModelConfig &config,
                                      const FrameworkJob &job) {
  JobFlags written;
  std::string problem = checkFrameworkLayout(framework, config, job.options);
  Result<std::string> flags = problem.empty()
                                  ? writeFrameworkFlags(framework, job)
                                  : cost::Failure{problem};
  written.flags = flags ? *flags : "none: " + flags.getError();
  written.framework =
      getFrameworkRelease(framework, config, job.options, written.flags);
  return written;
}
