// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-batches of ops.

#ifndef MOE_DIALECT_MOE_SUBBATCHATTR_H
#define MOE_DIALECT_MOE_SUBBATCHATTR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"

namespace moe {

/// Name of the attribute, an i64 of at least 0, with the sub-batch that an op,
/// layer or task works for. Ops of different sub-batches depend on each other
/// in sums only.
inline constexpr llvm::StringLiteral kSubBatchAttrName = "moe.sub_batch";

/// Returns true if an attribute concerns only the start or duration of an op
/// and not its results.
inline bool isScheduleHint(llvm::StringRef attribute) {
  return attribute == kSubBatchAttrName || attribute == kStatedTimeAttrName;
}

/// Returns the sub-batch that an op states, or nullopt.
inline std::optional<int64_t> getPart(mlir::Operation *op) {
  auto part = op->getAttrOfType<mlir::IntegerAttr>(kSubBatchAttrName);
  return part ? std::optional(part.getInt()) : std::nullopt;
}

} // namespace moe

#endif // MOE_DIALECT_MOE_SUBBATCHATTR_H
