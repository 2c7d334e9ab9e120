// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps of whole clusters.
//
// A training step of mFabric's models on TP x EP x PP x DP ranks, where tp
// varies fastest. The ranks that exchange tokens form a region, which is tp *
// ep consecutive ranks. Compute times follow from a data sheet (SPEC MF-15),
// and exchanges from their flows on the fabric, for all regions at once.

#ifndef MOE_CIRCUITS_PLANNING_CLUSTERJOB_H
#define MOE_CIRCUITS_PLANNING_CLUSTERJOB_H

#include "moe/Fabric/NetworkExchange.h"
#include "moe/Planning/Planner.h"
#include "moe/Support/EnumNames.h"

namespace moe::planning {

/// A model and its parallelism (mFabric, Table 1 and section 7.1).
struct JobModel {
  std::string name;
  int64_t layers = 0, hidden = 0, expertHidden = 0, experts = 0, topK = 0;
  /// Hidden units of experts that process every token.
  int64_t sharedHidden = 0;
  int64_t ep = 1, tp = 1, pp = 1, microBatch = 1;
  int64_t tokens = 4096;

  int64_t getRegionRanks() const { return ep * tp; }
};

const std::vector<JobModel> &listJobModels();

/// Policies for the circuits of the first forward exchange per layer (SPEC
/// MF-21). Changes for the other three exchanges overlap with compute.
enum class JobPolicy : uint8_t {
  /// After the gate; the exchange waits for the change.
  Block,
  /// The first exchange uses the circuits of the previous layer.
  Keep,
  /// The faster of these two for each layer.
  Layer,
  /// The policy among `Layer`, `Predict` and `Once` with the shortest step.
  Auto,
  /// The first exchange uses circuits for the layer's demand in the previous
  /// step, changed during attention.
  Predict,
  /// The first exchange uses random circuits, changed in the same way.
  Random,
  /// One plan for all layers.
  Once
};

/// Placement of a region's expert-parallel ranks (SPEC MF-18).
enum class JobPlacement : uint8_t {
  /// On as few servers as possible.
  Dense,
  /// Each on a separate server, which it shares with ranks of other regions.
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
  /// A multiple of the size of one replica.
  int64_t gpus = 0;
  fabric::FabricOptions fabric;
  JobPolicy policy = JobPolicy::Auto;
  JobPlacement placement = JobPlacement::Dense;
  /// Returns the number of consecutive servers with whole groups of expert
  /// parallelism.
  int64_t countGroupServers() const {
    return placement == JobPlacement::Spread
               ? model.ep
               : (model.getRegionRanks() + fabric.serverRanks - 1) /
                     fabric.serverRanks;
  }
  int64_t microBatches = 16, virtualStages = 1;
  /// If set, gradient all-reduces overlap with the last micro-batch's backward
  /// passes; otherwise, all of them follow.
  bool sumsBeside = true;
  /// Dense TFLOP/s per GPU, and the fraction of it that is reached.
  double peakTflops = 312, utilisation = 0.45;
  /// Bytes per microsecond and GPU inside servers.
  double insideRate = 900e3;
  double changeUs = 25000;
  /// The weight of the expert at position p is p to the power of minus this;
  /// positions are drawn per layer.
  double exponent = 0.5;
  /// If set, each replica draws its own demands; otherwise, all share the first
  /// one's.
  bool hasOwnDemands = false;
  uint64_t seed = 0;
  /// Recorded expert shares by step and layer instead of drawn ones. The
  /// model's layers cycle through the layers of the trace. Each step is
  /// simulated.
  std::vector<std::vector<std::vector<double>>> recorded;
};

/// Times of one step, or the mean over several steps; sums are for the busiest
/// stage.
struct JobTime {
  double stepUs = 0, worstUs = 0;
  /// Times per micro-batch on the slowest stage: work, exchanges, and exposed
  /// changes.
  double computeUs = 0, exchangeUs = 0, changeUs = 0;
  /// Sends between stages, and gradient all-reduces: total time, and the
  /// exposed part after the last pass.
  double sendUs = 0, gradientUs = 0, exposedUs = 0;
  int64_t exchanges = 0, flows = 0, parts = 0, simulatedParts = 0;
  /// The policy chosen by `JobPolicy::Auto`, otherwise the policy from the
  /// options.
  JobPolicy policy = JobPolicy::Layer;
};

/// Simulates one step. A failure has the option and its expected values.
Result<JobTime> simulateJob(const ClusterJobOptions &options,
                            const fabric::FlowProgress &progress = {});

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_CLUSTERJOB_H
