// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launched bodies as kernels.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELOUTLINING_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELOUTLINING_H

#include "Kernels.h"

namespace moe {

/// Converts all bodies that a module launches to kernels. Members must be
/// called in their order of declaration; if one fails, it has emitted an error.
class KernelMaker {
public:
  KernelMaker(mlir::ModuleOp module, RunPasses run)
      : module(module), symbols(module), run(run) {}

  /// Cuts the bodies into kernels, and removes bodies that only streams run
  /// from the list.
  llvm::LogicalResult cut(llvm::SmallVectorImpl<mlir::Operation *> &bodies);
  /// Reads the NCCL settings of the module.
  llvm::LogicalResult readWishes();
  /// Translates kernels to PTX and cubins.
  llvm::LogicalResult makeImages(const ConvertMoERTToLLVMOptions &options);
  /// Alternatively, converts kernels to functions and appends them to the
  /// bodies. `makeImage` builds their image, once the bodies are in the LLVM
  /// dialect.
  void makeFunctions(llvm::SmallVectorImpl<mlir::Operation *> &bodies);
  void makeImage();

  const DeviceCode &getCode() const { return code; }

private:
  mlir::LLVM::GlobalOp addBytes(llvm::StringRef name, llvm::StringRef bytes);
  void addCubins(llvm::ArrayRef<Cubin> cubins);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  RunPasses run;
  mlir::gpu::GPUModuleOp kernels;
  llvm::SmallVector<CpuKernel> functions;
  DeviceCode code;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELOUTLINING_H
