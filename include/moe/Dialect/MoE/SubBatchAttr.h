// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of a batch an op is of.

#ifndef MOE_DIALECT_MOE_SUBBATCHATTR_H
#define MOE_DIALECT_MOE_SUBBATCHATTR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "moe/Dialect/MoE/AnnotatedCost.h"

namespace moe {

/// Name of the attribute, an i64 of at least 0, that says of an op, layer or
/// task which part of the batch it works for. Ops of different parts depend on
/// each other in sums only.
inline constexpr llvm::StringLiteral kSubBatchAttrName = "moe.sub_batch";

/// Whether an attribute of an op says when or for how long it runs, and nothing
/// of what it computes.
inline bool isScheduleHint(llvm::StringRef attribute) {
  return attribute == kSubBatchAttrName || attribute == kStatedTimeAttrName;
}

/// The part that an op states; nullopt for none.
inline std::optional<int64_t> getPart(mlir::Operation *op) {
  auto part = op->getAttrOfType<mlir::IntegerAttr>(kSubBatchAttrName);
  return part ? std::optional(part.getInt()) : std::nullopt;
}

} // namespace moe

#endif // MOE_DIALECT_MOE_SUBBATCHATTR_H
