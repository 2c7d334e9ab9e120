// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies as kernels of a device.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELS_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Conversion/KernelImages.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoE/NcclAttr.h"

namespace moe {

/// What a kernel is given: an operand of the launch, or memory of the body's
/// own on the device.
struct KernelOperand {
  enum Kind { Operand, Scratch };
  Kind kind;
  /// The operand's number, or bytes into the scratch memory.
  int64_t number;
};

struct KernelLaunch {
  /// Of the kernel in its image.
  std::string name;
  llvm::SmallVector<KernelOperand> operands;
  int64_t numBlocks = 1, numThreads = 1;
};

/// A body as launches of kernels, one after another on one stream.
struct BodyKernels {
  llvm::SmallVector<KernelLaunch> launches;
  int64_t scratchBytes = 0;
};

/// Runs passes on an op.
using RunPasses = llvm::function_ref<llvm::LogicalResult(mlir::OpPassManager &,
                                                         mlir::Operation *)>;

/// Cuts a body on buffers, of whose arguments the first `numInputs` are only
/// read, into kernels, which it puts into `kernels`: a kernel of many threads
/// for each parallel loop, and one of one thread for what stands between them.
/// Kernels have no barriers and no memory of a block. Leaves the body unusable.
/// Emits an error that names an op with its place, and fails, for what a device
/// cannot run.
mlir::FailureOr<BodyKernels> cutBody(mlir::func::FuncOp body, int64_t numInputs,
                                     mlir::gpu::GPUModuleOp kernels,
                                     RunPasses run);

/// Emits an error and fails unless an op can run on a device, once math is
/// expanded and floats of 16 bits are computed as f32.
llvm::LogicalResult verifyKernels(mlir::gpu::GPUModuleOp kernels);

/// Replaces functions of `math` that devices have no instruction for by
/// formulas on f64: errors are below one unit in the last place of f32, and a
/// few of f64. Leaves those without a formula.
void expandMath(mlir::Operation *root);

/// The kernels, scalars and blocks only, as PTX of an architecture such as
/// sm_80, with a zero at the end. Emits an error and fails for an architecture
/// that is not known, and for what would have to be linked with.
mlir::FailureOr<std::string> emitPTX(mlir::gpu::GPUModuleOp kernels,
                                     llvm::StringRef chip);

/// Emits an error at `op` and fails for an architecture that is none of
/// NVIDIA's GPUs, as far as they are known here.
llvm::LogicalResult verifyChip(mlir::Operation *op, llvm::StringRef chip);

/// Machine code of the kernels for one architecture, 10 * major + minor.
struct Cubin {
  int32_t architecture;
  std::string code;
};

/// Makes of PTX the machine code that options ask for, with the `ptxas` of the
/// options' toolkit, of CUDA_HOME or of the path; a remark says what is made by
/// which. Emits an error and fails for architectures that there are not or that
/// are before the chip of the PTX, for a `ptxas` that is asked for and not
/// there, and for what it says: at the kernel that is wrong.
mlir::FailureOr<llvm::SmallVector<Cubin>>
assembleCubins(mlir::gpu::GPUModuleOp kernels, llvm::StringRef ptx,
               const ConvertMoERTToLLVMOptions &options);

/// A kernel of the CPU image (moert_cpu_image.h).
struct CpuKernel {
  std::string name;
  mlir::Operation *definition;
  /// The function of one thread, once it is lowered.
  std::string function;
};

/// Moves the kernels, scalars and blocks only, into functions of the module
/// around them that take the numbers of their thread as another argument.
llvm::SmallVector<CpuKernel> makeCpuKernels(mlir::gpu::GPUModuleOp kernels,
                                            mlir::SymbolTable &symbols);

/// Puts the image of functions that are in the LLVM dialect by now into the
/// module, and returns its bytes.
int64_t makeCpuImage(llvm::ArrayRef<CpuKernel> kernels,
                     mlir::SymbolTable &symbols, mlir::ModuleOp module);

/// The symbols of the image and of the table of cubins.
inline constexpr llvm::StringLiteral kImageName = kKernelImageName,
                                     kCubinsName = "moert_cubins";

/// What launches of bodies need.
struct DeviceCode {
  NcclWishes wishes;
  llvm::StringMap<BodyKernels> bodies;
  int64_t imageBytes = 0, numCubins = 0;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELS_H
