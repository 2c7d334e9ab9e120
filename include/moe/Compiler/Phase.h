// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequence of compile phases.

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

/// Returns the phase of a module: the one in its plan, or the last one that
/// left a mark on a function. Import if there is neither, because Decompose
/// produces only ops that any program may contain.
CompilePhase findPhase(mlir::ModuleOp module);

/// Emits an error for the pass `user` and fails if the program has passed the
/// phase Choose, because its choices would be made twice.
llvm::LogicalResult requireUnplanned(mlir::ModuleOp module,
                                     llvm::StringRef user);

/// Returns true for an entry function on buffers, which the phase Runtime
/// creates.
bool isHostProgram(mlir::Operation *op);

/// Returns true for code that can be called from outside, which the phase LLVM
/// creates.
bool isEntryPoint(mlir::Operation *op);

/// Appends the checks of the guarantees for a module that has passed a phase.
void addPhaseVerifier(mlir::OpPassManager &manager, CompilePhase phase);

} // namespace moe

#endif // MOE_COMPILER_PHASE_H
