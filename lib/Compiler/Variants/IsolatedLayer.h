// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer in a module of its own.

#ifndef MOE_LIB_COMPILER_VARIANTS_ISOLATEDLAYER_H
#define MOE_LIB_COMPILER_VARIANTS_ISOLATEDLAYER_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/ControlFlow.h"

namespace moe {

/// A copy of a layer in a module of one function, with what the layer reads
/// from outside as arguments that vary as it does there.
class IsolatedLayer {
public:
  /// `control` is of the module around the layer: one for all its layers, since
  /// it reads the whole of it. Several layers, in their order, are alone
  /// together, and hand out what others read.
  IsolatedLayer(llvm::ArrayRef<LayerOp> layers, const ControlInfo &control);

  mlir::ModuleOp getModule() { return *module; }
  /// The text of the module without the layer's own name, in which alone two
  /// layers of one shape differ; with it where traffic says what the layer
  /// sends.
  std::string getKey();
  /// Why the layer cannot be a pipeline's, where it stands: `moe-schedule`
  /// launches chunks outside of branches only. Empty when it can. Layers that
  /// differ in it have different keys.
  const std::string &getPipelineObstacle() const { return pipelineObstacle; }
  /// Replaces the layer by what has become of its copy, and erases it. What
  /// the layer reads may have been replaced since. Of one layer only.
  void putBack();

private:
  /// Finds what the layers read from outside, once each.
  void findCaptured();

  llvm::SmallVector<LayerOp, 2> layers;
  /// Who reads arguments of the module's function, in their order, and who
  /// constants, which come along: what a layer may become can depend on their
  /// values, and they may stand anywhere around it.
  llvm::SmallVector<mlir::OpOperand *> arguments, constants;
  std::string pipelineObstacle;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The only layer of a module that `IsolatedLayer` makes.
LayerOp getLayer(mlir::ModuleOp alone);
/// One of several, or the only one.
LayerOp getLayer(mlir::ModuleOp alone, Phase phase);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_ISOLATEDLAYER_H
