// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Excerpts of routing traces for reports.

#ifndef MOE_TRAFFIC_EXCERPT_H
#define MOE_TRAFFIC_EXCERPT_H

#include "moe/Traffic/Trace.h"

namespace moe::traffic {

/// Maximum number of counts on a page: about 150 kB of JSON.
constexpr size_t kMostShownCounts = size_t(1) << 15;

/// The part of a trace that a page shows.
struct Excerpt {
  /// Indices of the shown steps, ascending.
  std::vector<size_t> steps;
  /// The reason why there are none; empty if there are some.
  std::string whyNone;
};

/// Selects as many steps as have at most `mostCounts` counts together, spread
/// evenly from the first on, or only the step at index `step`.
Excerpt takeExcerpt(const Trace &trace, std::optional<size_t> step,
                    size_t mostCounts = kMostShownCounts);

} // namespace moe::traffic

#endif // MOE_TRAFFIC_EXCERPT_H
