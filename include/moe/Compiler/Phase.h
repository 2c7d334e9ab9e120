//===- Phase.h - The ladder of a compilation --------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_PHASE_H
#define MOE_COMPILER_PHASE_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class ModuleOp;
class Operation;
class OpPassManager;
} // namespace mlir

namespace moe {

/// The phases a program goes through, in order. Each is a pass pipeline of its
/// own, which requires what the phase below promises and ends with a check of
/// what it promises itself.
enum class CompilePhase {
  /// The baseline as a frontend made it, checked and canonical.
  Import,
  /// All-to-alls rewritten into drop / all-to-all / all-gather.
  Decompose,
  /// Decomposition, scope and chunk count of each layer as they are fastest on
  /// a platform: instead of Decompose when it is run from the import.
  Pipeline,
  /// Every function on streams.
  Schedule,
  /// What a rank's host tells the runtime, on planned buffers.
  Runtime,
  /// Calls of the runtime's C interface.
  LLVM
};

constexpr CompilePhase kFirstPhase = CompilePhase::Import;
constexpr CompilePhase kLastPhase = CompilePhase::LLVM;

/// "import", "decompose", "pipeline", "schedule", "runtime", "llvm".
llvm::StringRef getName(CompilePhase phase);

/// The phase a module has come to: the last one that leaves a mark on some
/// function of it. Import when there is none, for what Decompose makes are ops
/// like those of any program.
CompilePhase findPhase(mlir::ModuleOp module);

/// Whether an op is an entry function on buffers, which the phase Runtime
/// makes.
bool isHost(mlir::Operation *op);

/// Whether an op is code that can be called from outside, which the phase LLVM
/// makes.
bool isCode(mlir::Operation *op);

/// Appends the checks of what a module that has been through a phase keeps.
void addPromise(mlir::OpPassManager &manager, CompilePhase phase);

} // namespace moe

#endif // MOE_COMPILER_PHASE_H
