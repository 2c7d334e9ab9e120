// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a backward pass reads of experts' products.
//
// The ops of a training step stand alone: gradients compute again what the
// forward pass multiplied, so that rewrites need not know of it. Once the tasks
// of a step are known, those that multiply the same are joined: experts keep
// their inner products for `experts_dgrad`, unless the plan is to recompute
// them, and that hands on to `experts_wgrad` what it multiplies. A backward
// pass then takes two products per weight (`keep`), or two and the inner ones
// again (`recompute`).

#ifndef MOE_DIALECT_MOE_KEEPPRODUCTS_H
#define MOE_DIALECT_MOE_KEEPPRODUCTS_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Dialect/MoE/MoEOps.h"

namespace moe {

/// Whether forward passes keep the inner products of experts for gradients.
enum class ExpertProducts { Keep, Recompute };

/// Name of the module attribute for it: "keep", as without it, or "recompute".
constexpr llvm::StringLiteral kExpertProductsAttrName = "moe.expert_products";
/// On modules of which only times are wanted: their forward pass is elsewhere,
/// or their tasks are not joined, so gradients take as long as in the whole.
constexpr llvm::StringLiteral kPartOfStepAttrName = "moe.part_of_step";

ExpertProducts getExpertProducts(mlir::ModuleOp module);
void setExpertProducts(mlir::ModuleOp module, ExpertProducts products);

/// Whether a gradient takes more than one product per weight: computes again
/// what was between products. Outside of tasks, whether it will.
bool multipliesAgain(ExpertsDgradOp op);
bool multipliesAgain(ExpertsWgradOp op);

/// How many gradients read what others made.
struct JoinedProducts {
  /// Gradients of tokens that read what was kept, and that compute it again.
  int64_t kept = 0, recomputed = 0;
  /// Gradients of weights that read what was handed on, and that do not.
  int64_t handed = 0, alone = 0;
};

/// Joins the ops of a block; if it holds the tasks of a schedule, their ops.
/// Experts are found by their operands; where the one side was cut into chunks
/// and the other was not, chunks are assembled by tasks on the stream that
/// `getCopyStream` gives. Gradients that none of this fits stay as they are.
JoinedProducts
joinProducts(mlir::Block &block, ExpertProducts products,
             llvm::function_ref<mlir::FlatSymbolRefAttr()> getCopyStream);

} // namespace moe

#endif // MOE_DIALECT_MOE_KEEPPRODUCTS_H
