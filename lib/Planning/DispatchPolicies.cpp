// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares dispatch policies with a target.

#include "moe/Planning/DispatchPolicies.h"
#include "moe/Planning/Answers.h"
#include <algorithm>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::dispatch;

/// Converts the counts of a trace, which are whole numbers.
static ExpertRows getRows(const schedule::ExpertCounts &counts) {
  std::span<const double> values = counts.getValues();
  return ExpertRows::fromValues(
      counts.getNumColumns(),
      std::vector<int64_t>(values.begin(), values.end()));
}

Result<std::vector<PolicySummary>> moe::planning::comparePolicies(
    const traffic::Trace &trace, const dispatch::Demand &demand,
    const Topology &topology, const Links &links, const DispatchPlan &target,
    double capacityFactor, std::optional<double> nodeShare) {
  std::vector<PolicySummary> summaries;
  for (Policy policy : {Policy::Dropless, Policy::Local, Policy::Global,
                        Policy::FixedRatio, Policy::Target}) {
    if (policy == Policy::FixedRatio && !nodeShare)
      continue;
    PolicySummary summary;
    summary.policy = policy;
    int64_t number = 0;
    for (const traffic::StepTraffic &step : trace.steps)
      for (const traffic::LayerTraffic &layer : step.layers) {
        Result<PolicyOutcome> outcome =
            applyPolicy(policy, getRows(layer.counts), demand, topology, links,
                        target, {capacityFactor, nodeShare.value_or(0)});
        if (!outcome)
          return makeFailure(
              "step " + Twine(step.step) +
              (layer.layer.empty() ? Twine() : ", layer " + layer.layer) +
              ": " + outcome.getError());
        ++number;
        summary.dropped += double(outcome->dropped);
        summary.redirected += double(outcome->redirected);
        summary.meanUs += outcome->dispatchUs;
        summary.worstUs = std::max(summary.worstUs, outcome->dispatchUs);
        summary.sizesUs = outcome->sizesUs;
        summary.busiestExpert =
            std::max(summary.busiestExpert, outcome->busiestExpert);
      }
    double all = double(number) * double(demand.getRows()) *
                 double(topology.getNumDevices());
    summary.dropped /= all;
    summary.redirected /= all;
    summary.meanUs /= double(number);
    summaries.push_back(summary);
  }
  return summaries;
}
