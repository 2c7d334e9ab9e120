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

/// The phases a program goes through, in order. Each is a pass pipeline of its
/// own, which requires what the phase below promises and ends with a check of
/// what it promises itself.
enum class CompilePhase {
  /// The baseline as a frontend made it, checked and canonical.
  Import,
  /// What layers and the step as a whole shall become on a platform, written
  /// on them (see Plan.h); nothing without a platform.
  Choose,
  /// All-to-alls rewritten as the plan says; without one into drop /
  /// all-to-all / all-gather.
  Decompose,
  /// Chunks of layers, and pieces of gradients, as the plan says.
  Pipeline,
  /// Every function on streams, as the plan says.
  Schedule,
  /// What a rank's host tells the runtime, on planned buffers.
  Runtime,
  /// Calls of the runtime's C interface.
  LLVM
};

constexpr CompilePhase kFirstPhase = CompilePhase::Import;
constexpr CompilePhase kLastPhase = CompilePhase::LLVM;

template <> struct EnumNames<CompilePhase> {
  static constexpr EnumName<CompilePhase> all[] = {
      {CompilePhase::Import, "import", "verify and canonicalize the baseline"},
      {CompilePhase::Choose, "choose",
       "choose the compile plan for the platform"},
      {CompilePhase::Decompose, "decompose",
       "rewrite all-to-alls as the plan states"},
      {CompilePhase::Pipeline, "pipeline", "chunk layers and bucket gradients"},
      {CompilePhase::Schedule, "schedule", "schedule ops as tasks on streams"},
      {CompilePhase::Runtime, "runtime",
       "lower to host code with runtime ops on buffers"},
      {CompilePhase::LLVM, "llvm",
       "lower to calls of the runtime's C interface"}};
};

inline llvm::StringRef getName(CompilePhase phase) {
  return getEnumName(phase);
}

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
