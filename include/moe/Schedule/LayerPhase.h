// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One phase of one MoE layer.
//
// FSMoE's model of the forward or backward pass of an MoE layer (SPEC FS-1 to
// FS-3): the tokens are cut into chunks, and each chunk passes dispatch,
// all-gather, experts, reduce-scatter and combine. All-to-alls share one
// stream, collectives inside nodes another, and experts a third.

#ifndef MOE_SCHEDULE_LAYERPHASE_H
#define MOE_SCHEDULE_LAYERPHASE_H

#include <cstdint>
#include <optional>
#include <span>

namespace moe::schedule {

/// Times of one chunk's operations in us, without concurrent work.
struct ChunkTimes {
  double dispatchUs = 0, allGatherUs = 0, expertsUs = 0, reduceScatterUs = 0,
         combineUs = 0;

  friend bool operator==(const ChunkTimes &, const ChunkTimes &) = default;
};

/// The times of a phase's operations.
class LayerPhase {
public:
  virtual ~LayerPhase();

  /// Returns the times for a share of the phase's tokens, 0 < share <= 1. They
  /// are finite and at least 0.
  virtual ChunkTimes getTimes(double share) const = 0;
};

/// The time of an operation on a share of the work: `alphaUs + share * slopeUs`
/// (SPEC FS-1 with r chunks of share 1/r). Both are at least 0.
struct LinearTime {
  double alphaUs = 0, slopeUs = 0;

  double getUs(double share) const { return alphaUs + share * slopeUs; }
};

/// A phase with linear times of all operations.
class LinearPhase final : public LayerPhase {
public:
  LinearTime dispatch, allGather, experts, reduceScatter, combine;

  ChunkTimes getTimes(double share) const override {
    return {dispatch.getUs(share), allGather.getUs(share), experts.getUs(share),
            reduceScatter.getUs(share), combine.getUs(share)};
  }
};

/// The sizes of an MoE layer that determine its work (SPEC 0, FS-2). All are >=
/// 1 except the capacity factor, which is above 0.
struct LayerShape {
  int64_t microBatch = 1, seqLen = 1, hidden = 1, ffnHidden = 1, topK = 1;
  /// Slots per expert relative to its even share of tokens; nullopt means no
  /// limit, which counts as 1 for the work (SPEC FS-6).
  std::optional<double> capacityFactor;
  /// Number of GEMMs per expert: 2 for a GPT FFN, 3 for Mixtral's.
  int64_t gemms = 2;
  /// Number of ranks that share the tokens of their node (N_MP), and number of
  /// ranks that share the FFN dim of one expert (N_ESP), which divides the
  /// former.
  int64_t tp = 1, esp = 1;
};

/// Communication and compute of one rank in a phase of a whole layer.
struct LayerWork {
  /// Elements of each of the two all-to-alls, and of the all-gather's result
  /// and the reduce-scatter's operand.
  double allToAllElements = 0, gatheredElements = 0;
  /// Multiply-accumulates of the experts, and the number of their GEMMs.
  double macs = 0;
  int64_t gemms = 0;
};

enum class TrainingPhase : uint8_t { Forward, Backward };

/// Computes SPEC FS-2: with T = k f B L M elements, the all-to-alls move T /
/// N_MP, the collectives inside nodes T, and the experts compute T H / N_ESP
/// for each GEMM. The backward pass computes twice as much, for tokens and for
/// weights.
LayerWork getLayerWork(const LayerShape &shape, TrainingPhase phase);

/// Returns when the last combine ends if chunks run in FSMoE's order (SPEC
/// FS-3). One stream runs all dispatches, then a gradient all-reduce of
/// `gradientUs` (none if 0), then all combines. Another runs all all-gathers,
/// then all reduce-scatters; a third runs the experts. Exact for any chunks, in
/// time linear in their number; 0 without chunks.
double getFixedOrderUs(std::span<const ChunkTimes> chunks, double gradientUs);

/// The same for `degree` >= 1 equal chunks.
double getFixedOrderUs(const ChunkTimes &chunk, int64_t degree,
                       double gradientUs);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_LAYERPHASE_H
