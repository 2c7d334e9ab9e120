// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prediction of steps with several pipeline stages.

#ifndef MOE_COMPILER_STAGEPREDICTION_H
#define MOE_COMPILER_STAGEPREDICTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/Timing.h"
#include "moe/Schedule/StageSchedule.h"

namespace moe {

/// The job that contains a stage's program.
struct StageSettings {
  int64_t microBatches = 1;
  int64_t virtualStages = 1;
  schedule::StageOrder order = schedule::StageOrder::OneForwardOneBackward;
  bool waitsForSends = false;
};

/// One training step of all stages.
struct StagePrediction {
  /// All parts are equal: each is the program of one virtual stage.
  schedule::StagedStep step;
  schedule::StagedStepTime time;
  /// For each task of the schedule, true if it is a gradient all-reduce or
  /// waits for one.
  std::vector<bool> sums;
};

/// Predicts a step from the schedule of one stage's program, which runs one
/// micro-batch forward and, in training, backward
/// (docs/how-to/import-a-model.md, "Stages"). Classifies its tasks by their
/// dependencies:
///
/// - Exchanges over the axis `pp` of its mesh are the sends.
/// - The forward pass is everything that the forward send waits for;
///   everything else is the backward pass.
/// - All-reduces and reduce-scatters of the backward pass that the send back
///   does not wait for are gradient reductions. They run once per step, with
///   the last micro-batch; the time that they add to its backward pass is the
///   end of the step.
///
/// A program without sends over `pp` is a job with one stage. Its forward pass
/// is the tasks that do not depend on backward ones, and its gradient
/// reductions are those that no computation reads.
///
/// Passes do not overlap on a stage. Emits an error and fails if the settings
/// are inconsistent.
mlir::FailureOr<StagePrediction> predictStages(mlir::func::FuncOp function,
                                               const TimedSchedule &timed,
                                               const StageSettings &settings);

} // namespace moe

#endif // MOE_COMPILER_STAGEPREDICTION_H
