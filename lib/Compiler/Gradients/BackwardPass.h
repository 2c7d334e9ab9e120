// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backward pass and positions for its gradient all-reduces.

#ifndef MOE_LIB_COMPILER_GRADIENTS_BACKWARDPASS_H
#define MOE_LIB_COMPILER_GRADIENTS_BACKWARDPASS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/Timing.h"
#include "moe/Schedule/GradientPartition.h"

namespace moe {

/// A gradient that is summed over ranks and then returned by the function.
struct Gradient {
  AllReduceOp op;
  /// The generalized layer of the gradient.
  int64_t layer;
  int64_t elements;
  /// Its size, in elements of the gradients that `allReduce` describes.
  int64_t units;
  /// The number of ranks in the sum.
  int64_t ranks;
};

/// The backward pass of a function for the partition of gradients: `moe.layer`
/// ops of the backward phase and the ops between them, in program order; layer
/// 0 is the last. Each generalized layer consists of a backward layer and the
/// ops before it. The ops after the last backward layer are a generalized layer
/// without an MoE part. Ops of a layer before its dispatch and after its
/// combine count as dense. A gradient of a backward layer counts as part of the
/// dense part after it, by which time it is available.
struct BackwardPass {
  mlir::func::FuncOp function;
  llvm::SmallVector<LayerOp> layers;
  llvm::SmallVector<Gradient> gradients;
  /// By generalized layer; the caller sets the times of MoE parts.
  std::vector<schedule::GeneralizedLayer> network;
  /// Time of an all-reduce by units.
  schedule::LinearTime allReduce;
  /// Bytes of a unit.
  double unitBytes = 0;

  int64_t getNumLayers() const { return network.size(); }
  /// Returns the backward layer of a generalized layer; null for the last one.
  LayerOp getLayerOp(int64_t layer) const {
    return layer == 0 ? LayerOp() : layers[layers.size() - layer];
  }
};

/// Finds the backward pass of a function. Its gradients are all-reduces between
/// nodes (the ranks of the machine's innermost level) after the last forward
/// layer; the function returns their results and does not read them otherwise.
/// Calls `skip` with every other all-reduce and the reason. Returns nullopt if
/// there are no backward layers or no gradients; emits an error and fails if an
/// op has no time.
llvm::FailureOr<std::optional<BackwardPass>>
findBackwardPass(mlir::func::FuncOp function, OpTimer &timer,
                 llvm::function_ref<void(AllReduceOp, llvm::StringRef)> skip);

} // namespace moe

#endif // MOE_LIB_COMPILER_GRADIENTS_BACKWARDPASS_H
