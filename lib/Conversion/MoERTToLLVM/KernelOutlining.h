// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launched bodies as kernels.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELOUTLINING_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELOUTLINING_H

#include "Kernels.h"

namespace moe {

/// Makes kernels of all bodies that a module launches. Members are called in
/// their order; one that fails has emitted an error.
class KernelMaker {
public:
  KernelMaker(mlir::ModuleOp module, RunPasses run)
      : module(module), symbols(module), run(run) {}

  /// Cuts the bodies into kernels, and takes those that only streams run from
  /// the list.
  llvm::LogicalResult cut(llvm::SmallVectorImpl<mlir::Operation *> &bodies);
  /// Keeps what the module asks of NCCL.
  llvm::LogicalResult readWishes();
  /// What becomes of them: PTX and cubins, ...
  llvm::LogicalResult makeImages(const ConvertMoERTToLLVMOptions &options);
  /// ... or functions, which it adds to the bodies, and their image, once the
  /// bodies are in the LLVM dialect.
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
