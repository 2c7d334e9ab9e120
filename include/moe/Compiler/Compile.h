//===- Compile.h - The one way a program is compiled ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_COMPILER_COMPILE_H
#define MOE_COMPILER_COMPILE_H

#include "moe/Compiler/Phase.h"
#include "moe/Compiler/ScheduleChoice.h"
#include "moe/Compiler/StrategyChoice.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <optional>
#include <string>

namespace moe {

/// How a program is compiled.
struct CompileOptions {
  /// The first phase to run.
  CompilePhase from = kFirstPhase;
  /// Description of the machine to compile for, a path or the name of one that
  /// ships: attached to the module first. Without it a module keeps the
  /// platform it has; one without any fails in the phase Pipeline.
  std::string platform;
  /// What the phase Pipeline chooses from, and the number of chunks; none
  /// leaves it to the phase.
  StrategyChoice strategy = StrategyChoice::Auto;
  std::optional<int64_t> degree;
  /// Whether the phase Pipeline leaves out parameters fitted to published
  /// results.
  bool ignoreFitted = false;
  /// What the phases Pipeline and Schedule make of training steps.
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// Whether each phase checks its promise, and passes what they make. Not for
  /// trials, of which the one that is kept is checked where it is kept.
  bool verifies = true;
};

/// What is wrong with the options of a compilation up to phase `to`, in words
/// that say what was expected; empty when nothing is: `from` comes after `to`,
/// a strategy or degree is given that no phase reads, or a schedule is given
/// beside these or without the phases that it decides on.
std::string checkOptions(CompilePhase to, const CompileOptions &options);

/// Appends the passes of the phases `options.from` to `to`, both included, in
/// front of them the check of what the phase below promises. The options are
/// those that `checkOptions` has nothing to say against. When the phase
/// Pipeline is among the phases, it decides on the decomposition itself and
/// Decompose is left out.
void addPhases(mlir::OpPassManager &manager, CompilePhase to,
               const CompileOptions &options);

/// Runs the phases `options.from` to `to`, both included, on a module. Its
/// context needs no more than parsing did (see `registerProgramDialects`).
/// Emits an error and fails when the options are wrong or a phase fails.
llvm::LogicalResult compileTo(mlir::ModuleOp module, CompilePhase to,
                              const CompileOptions &options = {});

} // namespace moe

#endif // MOE_COMPILER_COMPILE_H
