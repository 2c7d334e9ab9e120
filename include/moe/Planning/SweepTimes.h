// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicted times of layouts.

#ifndef MOE_PLANNING_SWEEPTIMES_H
#define MOE_PLANNING_SWEEPTIMES_H

#include "moe/Dialect/MoE/PlanEnums.h"
#include "moe/Planning/SweepLayouts.h"
#include "moe/Platform/Load.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace moe::planning {

/// Times of a program for one micro-batch, as moe-sim predicts them.
struct StepTimes {
  /// Forward pass and remainder, without stage sends and without gradient
  /// all-reduces, which run once per step.
  double forwardUs = 0, backwardUs = 0;
  /// Time to send to the next stage, and time that gradient all-reduces add.
  double sendUs = 0, endUs = 0;
  /// Time of the gradient all-reduces, including their overlap with the
  /// backward pass, on the stream with most of them.
  double sumUs = 0;
  /// Time of the passes along the critical path, by task name.
  std::map<std::string, double> pathUs;
  /// Time during which ranks compute on at least one stream.
  double computeUs = 0;
  /// The variant that layers were timed in ("nodes"), separately for forward
  /// and backward if they differ; empty if a schedule of the whole step
  /// decides.
  std::string form;
  /// True if tokens are sent once per node.
  bool onceANode = false;

  double getPassesUs() const { return forwardUs + backwardUs; }
};

/// Times of a layout's program: one entry per piece, or a single one if all
/// pieces are alike.
struct LayoutTimes {
  std::vector<StepTimes> pieces;

  const StepTimes &getLongest() const;
};

/// How programs are compiled and timed.
struct StepCompilation {
  /// The value of the platform option.
  std::string platform;
  platform::LoadOptions load;
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// A file of counts for all layers; empty if loads are even.
  std::string traffic;
};

/// Returns the times of all layouts, or the reason that one has none, in the
/// order of `layouts`. Compiles programs with one and with two MoE layers per
/// stage and extrapolates linearly if the following layers are alike; dense
/// layers need one more program. Otherwise compiles the whole program. Uses all
/// cores, and calls `progress` with the number of finished layouts from one
/// thread at a time.
std::vector<cost::Result<LayoutTimes>>
timeLayouts(const ModelConfig &config, llvm::ArrayRef<SweepLayout> layouts,
            const platform::Platform &platform,
            const StepCompilation &compilation,
            llvm::function_ref<void(size_t)> progress);

/// Returns the time, in microseconds, that ranks with sharded weights (ZeRO-3)
/// need to gather them for one pass through some layers, one layer after the
/// other. Callers must subtract the part that compute hides.
cost::Result<double> getGatherUs(const ModelSize &model,
                                 const ImportOptions &options,
                                 const LayerCount &layers,
                                 const cost::Machine &machine);

/// Returns the time, in microseconds, that tensor-parallel ranks with fewer key
/// and value heads need in one pass through some layers to gather the
/// projections of queries, keys and values. Megatron does so in the forward
/// pass, and scatters the gradients in the backward pass.
cost::Result<double> getHeadGatherUs(const ModelSize &model,
                                     const ImportOptions &options,
                                     const LayerCount &layers,
                                     const cost::Machine &machine);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEPTIMES_H
