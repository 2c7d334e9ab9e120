// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatch for a topology (SPEC TA-1 to TA-5).

#ifndef MOE_PLANNING_DISPATCH_H
#define MOE_PLANNING_DISPATCH_H

#include "moe/Dispatch/Target.h"
#include "moe/Options/PlatformOption.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/DispatchPolicies.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/PlatformParameters.h"

namespace moe::planning {

struct DispatchInput : Input {
  MachineOptions platform{table};
  TextOption topology{
      table, "topology",
      "Topology of the devices: a nested list of switches such as "
      "[[2,2],[2]], whose levels are the platform's from the "
      "innermost, or ring:N (required if neither --pairs nor the "
      "platform states a topology)",
      "TREE"};
  TextOption pairsFile{
      table, "pairs",
      "Links between all device pairs as moe-profile measured them, "
      "averaged per level, instead of the platform's",
      "FILE"};
  ConfigJob job{table};
  IntegerOption tokens{table,
                       "tokens",
                       "Tokens per device (required unless --config is given)",
                       {.unit = "tokens"}};
  IntegerOption topK{table,
                     "top-k",
                     "Experts per token (required unless --config is given)",
                     {.unit = "experts"}};
  IntegerOption experts{table,
                        "experts",
                        "Experts in total, spread evenly over the devices "
                        "(required unless --config is given)",
                        {.unit = "experts"}};
  IntegerOption bytesPerToken{
      table,
      "bytes-per-token",
      "Bytes per sent token (required unless --config is given)",
      {.unit = "bytes"}};
  TextOption local{
      table, "local",
      "Share that a device keeps for its own experts: pinned, an even "
      "share (default); bandwidth, proportional to its memory copy "
      "bandwidth",
      "HOW", "pinned"};
  TextOption planner{
      table, "planner",
      "Method that computes the target: proportional to link bandwidths, "
      "as in TA-MoE (default); exact, the fastest possible dispatch",
      "HOW", "proportional"};
  NumberOption leastShare{
      table,
      "least-share",
      "Isolation guard: least tokens that a device receives from other "
      "devices, as a share in [0, 1] of an even dispatch (default: 0)",
      {/*mayBeZero=*/true}};
  TextOption trafficFile{
      table, "traffic",
      "Compare policies on this routing trace, which has a row of "
      "counts per device",
      "FILE"};
  NumberOption capacityFactor{table, "capacity-factor",
                              "With --traffic: tokens that an expert accepts "
                              "over its even share (default: 1)"};
  NumberOption nodeShare{table,
                         "node-share",
                         "With --traffic: also compare a policy that sends "
                         "this fixed share in [0, 1] of tokens to the own node",
                         {/*mayBeZero=*/true}};
};

struct DispatchAnswer {
  static constexpr unsigned kJsonIndent = 0;

  explicit DispatchAnswer(dispatch::Topology topology)
      : topology(std::move(topology)) {}

  dispatch::Topology topology;
  /// Links by level, from the innermost, and within devices.
  std::vector<std::pair<std::string, dispatch::Link>> links;
  dispatch::Demand demand;
  int64_t experts = 0;
  dispatch::TargetOptions options;
  dispatch::DispatchPlan plan;
  std::optional<double> optimalUs;
  std::vector<PolicySummary> policies;
  /// The traffic on which the policies are compared.
  std::optional<traffic::Trace> trace;
  /// Assumptions that the user should know.
  std::vector<std::string> notes;
  /// True if links were measured between pairs of devices.
  bool hasMeasuredPairs = false;
  PlatformParameters parameters;

  int64_t getExpertsPerDevice() const {
    return experts / topology.getNumDevices();
  }
};

Result<DispatchAnswer> planDispatch(DispatchInput &in);

/// Converts the dispatch in whole tokens into a trace of one layer and step.
traffic::Trace makeTraffic(const DispatchAnswer &answer);

std::string getTitle(const DispatchAnswer &answer);
void printJSON(llvm::json::OStream &out, const DispatchAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_DISPATCH_H
