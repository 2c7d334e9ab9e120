// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run of a function does of a model.

#ifndef MOE_DIALECT_MOE_MODELWORK_H
#define MOE_DIALECT_MOE_MODELWORK_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace moe {

/// Name of the attribute of a function, `{tokens = N : i64, flops = F : f64}`,
/// both above 0, by which whoever makes the function says what one run of it on
/// all ranks together does of the model. It cannot be counted on the ops: these
/// also compute free slots, and what several ranks do alike.
inline constexpr llvm::StringLiteral kModelWorkAttrName = "moe.work";

/// What one run does, all ranks together.
struct ModelWork {
  /// Tokens of the batch, each of them once.
  int64_t tokens = 0;
  /// Floating-point operations that the model asks for on these: two for each
  /// multiply-accumulate of its matrix products, no padding, nothing that is
  /// computed again.
  double flops = 0;
};

/// What an attribute of that name states; nothing when it is not of that form.
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
