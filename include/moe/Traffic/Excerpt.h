// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a trace is shown.

#ifndef MOE_TRAFFIC_EXCERPT_H
#define MOE_TRAFFIC_EXCERPT_H

#include "moe/Traffic/Trace.h"

namespace moe::traffic {

/// Counts that a page has room for: about 150 kB of JSON.
constexpr size_t kMostShownCounts = size_t(1) << 15;

/// What of a trace a page shows.
struct Excerpt {
  /// Places of steps, ascending.
  std::vector<size_t> steps;
  /// Why there are none, in words; empty where there are.
  std::string whyNone;
};

/// As many steps as have at most `mostCounts` counts together, spread evenly
/// from the first on, or the step at place `step` alone.
Excerpt takeExcerpt(const Trace &trace, std::optional<size_t> step,
                    size_t mostCounts = kMostShownCounts);

} // namespace moe::traffic

#endif // MOE_TRAFFIC_EXCERPT_H
