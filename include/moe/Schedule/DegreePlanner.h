// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Into how many chunks to cut a layer.
//
// The pipeline degree of one phase of an MoE layer, exactly: every degree is
// timed as its streams run it (SPEC FS-3). FSMoE's formulas stand beside it.

#ifndef MOE_SCHEDULE_DEGREEPLANNER_H
#define MOE_SCHEDULE_DEGREEPLANNER_H

#include "moe/Schedule/ClosedForm.h"
#include "moe/Schedule/LayerPhase.h"

#include <vector>

namespace moe::schedule {

/// A time that no order of a phase's operations beats, with `degree` >= 1 equal
/// chunks and an all-reduce of `gradientUs` anywhere on the stream of
/// all-to-alls: each stream's operations, after what must run before the first
/// of them and before what must run after the last, over all consecutive ones.
double getAnyOrderBoundUs(const ChunkTimes &chunk, int64_t degree,
                          double gradientUs);

/// The same for chunks that may differ, in time linear in their number.
double getAnyOrderBoundUs(std::span<const ChunkTimes> chunks,
                          double gradientUs);

/// One degree.
struct DegreeTime {
  int64_t degree = 1;
  /// What a chunk's operations take.
  ChunkTimes chunk;
  /// What the phase takes in FSMoE's order, exactly (SPEC FS-3).
  double timeUs = 0;
  /// What FSMoE's formulas say it takes (SPEC FS-4).
  ClosedForm closedForm;
  /// What no order of this degree beats.
  double lowerBoundUs = 0;
};

/// All degrees, and the best of them.
struct DegreePlan {
  int64_t degree = 1;
  double timeUs = 0;
  /// What no degree in no order beats.
  double lowerBoundUs = 0;
  /// By degree, from 1 on; valid until the planner is asked again.
  std::span<const DegreeTime> byDegree;
  /// The best of the other degrees; none when there is no other.
  std::optional<int64_t> runnerUp;

  const DegreeTime &get(int64_t ofDegree) const {
    return byDegree[size_t(ofDegree - 1)];
  }
};

/// Finds the best degree. Holds its work memory; once it has seen a maximum
/// degree, a choice of up to that many chunks allocates nothing.
class DegreePlanner {
public:
  /// Compares all degrees from 1 to `maxDegree` >= 1 with an all-reduce of
  /// gradients that takes `gradientUs` >= 0 beside the phase (0 for none). The
  /// least time wins, of equal ones the smallest degree. Times are equal that
  /// differ from the least by the fraction `uncertainty` (>= 0 and below 1) of
  /// it, or by rounding.
  DegreePlan plan(const LayerPhase &phase, int64_t maxDegree, double gradientUs,
                  double uncertainty = 0);

private:
  std::vector<DegreeTime> times;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_DEGREEPLANNER_H
