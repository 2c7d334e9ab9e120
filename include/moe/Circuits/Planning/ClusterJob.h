// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps of whole clusters.
//
// A training step of mFabric's models on TP x EP x PP x DP ranks, tp the
// fastest: a region, whose ranks exchange tokens, is tp * ep consecutive ranks.
// Compute follows from a data sheet (SPEC MF-15), exchanges from their flows on
// the fabric, all regions at once.

#ifndef MOE_CIRCUITS_PLANNING_CLUSTERJOB_H
#define MOE_CIRCUITS_PLANNING_CLUSTERJOB_H

#include "moe/Fabric/NetworkExchange.h"
#include "moe/Planning/Planner.h"
#include "moe/Support/EnumNames.h"

namespace moe::planning {

/// A model and how its training is spread (mFabric, Table 1 and section 7.1).
struct JobModel {
  std::string name;
  int64_t layers = 0, hidden = 0, expertHidden = 0, experts = 0, topK = 0;
  /// Hidden units of experts that every token goes through.
  int64_t sharedHidden = 0;
  int64_t ep = 1, tp = 1, pp = 1, microBatch = 1;
  int64_t tokens = 4096;

  int64_t getRegionRanks() const { return ep * tp; }
};

/// The models there are.
const std::vector<JobModel> &listJobModels();

/// When circuits change for a layer's first exchange forward (SPEC MF-21);
/// those of the other three are changed beside work.
enum class JobPolicy : uint8_t {
  /// Behind the gate, waited for.
  Block,
  /// The first goes over the circuits of the layer before.
  Keep,
  /// Of each layer whichever of these is faster.
  Layer,
  /// Whichever of `Layer`, `Predict` and `Once` has the shortest step.
  Auto,
  /// The first goes over circuits for what the layer sent at the step before,
  /// changed beside attention.
  Predict,
  /// The first goes over circuits that are drawn, changed in the same way.
  Random,
  /// One plan for all layers.
  Once
};

/// Where a region's expert-parallel ranks are (SPEC MF-18).
enum class JobPlacement : uint8_t {
  /// On as few servers as hold them.
  Dense,
  /// Each on a server of its own, beside those of other regions.
  Spread
};

} // namespace moe::planning

template <> struct moe::EnumNames<moe::planning::JobPolicy> {
  using JobPolicy = planning::JobPolicy;
  static constexpr EnumName<JobPolicy> all[] = {
      {JobPolicy::Auto, "auto",
       "the fastest of layer, predict (with --traffic) and once (default)"},
      {JobPolicy::Layer, "layer", "the faster of block and keep, per layer"},
      {JobPolicy::Block, "block", "reconfigure after the gate and wait"},
      {JobPolicy::Keep, "keep", "keep the circuits of the previous layer"},
      {JobPolicy::Predict, "predict",
       "use circuits for the layer's traffic of the previous iteration "
       "(--traffic)"},
      {JobPolicy::Random, "random", "use random circuits, for comparison"},
      {JobPolicy::Once, "once", "plan circuits once for all layers"}};
};

template <> struct moe::EnumNames<moe::planning::JobPlacement> {
  using JobPlacement = planning::JobPlacement;
  static constexpr EnumName<JobPlacement> all[] = {
      {JobPlacement::Dense, "dense", "on as few servers as hold it (default)"},
      {JobPlacement::Spread, "spread", "one rank per server"}};
};

namespace moe::planning {

struct ClusterJobOptions {
  JobModel model;
  /// A multiple of what one replica takes.
  int64_t gpus = 0;
  fabric::FabricOptions fabric;
  JobPolicy policy = JobPolicy::Auto;
  JobPlacement placement = JobPlacement::Dense;
  /// Consecutive servers with whole groups of expert parallelism.
  int64_t countGroupServers() const {
    return placement == JobPlacement::Spread
               ? model.ep
               : (model.getRegionRanks() + fabric.serverRanks - 1) /
                     fabric.serverRanks;
  }
  int64_t microBatches = 16, virtualStages = 1;
  /// Sums of gradients run beside the last micro-batch's backward passes, or
  /// all of them behind.
  bool sumsBeside = true;
  /// Dense TFLOP/s of a GPU, and the share of them that is reached.
  double peakTflops = 312, utilisation = 0.45;
  /// Bytes a microsecond of a GPU inside of its server.
  double insideRate = 900e3;
  double changeUs = 25000;
  /// Experts get the place to the power of minus this, places drawn by layer.
  double exponent = 0.5;
  /// Each replica draws its own, or all have those of the first.
  bool hasOwnDemands = false;
  uint64_t seed = 0;
  /// In place of drawn ones: shares of experts by step and layer, layers of the
  /// model taking those of the trace in turn. Each step is simulated.
  std::vector<std::vector<std::vector<double>>> recorded;
};

/// What a step takes, of several the mean; of what is summed up, the busiest
/// stage's.
struct JobTime {
  double stepUs = 0, worstUs = 0;
  /// Of one micro-batch on the slowest stage: work, exchanges, changes that
  /// nothing hides.
  double computeUs = 0, exchangeUs = 0, changeUs = 0;
  /// From stage to stage, and sums of gradients: all of them, and what of them
  /// is behind the last pass.
  double sendUs = 0, gradientUs = 0, exposedUs = 0;
  int64_t exchanges = 0, flows = 0, parts = 0, simulatedParts = 0;
  /// What `JobPolicy::Auto` took, else that of the options.
  JobPolicy policy = JobPolicy::Layer;
};

/// Simulates one step. The failure says what was expected of which option.
Result<JobTime> simulateJob(const ClusterJobOptions &options,
                            const fabric::FlowProgress &progress = {});

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_CLUSTERJOB_H
