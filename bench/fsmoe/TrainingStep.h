// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training step in six schedules.
//
// What a step of a network of generalized layers (see GradientPartition.h)
// takes as six systems schedule it, and as we do (SPEC FS-11). In all of them
// the dense parts run by themselves but for all-reduces of gradients.
//
// - deepspeed: one operation after the other; all-reduces at the end.
// - tutel: chunks, all collectives on one stream, one degree for both phases;
//   all-reduces at the end.
// - tutel-improved: as tutel; a layer's all-reduce runs beside the dense part
//   walked next.
// - lina: as tutel; all-reduces in pieces of a fixed size where links are idle.
// - fsmoe-no-iio: chunks, all collectives on one stream, a degree for each
//   phase; all-reduces partitioned.
// - fsmoe: chunks in the order of SPEC FS-3, a degree for each phase;
//   all-reduces partitioned.
// - best: chunks in the best order found, a degree for each phase; all-reduces
//   partitioned.
//
// Partitioned means by `partitionGradients`, which is at least as good as what
// FSMoE prints. Streams that carry all collectives run, as Tutel's, the
// dispatch and all-gather of each chunk in turn, then the reduce-scatter and
// combine of each.

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
  /// Elements of the gradient that the dense part produces on a rank.
  int64_t gradientElements = 0;
  /// The MoE layer; both or neither.
  const LayerPhase *forward = nullptr, *backward = nullptr;
};

struct StepOptions {
  /// Degrees are 1 to `maxDegree`, at least 1.
  int64_t maxDegree = 16;
  /// Elements of lina's pieces, at least 1: 30 MB of f32 (SPEC FS-11).
  int64_t linaElements = 7'500'000;
  /// How wide orders are searched (see `BeamSearch`), at least 1.
  size_t orderWidth = 16;
};

struct StepTime {
  double forwardUs = 0, backwardUs = 0;
  /// Of each layer; 0 where it has no MoE part.
  std::vector<int64_t> forwardDegrees, backwardDegrees;

  double getUs() const { return forwardUs + backwardUs; }
};

/// The time of a step in a schedule. Fails, naming the layer and what was
/// expected, on layers that are out of range.
cost::Result<StepTime> planStep(const std::vector<StepLayer> &layers,
                                const LinearTime &allReduce,
                                StepSchedule schedule,
                                const StepOptions &options = {});

/// What no schedule of the step beats in which dense parts and MoE parts follow
/// each other and degrees are at most `maxDegree`: the dense parts, of every
/// MoE part the least that any order of any degree takes, and the all-reduce of
/// the gradient that exists last; or, where it is longer, all before a layer's
/// gradient exists and what the links between nodes carry from then on.
double getStepBoundUs(const std::vector<StepLayer> &layers,
                      const LinearTime &allReduce,
                      const StepOptions &options = {});

} // namespace moe::schedule

#endif // MOE_BENCH_FSMOE_TRAININGSTEP_H
