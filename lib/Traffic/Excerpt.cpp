// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Excerpts of routing traces for reports.

#include "moe/Traffic/Excerpt.h"
#include <algorithm>

using namespace moe;
using namespace moe::traffic;

Excerpt moe::traffic::takeExcerpt(const Trace &trace,
                                  std::optional<size_t> step,
                                  size_t mostCounts) {
  Excerpt excerpt;
  size_t ofStep = 0;
  for (const StepTraffic &one : trace.steps)
    ofStep = std::max(ofStep, one.layers.size());
  ofStep *= static_cast<size_t>(trace.numRanks * trace.numExperts);
  if (ofStep > mostCounts) {
    excerpt.whyNone = "a step has " + std::to_string(ofStep) +
                      " of them, and there is room for " +
                      std::to_string(mostCounts);
    return excerpt;
  }
  if (step) {
    excerpt.steps = {*step};
    return excerpt;
  }
  size_t count = std::min(trace.steps.size(), mostCounts / ofStep);
  for (size_t i = 0; i < count; ++i)
    excerpt.steps.push_back(i * trace.steps.size() / count);
  return excerpt;
}
