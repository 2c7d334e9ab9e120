// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies beside a target.

#include "DispatchPolicies.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::dispatch;

/// Counts of a trace are whole numbers.
static ExpertRows getRows(const schedule::ExpertCounts &counts) {
  ExpertRows rows;
  for (int64_t i = 0; i < counts.numSources; ++i) {
    std::vector<int64_t> row;
    for (int64_t e = 0; e < counts.numExperts; ++e)
      row.push_back(int64_t(counts.at(i, e)));
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::vector<PolicySummary>>
moe::plan::comparePolicies(const traffic::Trace &trace, const Demand &demand,
                           const Topology &topology, const Links &links,
                           const DispatchPlan &target, double capacityFactor,
                           std::optional<double> nodeShare) {
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

void moe::plan::printPolicies(json::OStream &out,
                              ArrayRef<PolicySummary> policies) {
  out.attributeArray("policies", [&] {
    for (const PolicySummary &summary : policies)
      out.object([&] {
        std::string_view name = getName(summary.policy);
        out.attribute("policy", StringRef(name.data(), name.size()));
        out.attribute("dropped", summary.dropped);
        out.attribute("redirected", summary.redirected);
        out.attribute("mean_us", summary.meanUs);
        out.attribute("worst_us", summary.worstUs);
        out.attribute("sizes_us", summary.sizesUs);
        out.attribute("busiest_expert", summary.busiestExpert);
      });
  });
}

void moe::plan::printPolicies(raw_ostream &os,
                              ArrayRef<PolicySummary> policies) {
  os << "\nwhat policies make of the traffic, over its layers and steps\n";
  Report table = makeList({false, true, true, true, true, true, true});
  table.addRow({std::string("  policy"), std::string("dropped"),
                std::string("redirected"), std::string("mean us"),
                std::string("worst us"), std::string("sizes us"),
                std::string("busiest expert")});
  for (const PolicySummary &summary : policies)
    table.addRow({"  " + std::string(getName(summary.policy)),
                  formatFixed(100 * summary.dropped, 1) + " %",
                  formatFixed(100 * summary.redirected, 1) + " %",
                  formatFixed(summary.meanUs, 1),
                  formatFixed(summary.worstUs, 1),
                  formatFixed(summary.sizesUs, 1),
                  formatFixed(summary.busiestExpert, 2)});
  table.printTable(os, /*withHeading=*/false);
}
