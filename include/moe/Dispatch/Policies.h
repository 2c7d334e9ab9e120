// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What systems do with what gates want.
//
// An expert takes so many rows at a step, its capacity C. Systems spread it
// over the devices that send in different ways (TA-MoE, section 3.1; SPEC
// TA-12), and what does not fit is dropped.

#ifndef MOE_DISPATCH_POLICIES_H
#define MOE_DISPATCH_POLICIES_H

#include "moe/Dispatch/Target.h"

namespace moe::dispatch {

/// How devices share the capacity of an expert.
enum class Policy : uint8_t {
  /// Nothing is dropped; sizes are exchanged, rows as they are.
  Dropless,
  /// DeepSpeed-MoE: C / P rows of each of P devices, padded to as many.
  Local,
  /// FastMoE: C rows of all devices, in their order; sizes are exchanged twice,
  /// before and after the cut.
  Global,
  /// FasterMoE's hierarchical gate: a fixed share of a device's rows goes to
  /// its own node, whatever the gate wants, evenly there and evenly elsewhere.
  FixedRatio,
  /// TA-MoE: capacity by the target, C_ie in proportion to it; sizes are
  /// exchanged.
  Target
};

/// "dropless", "local", "global", "fixed-ratio", "target".
std::string_view getName(Policy policy);

/// Rows of devices for experts: a row a device, a column an expert, experts of
/// one device side by side.
using ExpertRows = std::vector<std::vector<int64_t>>;

/// What a policy makes of one layer at one step.
struct PolicyOutcome {
  /// Rows that experts compute.
  ExpertRows kept;
  /// Rows that the gate wanted where they did not go.
  int64_t dropped = 0, redirected = 0;
  /// Time of the dispatch (SPEC TA-1), padding with it, and of as many
  /// exchanges of sizes before, each of 4 bytes an expert.
  double dispatchUs = 0, sizesUs = 0;
  /// Rows of the expert that has most, over those of an even dispatch.
  double busiestExpert = 0;
};

struct PolicyOptions {
  /// C over the even share of an expert; greater than 0 and finite.
  double capacityFactor = 1;
  /// Of FixedRatio: the share of rows for the own node, in [0, 1].
  double nodeShare = 0.5;
};

/// What becomes of the rows that gates want. `target` is a plan for the same
/// demand and devices. Fails, naming what was expected, for another number of
/// devices than the links have, experts that do not divide by them, numbers
/// below 0, rows that do not sum to the demand's, or options out of range.
cost::Result<PolicyOutcome>
applyPolicy(Policy policy, const ExpertRows &wanted, const Demand &demand,
            const Topology &topology, const Links &links,
            const DispatchPlan &target, const PolicyOptions &options = {});

} // namespace moe::dispatch

#endif // MOE_DISPATCH_POLICIES_H
