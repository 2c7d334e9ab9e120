// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way a program is compiled.

#ifndef MOE_COMPILER_COMPILE_H
#define MOE_COMPILER_COMPILE_H

#include "moe/Compiler/Passes.h"
#include "moe/Compiler/Phase.h"
#include "moe/Conversion/Passes.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace moe {

/// How a program is compiled. The options of the phases choose, schedule and
/// llvm are those of their passes, declared in PlanOptions.td and
/// TargetOptions.td (docs/reference/passes.md, "--moe-compile").
struct CompileOptions : ChoosePlanOptions,
                        SchedulePlanOptions,
                        ConvertMoERTToLLVMOptions {
  CompileOptions() = default;
  /// For the phase llvm alone.
  explicit CompileOptions(const ConvertMoERTToLLVMOptions &target)
      : ConvertMoERTToLLVMOptions(target) {}

  /// The first phase to run.
  CompilePhase from = kFirstPhase;
  /// Description of the machine to compile for, a path or the name of one that
  /// ships: attached to the module first. Without it a module keeps the
  /// platform it has; without any there is no plan, which Pipeline needs.
  std::string platform;
  /// Traffic to compile for, a trace: attached to the module first. Without it
  /// a module keeps the traffic it has; without any all routing is even.
  std::string traffic;
  /// Whether the phase Choose takes what has the least 95th percentile over the
  /// trace, which may be the module's own, and not the least mean.
  bool robust = false;
  /// Whether the phase Schedule changes optical circuits where that pays on a
  /// platform that has some, and by which policy.
  CircuitUse circuits = CircuitUse::Auto;
  /// Whether each phase checks its promise, and passes what they make. Not for
  /// trials, of which the one that is kept is checked where it is kept.
  bool verifies = true;
};

/// Passes that an optional component appends to a phase, behind the passes of
/// the phase itself.
struct PhaseExtension {
  CompilePhase phase;
  void (*addPasses)(mlir::OpPassManager &manager,
                    const CompileOptions &options);
  /// The passes plan optical circuits, as `CompileOptions::circuits` says.
  bool plansCircuits = false;
  /// Registers the dialects of what the passes add; null for none.
  void (*registerDialects)(mlir::DialectRegistry &registry) = nullptr;
};

/// Adds an extension once, before the first compilation.
void registerPhaseExtension(const PhaseExtension &extension);
/// Registers the dialects of all extensions.
void registerExtensionDialects(mlir::DialectRegistry &registry);

/// What is wrong with the options of a compilation up to phase `to`, in words
/// that say what was expected; empty when nothing is: `from` comes after `to`,
/// a choice is forced without the phase Choose, which alone reads these
/// options, circuits or priorities without the phase Schedule, a schedule is
/// given beside a strategy or degree, a target without the phase LLVM, or
/// images of kernels without the target `nccl`. (Which chips there are is for
/// the phase to say.)
std::string checkOptions(CompilePhase to, const CompileOptions &options);

/// Appends the passes of the phases `options.from` to `to`, both included, in
/// front of them the check of what the phase below promises. The options are
/// those that `checkOptions` has nothing to say against.
void addPhases(mlir::OpPassManager &manager, CompilePhase to,
               const CompileOptions &options);

/// Runs the phases `options.from` to `to`, both included, on a module. Its
/// context needs no more than parsing did (see `registerProgramDialects`).
/// Emits an error and fails when the options are wrong or a phase fails.
llvm::LogicalResult compileTo(mlir::ModuleOp module, CompilePhase to,
                              const CompileOptions &options = {});

/// Runs the phases up to `to` that a module has not been through, and chooses
/// nothing: a plan it has is carried out, and a program without one is
/// scheduled as it is. Emits an error and fails when a phase does.
llvm::LogicalResult resumeCompilation(mlir::ModuleOp module, CompilePhase to);

} // namespace moe

#endif // MOE_COMPILER_COMPILE_H
