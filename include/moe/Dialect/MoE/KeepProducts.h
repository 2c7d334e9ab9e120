// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of experts that the backward pass reuses.
//
// The ops of training steps are independent at first: gradients recompute the
// products of the forward pass, so that rewrites need not know about the
// relation. Once the tasks are known, this file joins the tasks that compute
// the same products. Experts keep their inner products for `experts_dgrad`,
// unless the plan is to recompute them, and `experts_dgrad` hands its products
// to `experts_wgrad`. A backward pass then takes two products per weight
// (`keep`), or two and the inner ones again (`recompute`).

#ifndef MOE_DIALECT_MOE_KEEPPRODUCTS_H
#define MOE_DIALECT_MOE_KEEPPRODUCTS_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// The choice to keep or recompute the inner products of experts for gradients.
enum class ExpertProducts { Keep, Recompute };

/// Name of the module attribute with the choice: "keep", the default, or
/// "recompute".
constexpr llvm::StringLiteral kExpertProductsAttrName = "moe.expert_products";
/// Marks modules that are only timed. Their forward pass is elsewhere, or their
/// tasks are not joined, so gradients take as long as in the whole step.
constexpr llvm::StringLiteral kPartOfStepAttrName = "moe.part_of_step";

ExpertProducts getExpertProducts(mlir::ModuleOp module);
void setExpertProducts(mlir::ModuleOp module, ExpertProducts products);

/// Returns true if a gradient computes more than one product per weight,
/// because it recomputes intermediate results. Outside of tasks, predicts the
/// outcome of joining.
bool multipliesAgain(ExpertsDgradOp op);
bool multipliesAgain(ExpertsWgradOp op);

/// Numbers of gradients by whether they reuse the products of other ops.
struct JoinedProducts {
  /// Token gradients that read kept products, and those that recompute them.
  int64_t kept = 0, recomputed = 0;
  /// Weight gradients that read handed-on products, and those that do not.
  int64_t handed = 0, alone = 0;
};

/// Joins the ops of a block, or the ops of its tasks if it is a schedule. Finds
/// experts by their operands. If only one side was cut into chunks, builds
/// tasks that assemble the chunks on the stream that `getCopyStream` returns.
/// Leaves all other gradients unchanged.
JoinedProducts
joinProducts(mlir::Block &block, ExpertProducts products,
             llvm::function_ref<mlir::FlatSymbolRefAttr()> getCopyStream);

} // namespace moe

#endif // MOE_DIALECT_MOE_KEEPPRODUCTS_H
