// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer isolated in its own module.

#ifndef MOE_LIB_COMPILER_VARIANTS_ISOLATEDLAYER_H
#define MOE_LIB_COMPILER_VARIANTS_ISOLATEDLAYER_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/ControlFlow.h"

namespace moe {

/// A copy of the layer in a module with one function. The layer's outside
/// values become arguments with the same varying axes.
class IsolatedLayer {
public:
  /// `control` belongs to the module around the layer and should be shared by
  /// all its layers, because it analyzes the whole module. Several layers, in
  /// program order, are isolated together and return the values that other ops
  /// read.
  IsolatedLayer(llvm::ArrayRef<LayerOp> layers, const ControlInfo &control);

  mlir::ModuleOp getModule() { return *module; }
  /// Returns the text of the module without the layer's name, because layers of
  /// one shape differ only in it. Includes the name if a routing trace
  /// determines the layer's traffic.
  std::string getKey();
  /// Returns the reason why the layer cannot be pipelined at its position, or
  /// an empty string: `moe-schedule` launches chunks outside of branches only.
  /// Layers with different reasons have different keys.
  const std::string &getPipelineObstacle() const { return pipelineObstacle; }
  /// Replaces the layer by its rewritten copy, and erases it. The values that
  /// the layer reads may have been replaced in the meantime. Only for a single
  /// layer.
  void putBack();

private:
  /// Collects the values that the layers read from outside, once each.
  void findCaptured();

  llvm::SmallVector<LayerOp, 2> layers;
  /// The uses of the function's arguments, in order, and the uses of constants.
  /// Constants are copied, because variants can depend on their values; they
  /// may be anywhere around the layer.
  llvm::SmallVector<mlir::OpOperand *> arguments, constants;
  std::string pipelineObstacle;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Returns the only layer of a module that `IsolatedLayer` built.
LayerOp getLayer(mlir::ModuleOp alone);
/// Returns the layer of a phase, or the only one.
LayerOp getLayer(mlir::ModuleOp alone, Phase phase);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_ISOLATEDLAYER_H
