// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One phase of one MoE layer.
//
// The forward or the backward pass of an MoE layer as FSMoE sees it (SPEC FS-1
// to FS-3): its tokens are cut into chunks, and each chunk passes dispatch,
// all-gather, experts, reduce-scatter and combine. All-to-alls share one
// stream, collectives inside nodes another, experts a third.

#ifndef MOE_SCHEDULE_LAYERPHASE_H
#define MOE_SCHEDULE_LAYERPHASE_H

#include <cstdint>
#include <optional>
#include <span>

namespace moe::schedule {

/// Times of one chunk's operations, in us, each with nothing beside it.
struct ChunkTimes {
  double dispatchUs = 0, allGatherUs = 0, expertsUs = 0, reduceScatterUs = 0,
         combineUs = 0;

  friend bool operator==(const ChunkTimes &, const ChunkTimes &) = default;
};

/// How long a phase's operations take.
class LayerPhase {
public:
  virtual ~LayerPhase();

  /// Times of a chunk that holds `share` of the phase's tokens, 0 < share <= 1;
  /// finite and at least 0.
  virtual ChunkTimes getTimes(double share) const = 0;
};

/// Time of an operation on a share of the work: `alphaUs + share * slopeUs`
/// (SPEC FS-1 with r chunks of share 1/r). Both are at least 0.
struct LinearTime {
  double alphaUs = 0, slopeUs = 0;

  double getUs(double share) const { return alphaUs + share * slopeUs; }
};

/// A phase whose operations all have linear times.
class LinearPhase final : public LayerPhase {
public:
  LinearTime dispatch, allGather, experts, reduceScatter, combine;

  ChunkTimes getTimes(double share) const override {
    return {dispatch.getUs(share), allGather.getUs(share), experts.getUs(share),
            reduceScatter.getUs(share), combine.getUs(share)};
  }
};

/// The sizes of an MoE layer that its work depends on (SPEC 0, FS-2), all >= 1
/// but the capacity factor, which is above 0.
struct LayerShape {
  int64_t microBatch = 1, seqLen = 1, hidden = 1, ffnHidden = 1, topK = 1;
  /// Slots of an expert over its even share of tokens; none means no limit,
  /// which for the work is 1 (SPEC FS-6).
  std::optional<double> capacityFactor;
  /// GEMMs of an expert: 2 for a GPT FFN, 3 for Mixtral's.
  int64_t gemms = 2;
  /// Ranks among which the tokens of a node are split (N_MP), and an expert's
  /// FFN dim (N_ESP), which divides them.
  int64_t tp = 1, esp = 1;
};

/// What one rank moves and computes in a phase of a layer, whole.
struct LayerWork {
  /// Of each of the two all-to-alls, and of the all-gather's result and the
  /// reduce-scatter's operand.
  double allToAllElements = 0, gatheredElements = 0;
  /// Multiply-accumulates of the experts, and the GEMMs they are done in.
  double macs = 0;
  int64_t gemms = 0;
};

enum class TrainingPhase : uint8_t { Forward, Backward };

/// SPEC FS-2: with T = k f B L M elements, the all-to-alls move T / N_MP, the
/// collectives inside a node T, and the experts compute T H / N_ESP for each
/// GEMM; backward they compute twice as much, for tokens and for weights.
LayerWork getLayerWork(const LayerShape &shape, TrainingPhase phase);

/// When the last combine of chunks ends that run in FSMoE's order (SPEC FS-3):
/// one stream runs all dispatches, then an all-reduce of gradients that takes
/// `gradientUs` (none when 0), then all combines; another all all-gathers, then
/// all reduce-scatters; a third the experts. Exact for any chunks, in time
/// linear in their number; 0 without chunks.
double getFixedOrderUs(std::span<const ChunkTimes> chunks, double gradientUs);

/// The same for `degree` >= 1 equal chunks.
double getFixedOrderUs(const ChunkTimes &chunk, int64_t degree,
                       double gradientUs);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_LAYERPHASE_H
