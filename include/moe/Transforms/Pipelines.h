//===- Pipelines.h - The phases of a compilation ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TRANSFORMS_PIPELINES_H
#define MOE_TRANSFORMS_PIPELINES_H

#include "moe/Transforms/StrategyChoice.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace moe {

/// The phases a program goes through, in order; each is a pass pipeline that
/// may be run alone and ends with a verification of what it promises.
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

/// Which phases to run: `from` to `to`, both included.
struct CompileOptions {
  CompilePhase from = CompilePhase::Import;
  CompilePhase to = CompilePhase::Decompose;
  /// Description of the machine to compile for, a path or the name of one that
  /// ships: attached to the module first. Without it a module keeps the
  /// platform it has; one without any fails in the phase Pipeline.
  std::string platform;
  /// What the phase Pipeline chooses from, and the number of chunks or "auto".
  StrategyChoice strategy = StrategyChoice::Auto;
  std::string degree = "auto";
  /// Whether the phase Pipeline leaves out parameters fitted to published
  /// results.
  bool ignoreFitted = false;
  /// What the phases Pipeline and Schedule make of training steps instead of
  /// choosing a strategy for each layer: a name of `StepSchedule` (SPEC FS-11);
  /// none when empty.
  std::string schedule;
};

/// Appends the passes of the phases `from` to `to`, both included. Fails,
/// with the reason in `error`, when `from` comes after `to`, when a strategy
/// or degree is given that no phase reads, or when `schedule` is no name of a
/// schedule, is given beside a strategy or degree, or the phases do not hold
/// both Pipeline and Schedule. When the phase Pipeline is among the
/// phases, it decides on the decomposition itself and Decompose is left out.
llvm::LogicalResult buildCompilePipeline(mlir::OpPassManager &manager,
                                         const CompileOptions &options,
                                         std::string &error);

/// Registers `--moe-compile="from=P to=P platform=F strategy=S degree=N
/// schedule=S"`.
void registerCompilePipeline();

} // namespace moe

#endif // MOE_TRANSFORMS_PIPELINES_H
