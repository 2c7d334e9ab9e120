// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients and where they may be sent.

#ifndef MOE_LIB_COMPILER_GRADIENTS_BACKWARDPASS_H
#define MOE_LIB_COMPILER_GRADIENTS_BACKWARDPASS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/Timing.h"
#include "moe/Schedule/GradientPartition.h"

namespace moe {

/// A gradient that is summed over ranks and then handed out of the function.
struct Gradient {
  AllReduceOp op;
  /// The generalized layer whose gradient it is.
  int64_t layer;
  int64_t elements;
  /// Its work in elements of the gradients that `allReduce` is of.
  int64_t units;
  /// The ranks that it is summed over.
  int64_t ranks;
};

/// The backward pass of a function as the partition of gradients sees it:
/// `moe.layer` ops of the backward phase and the ops between them, in program
/// order; layer 0 is the last. Each generalized layer is the ops in front of a
/// backward layer and this layer; the ops behind the last one are one of their
/// own, without an MoE part. What a layer does in front of its dispatch and
/// behind its combine counts as dense. A gradient made in a backward layer
/// counts as one of the dense part behind it, where it exists at the latest.
struct BackwardPass {
  mlir::func::FuncOp function;
  llvm::SmallVector<LayerOp> layers;
  llvm::SmallVector<Gradient> gradients;
  /// By generalized layer; what MoE parts take is left to the caller.
  std::vector<schedule::GeneralizedLayer> network;
  /// Time of an all-reduce by units.
  schedule::LinearTime allReduce;
  /// Bytes of a unit.
  double unitBytes = 0;

  int64_t getNumLayers() const { return network.size(); }
  /// The backward layer of a generalized layer; null for the last one.
  LayerOp getLayerOp(int64_t layer) const {
    return layer == 0 ? LayerOp() : layers[layers.size() - layer];
  }
};

/// Finds the backward pass of a function: its gradients are all-reduces between
/// nodes (of ranks of the machine's innermost level) behind the last forward
/// layer, whose results the function hands out and nobody else reads. `skip` is
/// called with every other one and the reason. Nullopt when there are no
/// backward layers or no gradients; fails, with an error, where an op has no
/// time.
llvm::FailureOr<std::optional<BackwardPass>>
findBackwardPass(mlir::func::FuncOp function, OpTimer &timer,
                 llvm::function_ref<void(AllReduceOp, llvm::StringRef)> skip);

} // namespace moe

#endif // MOE_LIB_COMPILER_GRADIENTS_BACKWARDPASS_H
