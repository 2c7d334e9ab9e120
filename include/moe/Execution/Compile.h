// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles programs to executable code.

#ifndef MOE_EXECUTION_COMPILE_H
#define MOE_EXECUTION_COMPILE_H

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"
#include "moe/Conversion/Passes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace moe {

/// Registers the requirements of compilation beyond the dialects: inlining and
/// the translation to LLVM IR.
void registerCompilation(mlir::DialectRegistry &registry);

/// Compiles a module of phase `runtime` to `llvm` for a target. Then adds to a
/// module of phase `llvm` the parts that programs are read from: the mesh, and
/// for each entry a function on values with the signature that `moert.program`
/// keeps. The bodies of these functions are meaningless, because
/// `compileToLLVM` takes the code. Does not change modules of earlier phases.
/// Emits an error that names the missing part, and fails.
mlir::LogicalResult
completeLowered(mlir::ModuleOp module,
                const ConvertMoERTToLLVMOptions &target = {});

/// Returns the options for programs that are run immediately. The driver then
/// translates PTX for its GPU, which is faster than generating machine code for
/// all possible GPUs.
ConvertMoERTToLLVMOptions getOptionsToRun(CompileTarget target);

/// Returns true if a completed module has code for the function @`entry`.
bool isLowered(mlir::ModuleOp module, llvm::StringRef entry);

/// Emits an error and fails if the code of @`entry` was compiled for another
/// target than `target`, because the runtime would reject the work that it
/// enqueues.
mlir::LogicalResult verifyTarget(mlir::ModuleOp module, llvm::StringRef entry,
                                 CompileTarget target);

/// Returns a copy of the code of a completed module with `entry` as the only
/// public function.
mlir::OwningOpRef<mlir::ModuleOp> takeLowered(mlir::ModuleOp module,
                                              llvm::StringRef entry);

/// Runs the remaining phases of `schedule`, `runtime` and `llvm` on a copy of
/// the module that keeps only function @`entry` and its callees. Call
/// `completeLowered` first. The result is in the LLVM dialect and has one
/// public function, `moe_ENTRY`. `onScheduled` is called with the copy after
/// the phase `schedule`. A module in the phase `llvm` must have been compiled
/// for the target. Emits errors and fails otherwise.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> compileToLLVM(
    mlir::ModuleOp module, llvm::StringRef entry,
    llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> onScheduled = {},
    const ConvertMoERTToLLVMOptions &target = {});

} // namespace moe

#endif // MOE_EXECUTION_COMPILE_H
