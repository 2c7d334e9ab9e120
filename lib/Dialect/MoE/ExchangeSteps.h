// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that go in two steps.

#ifndef MOE_LIB_DIALECT_MOE_EXCHANGESTEPS_H
#define MOE_LIB_DIALECT_MOE_EXCHANGESTEPS_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The step that an exchange of rows is of one in two steps.
struct ExchangeStep {
  /// An exchange inside nodes of the same rows.
  RaggedAllToAllOp inside;
  /// Nodes, and ranks of one.
  int64_t nodes, places;
  /// Of a step inside nodes, the node that its rows go to or come from.
  std::optional<int64_t> node;
  /// Whether rows go back to where they came from.
  bool isBack;
};

/// The step of two that an exchange is; none for one in one step.
std::optional<ExchangeStep> findStep(RaggedAllToAllOp op);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_EXCHANGESTEPS_H
