// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers in chunks of tokens.

#ifndef MOE_LIB_COMPILER_VARIANTS_TOKENLAYER_H
#define MOE_LIB_COMPILER_VARIANTS_TOKENLAYER_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/TokenChunks.h"
#include "moe/Compiler/LayerVariant.h"

namespace moe {

/// One direction of a dropless layer.
struct TokenLayer {
  TokenChunks chunks;
  /// Ops from dispatch to combine, which run in chunks.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Collectives before the last of these ops that are not part of them, in
  /// order. They run between dispatches and combines.
  llvm::SmallVector<CollectiveOpInterface> beside;
};

/// Returns the only plan of row counts in a module of one layer; null for
/// layers with a capacity.
mlir::Operation *findPlan(mlir::ModuleOp alone);

/// Returns direction `phase` of the layer that contains `plan`. Returns nullopt
/// and sets `reason` if it cannot run in chunks of tokens around its experts.
std::optional<TokenLayer> findTokenLayer(mlir::Operation *plan, Phase phase,
                                         std::string &reason);

/// A layer's variants with chunks, by direction.
struct TokenVariants {
  std::optional<LayerVariant> forward, backward;
};

/// Cuts the layer that contains `plan`, with its backward pass, into the chunks
/// of its variants. Emits an error and fails if that is impossible, or if the
/// numbers of chunks differ between the directions.
llvm::LogicalResult cutTokens(mlir::Operation *plan, const RowProvenance &rows,
                              const TokenVariants &forms);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_TOKENLAYER_H
