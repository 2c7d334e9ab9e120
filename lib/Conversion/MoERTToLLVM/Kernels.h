// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies as device kernels.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELS_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Conversion/KernelImages.h"
#include "moe/Conversion/Passes.h"
#include "moe/Dialect/MoE/NcclAttr.h"

namespace moe {

/// An argument of a kernel: an operand of the launch, or scratch memory of the
/// body on the device.
struct KernelOperand {
  enum Kind { Operand, Scratch };
  Kind kind;
  /// The operand's number, or the byte offset in the scratch memory.
  int64_t number;
};

struct KernelLaunch {
  /// Name of the kernel in its image.
  std::string name;
  llvm::SmallVector<KernelOperand> operands;
  int64_t numBlocks = 1, numThreads = 1;
};

/// A body as a sequence of kernel launches on one stream.
struct BodyKernels {
  llvm::SmallVector<KernelLaunch> launches;
  int64_t scratchBytes = 0;
};

/// Runs passes on an op.
using RunPasses = llvm::function_ref<llvm::LogicalResult(mlir::OpPassManager &,
                                                         mlir::Operation *)>;

/// Cuts a body on buffers into kernels in `kernels`. The body only reads its
/// first `numInputs` arguments. Each parallel loop becomes a kernel of many
/// threads, and the ops between loops become kernels of one thread. Kernels use
/// neither barriers nor shared memory. The body must not be used afterwards.
/// Emits an error that names an op with its location, and fails, if devices
/// cannot run the body.
mlir::FailureOr<BodyKernels> cutBody(mlir::func::FuncOp body, int64_t numInputs,
                                     mlir::gpu::GPUModuleOp kernels,
                                     RunPasses run);

/// Emits an error and fails if devices cannot run an op, after math is expanded
/// and 16-bit floats are computed as f32.
llvm::LogicalResult verifyKernels(mlir::gpu::GPUModuleOp kernels);

/// Returns true for an op of `math` that GPU instructions compute like the
/// libraries of CPUs.
bool isMathInstruction(mlir::Operation *op);

/// Replaces `math` functions without device instructions by formulas in f64.
/// Errors are below one unit in the last place for f32, and a few units for
/// f64. Keeps functions without a formula.
void expandMath(mlir::Operation *root);

/// Translates the kernels, which must contain only scalars and blocks, to
/// zero-terminated PTX for an architecture such as sm_80. Emits an error and
/// fails for an unknown architecture, and for calls that would need linking.
mlir::FailureOr<std::string> emitPTX(mlir::gpu::GPUModuleOp kernels,
                                     llvm::StringRef chip);

/// Emits an error at `op` and fails for an unknown NVIDIA architecture.
llvm::LogicalResult verifyChip(mlir::Operation *op, llvm::StringRef chip);

/// Machine code of the kernels for one architecture, which is 10 * major +
/// minor.
struct Cubin {
  int32_t architecture;
  std::string code;
};

/// Assembles PTX into the requested machine code, with the `ptxas` of the
/// toolkit option, of CUDA_HOME or of the path; a remark reports the results
/// and the tool. Emits an error and fails for architectures that do not exist
/// or are older than the PTX chip, if a required `ptxas` is missing, and for
/// errors of `ptxas`, at the kernel that caused them.
mlir::FailureOr<llvm::SmallVector<Cubin>>
assembleCubins(mlir::gpu::GPUModuleOp kernels, llvm::StringRef ptx,
               const ConvertMoERTToLLVMOptions &options);

/// A kernel of the CPU image (moert_cpu_image.h).
struct CpuKernel {
  std::string name;
  mlir::Operation *definition;
  /// The function of one thread, after lowering.
  std::string function;
};

/// Moves the kernels, which must contain only scalars and blocks, into
/// functions of the module around them, with the numbers of the thread as an
/// additional argument.
llvm::SmallVector<CpuKernel> makeCpuKernels(mlir::gpu::GPUModuleOp kernels,
                                            mlir::SymbolTable &symbols);

/// Adds the image of functions that are already in the LLVM dialect to the
/// module, and returns its bytes.
int64_t makeCpuImage(llvm::ArrayRef<CpuKernel> kernels,
                     mlir::SymbolTable &symbols, mlir::ModuleOp module);

/// Discardable attribute of a loop with hints for LLVM, which lowerings pass on
/// to the branch of the loop.
inline constexpr llvm::StringLiteral kLoopAnnotationName =
    "llvm.loop_annotation";

/// Symbols of the image and of the table of cubins.
inline constexpr llvm::StringLiteral kImageName = kKernelImageName,
                                     kCubinsName = "moert_cubins";

/// The data for launching bodies.
struct DeviceCode {
  NcclWishes wishes;
  llvm::StringMap<BodyKernels> bodies;
  int64_t imageBytes = 0, numCubins = 0;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELS_H
