// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capacity policies of MoE systems.
//
// Per step, an expert computes at most C rows, its capacity. Systems divide it
// among the sending devices in different ways (TA-MoE, section 3.1; SPEC
// TA-12), and rows beyond it are dropped.

#ifndef MOE_DISPATCH_POLICIES_H
#define MOE_DISPATCH_POLICIES_H

#include "moe/Dispatch/Target.h"

namespace moe::dispatch {

/// How devices share the capacity of experts.
enum class Policy : uint8_t {
  /// Nothing is dropped; sizes are exchanged and rows are sent unpadded.
  Dropless,
  /// DeepSpeed-MoE: each of P devices sends C / P rows, padded to this number.
  Local,
  /// FastMoE: C rows of all devices, in device order. Sizes are exchanged
  /// twice, before and after the cut.
  Global,
  /// FasterMoE's hierarchical gate: a fixed share of each device's rows is sent
  /// to its own node, regardless of the gate's choice, and the rest to other
  /// nodes. Both are spread evenly.
  FixedRatio,
  /// TA-MoE: capacity C_ie is proportional to the target; sizes are exchanged.
  Target
};

/// Returns "dropless", "local", "global", "fixed-ratio" or "target".
std::string_view getName(Policy policy);

/// Rows from devices to experts: one row per device, one column per expert. The
/// experts of the same device are adjacent.
using ExpertRows = Matrix<int64_t>;

/// The result of a policy for one layer and step.
struct PolicyOutcome {
  /// Rows that experts compute.
  ExpertRows kept;
  /// Rows that were dropped, and rows that were sent elsewhere than the gate
  /// chose.
  int64_t dropped = 0, redirected = 0;
  /// Time of the dispatch (SPEC TA-1), including padding, and time of the
  /// preceding exchanges of sizes, with 4 bytes per expert.
  double dispatchUs = 0, sizesUs = 0;
  /// Rows of the busiest expert relative to an even dispatch.
  double busiestExpert = 0;
};

struct PolicyOptions {
  /// C relative to an expert's even share; greater than 0 and finite.
  double capacityFactor = 1;
  /// For FixedRatio: the share of rows for the own node, in [0, 1].
  double nodeShare = 0.5;
};

/// Applies a policy to the rows that the gates chose. `target` is a plan for
/// the same demand and devices. Fails if the number of devices differs from the
/// links', does not divide the number of experts, if numbers are below 0, if
/// rows do not sum to the demand's, or if options are out of range. The failure
/// names the expected values.
cost::Result<PolicyOutcome>
applyPolicy(Policy policy, const ExpertRows &wanted, const Demand &demand,
            const Topology &topology, const Links &links,
            const DispatchPlan &target, const PolicyOptions &options = {});

} // namespace moe::dispatch

#endif // MOE_DISPATCH_POLICIES_H
