// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one rule of choice.
//
// Everything that chooses by time chooses so: of what is as good as the
// fastest, the simplest. Planners, the compiler's choices of forms, degrees and
// schedules, and the runtime's plans all ask here.

#ifndef MOE_COST_TIETOLERANCE_H
#define MOE_COST_TIETOLERANCE_H

#include <algorithm>
#include <iterator>
#include <limits>

namespace moe::cost {

/// The fraction by which times differ that are equal: sums in another order
/// round differently.
constexpr double kRounding = 1e-12;

/// The fraction by which times may differ that count as equal where different
/// programs are simulated: they add up other tasks in another order.
constexpr double kTie = 1e-9;

/// True when `us` is less than `thanUs`, and by more than rounding.
constexpr bool isFaster(double us, double thanUs) {
  return us < thanUs * (1 - kRounding);
}

/// The longest time that is as good as `leastUs` where times are uncertain by
/// the fraction `uncertainty`, >= 0 and below 1, or by rounding.
constexpr double getToleratedUs(double leastUs, double uncertainty) {
  return leastUs * (1 + std::max(uncertainty, kRounding));
}

/// Of the candidates that take no longer than the fastest by more than the
/// fraction `uncertainty` of its time, or rounding, the simplest one; of
/// equally simple ones the first. `getUs` says what a candidate takes, infinity
/// for one that cannot be chosen; `isSimpler` is a strict order of two
/// candidates. The end of the range where no candidate can be chosen. Allocates
/// nothing.
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

/// The same where simpler candidates come first.
template <typename Range, typename GetUs>
auto pickWithinTolerance(Range &&candidates, double uncertainty, GetUs getUs) {
  return pickWithinTolerance(candidates, uncertainty, getUs,
                             [](const auto &, const auto &) { return false; });
}

} // namespace moe::cost

#endif // MOE_COST_TIETOLERANCE_H
