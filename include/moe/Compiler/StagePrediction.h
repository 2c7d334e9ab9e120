// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of pipeline stages.

#ifndef MOE_COMPILER_STAGEPREDICTION_H
#define MOE_COMPILER_STAGEPREDICTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "moe/Analysis/Timing.h"
#include "moe/Schedule/StageSchedule.h"

namespace moe {

/// The job that a stage's program is part of.
struct StageSettings {
  int64_t microBatches = 1;
  int64_t virtualStages = 1;
  schedule::StageOrder order = schedule::StageOrder::OneForwardOneBackward;
  bool waitsForSends = false;
};

/// One training step of all stages.
struct StagePrediction {
  /// Its pieces are alike: each is the program's part of one virtual stage.
  schedule::StagedStep step;
  schedule::StagedStepTime time;
  /// Per task of the schedule, whether it sums gradients or waits for that.
  std::vector<bool> sums;
};

/// Predicts a step from the schedule of one stage's program, which runs one
/// micro-batch forward and, in training, backward
/// (docs/how-to/import-a-model.md, "Stages"). Its tasks are taken apart by what
/// depends on what:
///
/// - what it sends over the axis `pp` of its mesh are the sends;
/// - a forward pass is what the forward send waits for, a backward one is all
///   else;
/// - sums (all-reduces, reduce-scatters) of a backward pass that the send back
///   does not wait for are those of gradients, which are made once a step, with
///   the last micro-batch: what they lengthen its backward pass by is the end
///   of the step.
///
/// A program that sends nothing over `pp` is that of a job of one stage: its
/// forward pass are the tasks that no backward one comes before, and sums of
/// gradients are those that nothing computes with.
///
/// Passes do not overlap on a stage. Emits an error and fails where the
/// settings do not go together.
mlir::FailureOr<StagePrediction> predictStages(mlir::func::FuncOp function,
                                               const TimedSchedule &timed,
                                               const StageSettings &settings);

} // namespace moe

#endif // MOE_COMPILER_STAGEPREDICTION_H
