// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ladder of a compilation.

#ifndef MOE_COMPILER_PHASE_H
#define MOE_COMPILER_PHASE_H

#include "moe/Support/EnumNames.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ModuleOp;
class Operation;
class OpPassManager;
} // namespace mlir

namespace moe {

/// The phase a module has come to: the one its plan says it has, or the last
/// one that leaves a mark on some function. Import when there is neither, for
/// what Decompose makes are ops like those of any program.
CompilePhase findPhase(mlir::ModuleOp module);

/// Emits an error, in the name of the pass `user`, of a program that is past the
/// phase Choose: it would be chosen for a second time.
llvm::LogicalResult requireUnplanned(mlir::ModuleOp module,
                                     llvm::StringRef user);

/// Whether an op is an entry function on buffers, which the phase Runtime
/// makes.
bool isHostProgram(mlir::Operation *op);

/// Whether an op is code that can be called from outside, which the phase LLVM
/// makes.
bool isEntryPoint(mlir::Operation *op);

/// Appends the checks of what a module that has been through a phase keeps.
void addPhaseVerifier(mlir::OpPassManager &manager, CompilePhase phase);

} // namespace moe

#endif // MOE_COMPILER_PHASE_H
