// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule for choosing between candidates by time.
//
// Every choice by time takes the simplest candidate that is as good as the
// fastest. Planners, the compiler's choices of variants, degrees and schedules,
// and the runtime's plans all use these functions.

#ifndef MOE_COST_TIETOLERANCE_H
#define MOE_COST_TIETOLERANCE_H

#include <algorithm>
#include <iterator>
#include <limits>

namespace moe::cost {

/// The relative difference up to which times are equal, because sums in another
/// order round differently.
constexpr double kRounding = 1e-12;

/// The relative difference up to which simulated times of different programs
/// count as equal, because each program adds its tasks in its own order.
constexpr double kTie = 1e-9;

/// Returns true if `us` is less than `thanUs` by more than rounding.
constexpr bool isFaster(double us, double thanUs) {
  return us < thanUs * (1 - kRounding);
}

/// Returns the longest time that is as good as `leastUs` if times have the
/// relative `uncertainty`, >= 0 and below 1, or the uncertainty of rounding if
/// this is greater.
constexpr double getToleratedUs(double leastUs, double uncertainty) {
  return leastUs * (1 + std::max(uncertainty, kRounding));
}

/// Returns the simplest candidate among those that exceed the fastest time by
/// at most the fraction `uncertainty` or rounding; the first one if several are
/// equally simple. `getUs` returns a candidate's time, or infinity if it cannot
/// be chosen, and `isSimpler` is a strict order of two candidates. Returns the
/// end of the range if no candidate can be chosen. Allocates nothing.
template <typename Range, typename GetUs, typename IsSimpler>
auto pickWithinTolerance(Range &&candidates, double uncertainty, GetUs getUs,
                         IsSimpler isSimpler) {
  double leastUs = std::numeric_limits<double>::infinity();
  for (const auto &candidate : candidates)
    leastUs = std::min(leastUs, double(getUs(candidate)));
  auto end = std::end(candidates), best = end;
  if (leastUs == std::numeric_limits<double>::infinity())
    return best;
  double enoughUs = getToleratedUs(leastUs, uncertainty);
  for (auto it = std::begin(candidates); it != end; ++it)
    if (getUs(*it) <= enoughUs && (best == end || isSimpler(*it, *best)))
      best = it;
  return best;
}

/// The same for candidates sorted from the simplest on.
template <typename Range, typename GetUs>
auto pickWithinTolerance(Range &&candidates, double uncertainty, GetUs getUs) {
  return pickWithinTolerance(candidates, uncertainty, getUs,
                             [](const auto &, const auto &) { return false; });
}

} // namespace moe::cost

#endif // MOE_COST_TIETOLERANCE_H
