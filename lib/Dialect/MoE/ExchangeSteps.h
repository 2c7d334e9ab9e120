// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ragged exchanges that run in two steps.

#ifndef MOE_LIB_DIALECT_MOE_EXCHANGESTEPS_H
#define MOE_LIB_DIALECT_MOE_EXCHANGESTEPS_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// One step of a ragged exchange that runs in two steps.
struct ExchangeStep {
  /// An exchange of the same rows inside nodes.
  RaggedAllToAllOp inside;
  /// Number of nodes, and of ranks per node.
  int64_t nodes, places;
  /// For a step inside nodes, the node that its rows are sent to or received
  /// from.
  std::optional<int64_t> node;
  /// True if rows return to their senders.
  bool isBack;
};

/// Returns the step that an exchange performs; nullopt for an exchange in one
/// step.
std::optional<ExchangeStep> findStep(RaggedAllToAllOp op);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_EXCHANGESTEPS_H
