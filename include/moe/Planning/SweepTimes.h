// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What layouts take.

#ifndef MOE_PLANNING_SWEEPTIMES_H
#define MOE_PLANNING_SWEEPTIMES_H

#include "moe/Dialect/MoE/PlanEnums.h"
#include "moe/Planning/SweepLayouts.h"
#include "moe/Platform/Load.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace moe::planning {

/// What a program takes of one micro-batch, as moe-sim says.
struct StepTimes {
  /// Its forward pass and the rest, without what a stage sends to others and
  /// without sums of gradients, which are made once a step.
  double forwardUs = 0, backwardUs = 0;
  /// What a stage sends to the next one, and what sums of gradients add.
  double sendUs = 0, endUs = 0;
  /// What these sums take, also beside the backward pass: on the stream that
  /// has most of them.
  double sumUs = 0;
  /// Where passes spend it along the critical path, by the names of tasks.
  std::map<std::string, double> pathUs;
  /// How long ranks compute of it, on one stream or on several.
  double computeUs = 0;
  /// The form that layers were timed in, "nodes", forward and backward apart
  /// where these differ; empty where a schedule of the step decides.
  std::string form;
  /// Tokens are sent once to each node.
  bool onceANode = false;

  double getPassesUs() const { return forwardUs + backwardUs; }
};

/// What a layout's program takes: of each piece that its stages hold, one where
/// all are alike.
struct LayoutTimes {
  std::vector<StepTimes> pieces;

  const StepTimes &getLongest() const;
};

/// How programs are compiled and timed.
struct StepCompilation {
  /// As an option takes it.
  std::string platform;
  platform::LoadOptions load;
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// A file of counts that stand for all layers; empty where loads are even.
  std::string traffic;
};

/// The times of all layouts, or why one has none, in their order. Compiles
/// programs of one and of two MoE layers a stage, and goes on in a straight
/// line, where the layers that follow are alike; where stages hold dense
/// layers, one of those, too; the whole program else. Runs on all cores; calls
/// `progress` with how many are done, from one thread at a time.
std::vector<cost::Result<LayoutTimes>>
timeLayouts(const ModelConfig &config, llvm::ArrayRef<SweepLayout> layouts,
            const platform::Platform &platform,
            const StepCompilation &compilation,
            llvm::function_ref<void(size_t)> progress);

/// What ranks that share their weights (ZeRO-3) gather for a pass through some
/// layers of a model, one layer after the other: what is not hidden of it goes
/// beside computing.
cost::Result<double> getGatherUs(const ModelSize &model,
                                 const ImportOptions &options,
                                 const LayerCount &layers,
                                 const cost::Machine &machine);

/// The time that tensor-parallel ranks with fewer heads of keys and values take
/// in one pass through some layers to gather the projections of their queries,
/// keys and values, in microseconds. Megatron does so in the forward pass, and
/// scatters the gradients in the backward pass.
cost::Result<double> getHeadGatherUs(const ModelSize &model,
                                     const ImportOptions &options,
                                     const LayerCount &layers,
                                     const cost::Machine &machine);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEPTIMES_H
