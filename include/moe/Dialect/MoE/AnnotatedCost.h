// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution times that users state on ops.

#ifndef MOE_DIALECT_MOE_ANNOTATEDCOST_H
#define MOE_DIALECT_MOE_ANNOTATEDCOST_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// Name of the attribute, an f64 of at least 0, with which users state the
/// execution time of their own op in microseconds per rank. Models read it for
/// ops that they know nothing else about.
inline constexpr llvm::StringLiteral kStatedTimeAttrName = "moe.time_us";

inline std::optional<double> getStatedTimeUs(mlir::Operation *op) {
  if (auto time = op->getAttrOfType<mlir::FloatAttr>(kStatedTimeAttrName))
    return time.getValueAsDouble();
  return std::nullopt;
}

/// Sets the stated time of `op`, which does one of `parts` equal parts of the
/// work, to its share of the whole op's stated time, if there is one.
inline void shareStatedTime(mlir::Operation *op, int64_t parts) {
  if (std::optional<double> us = getStatedTimeUs(op))
    op->setAttr(
        kStatedTimeAttrName,
        mlir::Builder(op->getContext()).getF64FloatAttr(*us / double(parts)));
}

} // namespace moe

#endif // MOE_DIALECT_MOE_ANNOTATEDCOST_H
