// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer that runs in chunks of tokens.

#ifndef MOE_LIB_COMPILER_VARIANTS_TOKENLAYER_H
#define MOE_LIB_COMPILER_VARIANTS_TOKENLAYER_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Compiler/LayerVariant.h"

namespace moe {

/// One pass of a layer that drops nothing.
struct TokenLayer {
  TokenChunks chunks;
  /// Ops from dispatch to combine, which run in chunks.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Collectives of the pass in front of the last of these with no part in
  /// them, in order: what is sent between dispatches and combines.
  llvm::SmallVector<CollectiveOpInterface> beside;
};

/// The only plan of who sends how many rows in a module of one layer; null for
/// layers with a capacity.
mlir::Operation *findPlan(mlir::ModuleOp alone);

/// The pass `phase` of the layer that `plan` is of; nullopt, with the reason,
/// when it cannot run in chunks of tokens around its experts.
std::optional<TokenLayer> findTokenLayer(mlir::Operation *plan, Phase phase,
                                         std::string &reason);

/// The forms of a layer's passes, by phase; those with chunks.
struct TokenForms {
  std::optional<LayerVariant> forward, backward;
};

/// Runs the layer that `plan` is of, with its backward pass, in the chunks of
/// its forms. Emits an error and fails where it cannot, or the passes are to
/// run in chunks of other numbers.
llvm::LogicalResult cutTokens(mlir::Operation *plan, const RowProvenance &rows,
                              const TokenForms &forms);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_TOKENLAYER_H
