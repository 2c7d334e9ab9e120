// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry point of all compilations.

#ifndef MOE_COMPILER_COMPILE_H
#define MOE_COMPILER_COMPILE_H

#include "moe/Compiler/CircuitUse.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/Phase.h"
#include "moe/Conversion/Passes.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace moe {

/// Options of a compilation. The phases choose, schedule and llvm have the
/// options of their passes, declared in PlanOptions.td and TargetOptions.td
/// (docs/reference/passes.md, "--moe-compile").
struct CompileOptions : ChoosePlanOptions,
                        SchedulePlanOptions,
                        ConvertMoERTToLLVMOptions {
  CompileOptions() = default;
  /// Sets the options of the phase llvm only.
  explicit CompileOptions(const ConvertMoERTToLLVMOptions &target)
      : ConvertMoERTToLLVMOptions(target) {}

  /// The first phase to run.
  CompilePhase from = kFirstPhase;
  /// Description of the target machine, a path or the name of a bundled
  /// platform; it is attached to the module first. If empty, a module keeps its
  /// platform. Without any platform there is no plan, which Pipeline requires.
  std::string platform;
  /// Path of the routing trace; it is attached to the module first. If empty, a
  /// module keeps its trace. Without any trace, all routing is even.
  std::string traffic;
  /// If true, the phase Choose minimizes the 95th percentile over the trace,
  /// which may be the module's own, instead of the mean.
  bool robust = false;
  /// Policy for changing optical circuits in the phase Schedule. It changes
  /// them only if the platform has circuits and this saves time.
  CircuitUse circuits = CircuitUse::Auto;
  /// If true, each phase verifies its guarantees and passes verify their
  /// output. False for trials; the program that is kept is verified later.
  bool verifies = true;
};

/// Passes that an optional component appends to a phase.
struct PhaseExtension {
  CompilePhase phase;
  void (*addPasses)(mlir::OpPassManager &manager,
                    const CompileOptions &options);
  /// True if the passes plan optical circuits according to
  /// `CompileOptions::circuits`.
  bool plansCircuits = false;
  /// Registers the dialects of the ops that the passes create; may be null.
  void (*registerDialects)(mlir::DialectRegistry &registry) = nullptr;
};

/// Adds an extension; must be called once, before the first compilation.
void registerPhaseExtension(const PhaseExtension &extension);
/// Registers the dialects of all extensions.
void registerExtensionDialects(mlir::DialectRegistry &registry);

/// Returns the error in the options of a compilation up to phase `to`, with the
/// expected values, or an empty string. Errors are: `from` is after `to`; a
/// choice is forced without the phase Choose, which alone reads these options;
/// circuits or priorities without the phase Schedule; a schedule combined with
/// a strategy or degree; a target without the phase LLVM; kernel images without
/// the target `nccl`. The phase itself checks the chip.
std::string checkOptions(CompilePhase to, const CompileOptions &options);

/// Appends the passes of the phases `options.from` to `to`, both included,
/// preceded by the check of the previous phase's guarantees. The options must
/// pass `checkOptions`.
void addPhases(mlir::OpPassManager &manager, CompilePhase to,
               const CompileOptions &options);

/// Runs the phases `options.from` to `to`, both included, on a module. Its
/// context needs only the dialects required for parsing (see
/// `registerProgramDialects`). Emits an error and fails if the options are
/// wrong or a phase fails.
llvm::LogicalResult compileTo(mlir::ModuleOp module, CompilePhase to,
                              const CompileOptions &options = {});

/// Runs the phases up to `to` that a module has not passed yet, without
/// choosing anything: applies the module's plan, and schedules a program
/// without a plan unchanged. Emits an error and fails if a phase fails.
llvm::LogicalResult resumeCompilation(mlir::ModuleOp module, CompilePhase to);

} // namespace moe

#endif // MOE_COMPILER_COMPILE_H
