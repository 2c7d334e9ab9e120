// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection of the number of chunks.
//
// The planner finds the pipeline degree of one phase of an MoE layer exactly:
// it times every degree as its streams run it (SPEC FS-3). FSMoE's formulas are
// reported for comparison.

#ifndef MOE_SCHEDULE_DEGREEPLANNER_H
#define MOE_SCHEDULE_DEGREEPLANNER_H

#include "moe/Schedule/ClosedForm.h"
#include "moe/Schedule/LayerPhase.h"

#include <vector>

namespace moe::schedule {

/// Returns a lower bound on the time of a phase in any order, with `degree` >=
/// 1 equal chunks and an all-reduce of `gradientUs` anywhere on the all-to-all
/// stream. The bound is each stream's operations, after the operations that
/// must precede the first of them and before the operations that must follow
/// the last, over all runs of consecutive operations.
double getAnyOrderBoundUs(const ChunkTimes &chunk, int64_t degree,
                          double gradientUs);

/// The same for chunks that may differ, in time linear in their number.
double getAnyOrderBoundUs(std::span<const ChunkTimes> chunks,
                          double gradientUs);

struct DegreeTime {
  int64_t degree = 1;
  ChunkTimes chunk;
  /// Exact time of the phase in FSMoE's order (SPEC FS-3).
  double timeUs = 0;
  /// Time by FSMoE's formulas (SPEC FS-4).
  ClosedForm closedForm;
  /// No order with this degree is faster.
  double lowerBoundUs = 0;
};

struct DegreePlan {
  int64_t degree = 1;
  double timeUs = 0;
  /// No degree in any order is faster.
  double lowerBoundUs = 0;
  /// Times by degree, starting at 1; valid until the next call of the planner.
  std::span<const DegreeTime> byDegree;
  /// The best of the other degrees; nullopt if there is no other.
  std::optional<int64_t> runnerUp;

  const DegreeTime &get(int64_t ofDegree) const {
    return byDegree[size_t(ofDegree - 1)];
  }
};

/// Finds the best degree. The planner keeps its work memory, so after a plan
/// with some maximum degree, plans with at most as many chunks allocate
/// nothing.
class DegreePlanner {
public:
  /// Compares all degrees from 1 to `maxDegree` >= 1 with a concurrent gradient
  /// all-reduce of `gradientUs` >= 0 (0 for none). The least time wins, and the
  /// smallest degree among equal times. Times that differ from the least one by
  /// at most the fraction `uncertainty` (>= 0 and below 1), or by rounding,
  /// count as equal.
  DegreePlan plan(const LayerPhase &phase, int64_t maxDegree, double gradientUs,
                  double uncertainty = 0);

private:
  std::vector<DegreeTime> times;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_DEGREEPLANNER_H
