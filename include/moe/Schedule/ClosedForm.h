// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FSMoE's times of a layer, in formulas.
//
// FSMoE takes the time of a layer's phase from four formulas, chosen by seven
// questions (SPEC FS-4). They are close to, not equal to, what the order of
// FS-3 takes: `getFixedOrderUs` is exact.

#ifndef MOE_SCHEDULE_CLOSEDFORM_H
#define MOE_SCHEDULE_CLOSEDFORM_H

#include "moe/Schedule/LayerPhase.h"

namespace moe::schedule {

/// What limits the phase in FSMoE's eyes.
enum class ClosedFormCase : uint8_t {
  /// The stream of all-to-alls, with all gradients hidden nowhere.
  AllToAllAndGradient = 1,
  /// Experts.
  Experts = 2,
  /// All-to-alls, gradients hidden.
  AllToAll = 3,
  /// Collectives inside nodes.
  IntraNode = 4,
};

/// A time by formula.
struct ClosedForm {
  ClosedFormCase which = ClosedFormCase::AllToAllAndGradient;
  double timeUs = 0;
};

/// SPEC FS-4 for `degree` >= 1 equal chunks; where dispatch and combine differ,
/// the formulas' time of an all-to-all is their mean.
ClosedForm getClosedForm(const ChunkTimes &chunk, int64_t degree,
                         double gradientUs);

/// A degree and its time by formula.
struct ClosedFormChoice {
  int64_t degree = 1;
  ClosedForm form;
};

/// The degree in [1, maxDegree] of the least time by formula, found without
/// trying them all (SPEC FS-5). The questions are answered by signs of
/// quadratics in the degree, so the degrees fall into at most twelve intervals
/// of one case each; in an interval, the time is A r + B / r + C, whose minimum
/// is at sqrt(B / A) or at an end, and the integers on both sides are tried. Of
/// equal times the smaller degree wins. `maxDegree` is at least 1.
ClosedFormChoice minimizeClosedForm(const LinearPhase &phase, int64_t maxDegree,
                                    double gradientUs);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_CLOSEDFORM_H
