//===- NodeRows.h - Rows between and inside nodes ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_DIALECT_MOE_NODEROWS_H
#define MOE_LIB_DIALECT_MOE_NODEROWS_H

#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The value that a layer, a task or a schedule hands out under another name.
mlir::Value getHandedOut(mlir::Value value);
/// The op that makes a value, under whatever name; null for an argument.
inline mlir::Operation *findMaker(mlir::Value value) {
  return getHandedOut(value).getDefiningOp();
}

/// The plan of an exchange between or inside nodes; null for other exchanges,
/// and where the plan is not to be seen.
NodePlanOp findNodePlan(RaggedAllToAllOp exchange);

/// Rows that a rank sends in an exchange between or inside nodes where gates
/// are balanced: one a token and node between nodes, one a copy inside. Nullopt
/// for other exchanges, and where nobody sees how many there are.
std::optional<double> getExpectedNodeRows(RaggedAllToAllOp exchange);

} // namespace moe

#endif // MOE_LIB_DIALECT_MOE_NODEROWS_H
