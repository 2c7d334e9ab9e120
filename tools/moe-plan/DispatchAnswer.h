// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan dispatch answers.

#ifndef MOE_TOOLS_MOE_PLAN_DISPATCHANSWER_H
#define MOE_TOOLS_MOE_PLAN_DISPATCHANSWER_H

#include "DispatchPolicies.h"

namespace moe::plan {

/// All that `moe-plan dispatch` answers, in either form.
struct DispatchAnswer {
  explicit DispatchAnswer(dispatch::Topology topology)
      : topology(std::move(topology)) {}

  dispatch::Topology topology;
  /// Of each level, the innermost first, and within a device.
  std::vector<std::pair<std::string, dispatch::Link>> links;
  dispatch::Demand demand;
  int64_t experts = 0;
  dispatch::TargetOptions options;
  dispatch::DispatchPlan plan;
  std::optional<double> optimalUs;
  std::vector<PolicySummary> policies;
  /// The traffic that they are compared by.
  std::optional<traffic::Trace> trace;
  /// What was taken for granted, in words.
  std::vector<std::string> notes;

  int64_t getExpertsPerDevice() const {
    return experts / topology.getNumDevices();
  }
};

/// As members of an object that is open.
void printDispatchJSON(llvm::json::OStream &out, const DispatchAnswer &answer,
                       const Parameters &parameters);
/// As text, but for the platform's parameters.
void printDispatchText(llvm::raw_ostream &os, const DispatchAnswer &answer);
/// As an SVG picture: shares of what a device sends, in percent.
void printDispatchPicture(llvm::raw_ostream &os, const DispatchAnswer &answer);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_DISPATCHANSWER_H
