// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits on the rows that ranks send in a layer.

#ifndef MOE_LIB_COMPILER_EXCHANGEREWRITES_LAYERDISPATCH_H
#define MOE_LIB_COMPILER_EXCHANGEREWRITES_LAYERDISPATCH_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dispatch/Target.h"
#include "moe/Traffic/Trace.h"
#include <optional>
#include <string>

namespace moe {

/// A layer with ragged exchanges, with the properties that limits depend on.
struct RowLayer {
  RaggedPlanOp plan;
  /// The ops that read the tokens' choices: one counts them, the other sends
  /// them.
  ExpertCountsOp counts;
  PermuteRowsOp order;
  /// The layer's name; empty outside of moe.layer.
  std::string name;
  int64_t ranks, experts, tokens, choices;
  double bytesPerToken;

  mlir::Value getIds() { return order.getIds(); }
  int64_t getCopies() const { return tokens * choices; }
  int64_t getExpertsPerRank() const { return experts / ranks; }
};

/// Returns the layer of a plan. If its choices cannot be limited, returns
/// nullopt and sets `reason` to the expected and actual structure.
std::optional<RowLayer> findRowLayer(RaggedPlanOp plan, std::string &reason);

/// Limits on assignments: one row per rank of the group; one column per rank,
/// or per expert.
using LimitTable = cost::Matrix<int64_t>;

/// Returns limits of `factor` times a plan, rounded up, and at most the number
/// that one rank can send. Has one column per rank, or per expert with
/// `perExpert`.
LimitTable makeLimits(const RowLayer &layer, const dispatch::DispatchPlan &plan,
                      double factor, bool perExpert);

/// Limits the layer's choices; each rank uses its own row.
void limitChoices(RowLayer &layer, const LimitTable &table);

/// The effect of limits on samples.
struct DroppedCopies {
  int64_t steps = 0;
  /// Assignments of all ranks and iterations, and the dropped ones beyond
  /// limits.
  double copies = 0, dropped = 0;
  /// The maximum fraction dropped in one iteration.
  double worst = 0;
};

/// Counts dropped assignments over the iterations of a trace. Counts are
/// scaled, so the trace may be from a run of another size. Fails if counts have
/// other ranks or experts, or are between ranks while limits are per expert;
/// the failure has the file, its key and the expected form.
cost::Result<DroppedCopies> countDropped(const RowLayer &layer,
                                         const LimitTable &table,
                                         const traffic::Trace &trace,
                                         const std::string &file);

} // namespace moe

#endif // MOE_LIB_COMPILER_EXCHANGEREWRITES_LAYERDISPATCH_H
