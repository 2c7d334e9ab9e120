// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times that users state.

#ifndef MOE_DIALECT_MOE_ANNOTATEDCOST_H
#define MOE_DIALECT_MOE_ANNOTATEDCOST_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// Name of the attribute, an f64 of at least 0, by which an op of a user's own
/// says how many microseconds it takes on a rank. Read of ops nothing else is
/// known about.
inline constexpr llvm::StringLiteral kStatedTimeAttrName = "moe.time_us";

inline std::optional<double> getStatedTimeUs(mlir::Operation *op) {
  if (auto time = op->getAttrOfType<mlir::FloatAttr>(kStatedTimeAttrName))
    return time.getValueAsDouble();
  return std::nullopt;
}

/// States of an op that does one of so many parts its share of what was stated
/// of the whole, if anything was.
inline void shareStatedTime(mlir::Operation *op, int64_t parts) {
  if (std::optional<double> us = getStatedTimeUs(op))
    op->setAttr(
        kStatedTimeAttrName,
        mlir::Builder(op->getContext()).getF64FloatAttr(*us / double(parts)));
}

} // namespace moe

#endif // MOE_DIALECT_MOE_ANNOTATEDCOST_H
