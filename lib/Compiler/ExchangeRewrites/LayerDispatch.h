// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer's ranks send each other.

#ifndef MOE_LIB_COMPILER_EXCHANGEREWRITES_LAYERDISPATCH_H
#define MOE_LIB_COMPILER_EXCHANGEREWRITES_LAYERDISPATCH_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dispatch/Target.h"
#include "moe/Traffic/Trace.h"
#include <optional>
#include <string>

namespace moe {

/// A layer that exchanges rows, as far as limits are concerned.
struct RowLayer {
  RaggedPlanOp plan;
  /// Who reads the choices of the tokens: what is counted, and what is sent.
  ExpertCountsOp counts;
  PermuteRowsOp order;
  /// The layer's name; empty for one that is in no moe.layer.
  std::string name;
  int64_t ranks, experts, tokens, choices;
  double bytesPerToken;

  mlir::Value getIds() { return order.getIds(); }
  int64_t getCopies() const { return tokens * choices; }
  int64_t getExpertsPerRank() const { return experts / ranks; }
};

/// The layer of a plan, or in `reason` why its choices cannot be limited: what
/// was expected and what was found.
std::optional<RowLayer> findRowLayer(RaggedPlanOp plan, std::string &reason);

/// A row a rank of the group; a column a rank, or an expert.
using LimitTable = std::vector<std::vector<int64_t>>;

/// The limits of `factor` times a plan, rounded up, but no more than a rank can
/// send: with a column for each rank, or for each expert.
LimitTable makeLimits(const RowLayer &layer, const dispatch::DispatchPlan &plan,
                      double factor, bool perExpert);

/// Limits the choices of a layer, each rank's by its row.
void limitChoices(RowLayer &layer, const LimitTable &table);

/// What limits make of samples.
struct DroppedCopies {
  int64_t steps = 0;
  /// Copies of all ranks and steps, and those of them beyond limits.
  double copies = 0, dropped = 0;
  /// The largest share that a step drops.
  double worst = 0;
};

/// Counts over the steps of a trace. Counts are taken in proportion, as those
/// of a run of other sizes. Fails, naming the file, its key and what was
/// expected, for counts of other ranks or experts, and for those between ranks
/// where limits are per expert.
cost::Result<DroppedCopies> countDropped(const RowLayer &layer,
                                         const LimitTable &table,
                                         const traffic::Trace &trace,
                                         const std::string &file);

} // namespace moe

#endif // MOE_LIB_COMPILER_EXCHANGEREWRITES_LAYERDISPATCH_H
