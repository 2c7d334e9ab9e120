// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training step in six schedules.
//
// Predicts the time of a step of a network of generalized layers (see
// GradientPartition.h) as six systems schedule it, and as we do (SPEC FS-11).
// In all of them only all-reduces of gradients overlap the dense parts.
//
// - deepspeed: one operation after the other; all-reduces at the end.
// - tutel: chunks, all collectives on one stream, one degree for both
// directions;
//   all-reduces at the end.
// - tutel-improved: as tutel; a layer's all-reduce overlaps the next dense part
// of
//   the backward pass.
// - lina: as tutel; all-reduces in buckets of a fixed size while links are
// idle.
// - fsmoe-no-iio: chunks, all collectives on one stream, a degree per
// direction;
//   all-reduces partitioned.
// - fsmoe: chunks in the order of SPEC FS-3, a degree per direction;
// all-reduces
//   partitioned.
// - best: chunks in the best order found, a degree per direction; all-reduces
//   partitioned.
//
// "Partitioned" means by `partitionGradients`, which is at least as good as the
// method that FSMoE prints. A stream with all collectives runs, as in Tutel,
// the dispatch and all-gather of each chunk in turn, then the reduce-scatter
// and combine of each chunk.

#ifndef MOE_BENCH_FSMOE_TRAININGSTEP_H
#define MOE_BENCH_FSMOE_TRAININGSTEP_H

#include "moe/Schedule/GradientPartition.h"

#include <optional>
#include <string_view>

namespace moe::schedule {

enum class StepSchedule : uint8_t {
  DeepSpeed,
  Tutel,
  TutelImproved,
  Lina,
  FSMoENoIIO,
  FSMoE,
  Best
};
constexpr size_t kNumStepSchedules = 7;

/// "deepspeed", "tutel", "tutel-improved", "lina", "fsmoe-no-iio", "fsmoe",
/// "best".
const char *getName(StepSchedule schedule);
std::optional<StepSchedule> parseStepSchedule(std::string_view name);

/// A generalized layer of a step: an MoE layer and the dense work before the
/// next one.
struct StepLayer {
  /// Dense work, in us, finite and at least 0.
  double denseForwardUs = 0, denseBackwardUs = 0;
  /// Elements of the dense part's gradient per rank.
  int64_t gradientElements = 0;
  /// The MoE layer; both are set, or neither.
  const LayerPhase *forward = nullptr, *backward = nullptr;
};

struct StepOptions {
  /// Degrees range from 1 to `maxDegree`, which is at least 1.
  int64_t maxDegree = 16;
  /// Elements of lina's buckets, at least 1: 30 MB of f32 (SPEC FS-11).
  int64_t linaElements = 7'500'000;
  /// Beam width of the search for orders (see `BeamSearch`), at least 1.
  size_t orderWidth = 16;
};

struct StepTime {
  double forwardUs = 0, backwardUs = 0;
  /// Degrees per layer; 0 for a layer without an MoE part.
  std::vector<int64_t> forwardDegrees, backwardDegrees;

  double getUs() const { return forwardUs + backwardUs; }
};

/// Returns the time of a step in a schedule. Fails on layers that are out of
/// range; the error names the layer and the expected value.
cost::Result<StepTime> planStep(const std::vector<StepLayer> &layers,
                                const LinearTime &allReduce,
                                StepSchedule schedule,
                                const StepOptions &options = {});

/// Returns a lower bound in us for all schedules in which dense and MoE parts
/// follow each other and degrees are at most `maxDegree`. The bound is the
/// larger of two sums: - the dense parts, the least time of each MoE part over
/// all orders and degrees, and the all-reduce of the last gradient; - the time
/// until a layer's gradient exists, and the remaining work of the inter-node
/// links.
double getStepBoundUs(const std::vector<StepLayer> &layers,
                      const LinearTime &allReduce,
                      const StepOptions &options = {});

} // namespace moe::schedule

#endif // MOE_BENCH_FSMOE_TRAININGSTEP_H
