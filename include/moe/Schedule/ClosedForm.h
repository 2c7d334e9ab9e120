// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FSMoE's closed-form times of layers.
//
// FSMoE takes the time of one phase from four formulas, selected by seven
// questions (SPEC FS-4). They approximate the time of the order of FS-3;
// `getFixedOrderUs` is exact.

#ifndef MOE_SCHEDULE_CLOSEDFORM_H
#define MOE_SCHEDULE_CLOSEDFORM_H

#include "moe/Schedule/LayerPhase.h"

namespace moe::schedule {

/// The bottleneck of the phase according to FSMoE.
enum class ClosedFormCase : uint8_t {
  /// The all-to-all stream, with no gradients hidden.
  AllToAllAndGradient = 1,
  /// Experts.
  Experts = 2,
  /// All-to-alls, with gradients hidden.
  AllToAll = 3,
  /// Collectives inside nodes.
  IntraNode = 4,
};

struct ClosedForm {
  ClosedFormCase which = ClosedFormCase::AllToAllAndGradient;
  double timeUs = 0;
};

/// Computes SPEC FS-4 for `degree` >= 1 equal chunks. If dispatch and combine
/// differ, the formulas use their mean as the time of an all-to-all.
ClosedForm getClosedForm(const ChunkTimes &chunk, int64_t degree,
                         double gradientUs);

struct ClosedFormChoice {
  int64_t degree = 1;
  ClosedForm form;
};

/// Returns the degree in [1, maxDegree] with the least time by formula, without
/// trying all degrees (SPEC FS-5). `maxDegree` is at least 1, and the smaller
/// degree wins a tie.
///
/// The signs of quadratics in the degree answer the questions, so the degrees
/// fall into at most twelve intervals of one case each. In an interval, the
/// time is A r + B / r + C, with its minimum at sqrt(B / A) or at an end; the
/// integers on both sides are tried.
ClosedFormChoice minimizeClosedForm(const LinearPhase &phase, int64_t maxDegree,
                                    double gradientUs);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_CLOSEDFORM_H
