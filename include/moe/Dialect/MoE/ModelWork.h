// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that one run of a function does for a model.

#ifndef MOE_DIALECT_MOE_MODELWORK_H
#define MOE_DIALECT_MOE_MODELWORK_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// Name of the function attribute `{tokens = N : i64, flops = F : f64}`, both
/// above 0, with the work of the model in one run on all ranks together. The
/// producer of the function states it because the ops do not show it: they also
/// compute free slots and duplicate work on several ranks.
inline constexpr llvm::StringLiteral kModelWorkAttrName = "moe.work";

/// The model's work in one run, over all ranks.
struct ModelWork {
  /// Tokens of the batch, each counted once.
  int64_t tokens = 0;
  /// Floating-point operations of the model for these tokens: two for each
  /// multiply-accumulate of its matrix products, without padding and
  /// recomputation.
  double flops = 0;
};

/// Parses the attribute; returns nullopt if it does not have this form.
inline std::optional<ModelWork> parseModelWork(mlir::Attribute attr) {
  auto fields = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(attr);
  if (!fields || fields.size() != 2)
    return std::nullopt;
  auto tokens = fields.getAs<mlir::IntegerAttr>("tokens");
  auto flops = fields.getAs<mlir::FloatAttr>("flops");
  if (!tokens || !tokens.getType().isSignlessInteger(64) || !flops ||
      !flops.getType().isF64() || tokens.getInt() <= 0 ||
      !flops.getValue().isFinite() || !(flops.getValueAsDouble() > 0))
    return std::nullopt;
  return ModelWork{tokens.getInt(), flops.getValueAsDouble()};
}

inline std::optional<ModelWork> getModelWork(mlir::Operation *function) {
  return parseModelWork(function->getAttr(kModelWorkAttrName));
}

} // namespace moe

#endif // MOE_DIALECT_MOE_MODELWORK_H
