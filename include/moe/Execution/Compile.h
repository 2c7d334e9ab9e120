// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phases that make a program run.

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

/// Registers what compiling needs beyond the dialects: inlining and the
/// translation to LLVM IR.
void registerCompilation(mlir::DialectRegistry &registry);

/// Brings a module of phase `runtime` to `llvm` for a target, and adds to one
/// of phase `llvm` what programs are asked for: for each entry a function on
/// values with the signature that `moert.program` keeps, whose body means
/// nothing
/// (`compileToLLVM` takes the code), and the mesh. Leaves modules before these
/// phases alone. Emits an error that says what the module lacks, and fails.
mlir::LogicalResult
completeLowered(mlir::ModuleOp module,
                const ConvertMoERTToLLVMOptions &target = {});

/// The options for programs that are run at once: the driver translates PTX for
/// its GPU, which takes less than machine code for all that there might be.
ConvertMoERTToLLVMOptions getOptionsToRun(CompileTarget target);

/// Whether a completed module has code for the function @`entry`.
bool isLowered(mlir::ModuleOp module, llvm::StringRef entry);

/// Emits an error and fails when the code of @`entry` was compiled for another
/// target than this one: what it puts on streams would be refused there.
mlir::LogicalResult verifyTarget(mlir::ModuleOp module, llvm::StringRef entry,
                                 CompileTarget target);

/// A copy of the code of a completed module with `entry` as the only public
/// function.
mlir::OwningOpRef<mlir::ModuleOp> takeLowered(mlir::ModuleOp module,
                                              llvm::StringRef entry);

/// Runs the phases `schedule`, `runtime` and `llvm`, as far as the module has
/// not been through them (`completeLowered` first), on a copy that keeps only
/// function @`entry` and what it needs. The result has one public function,
/// `moe_ENTRY`, and is in the LLVM dialect. `onScheduled` sees the copy after
/// the phase `schedule`. A module that is in the phase `llvm` must have been
/// compiled for the target. Emits errors and fails otherwise.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> compileToLLVM(
    mlir::ModuleOp module, llvm::StringRef entry,
    llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)> onScheduled = {},
    const ConvertMoERTToLLVMOptions &target = {});

} // namespace moe

#endif // MOE_EXECUTION_COMPILE_H
