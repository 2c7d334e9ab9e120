// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expert loads in a trace.

#include "TraceLoads.h"
#include "moe/Planning/Answers.h"
#include "moe/Traffic/Trace.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;

Result<std::vector<StepLoads>>
moe::planning::readStepLoads(const std::string &file, int64_t &experts) {
  Result<traffic::Trace> trace = traffic::loadTrace(file);
  if (!trace)
    return trace.getFailure();
  if (trace->isRankToRank)
    return makeFailure(file + ": expected counts of experts, got what ranks "
                              "send to ranks");
  experts = trace->numExperts;
  std::vector<StepLoads> steps;
  for (const traffic::StepTraffic &step : trace->steps) {
    if (step.layers.size() != trace->steps.front().layers.size())
      return makeFailure(file + ": step " + Twine(step.step) + ": expected " +
                         Twine(trace->steps.front().layers.size()) +
                         " layers as at the first, got " +
                         Twine(step.layers.size()));
    steps.emplace_back();
    for (size_t l = 0; l < step.layers.size(); ++l) {
      const traffic::LayerTraffic &layer = step.layers[l];
      if (layer.layer != trace->steps.front().layers[l].layer)
        return makeFailure(file + ": step " + Twine(step.step) +
                           ": expected layer \"" +
                           trace->steps.front().layers[l].layer +
                           "\" as at the first, got \"" + layer.layer + "\"");
      std::vector<double> tokens(static_cast<size_t>(experts));
      for (int64_t i = 0; i < trace->numRanks; ++i)
        for (int64_t e = 0; e < experts; ++e)
          tokens[size_t(e)] += double(layer.counts.at(i, e));
      Result<Load> load = normalizeLoad(std::move(tokens));
      if (!load)
        return makeFailure(file + ": step " + Twine(step.step) + ", layer \"" +
                           layer.layer + "\": " + load.getError());
      steps.back().push_back(std::move(*load));
    }
  }
  return steps;
}
