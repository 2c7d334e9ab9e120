// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules one function on streams.

#ifndef MOE_TRANSFORMS_SCHEDULEFUNCTION_H
#define MOE_TRANSFORMS_SCHEDULEFUNCTION_H

#include "moe/Transforms/ChunkOrder.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace moe {

class ControlInfo;

/// Returns the reason why a function cannot be scheduled; empty if it can.
/// `control` determines which branches all ranks take equally; without it, all
/// branches may diverge.
std::string findObstacle(mlir::func::FuncOp function,
                         const ControlInfo *control = nullptr);

/// Returns the reason why `moe-schedule` makes no schedule of a function of a
/// module, including the calls and loops that it unrolls: "it has no
/// collectives", or the reason of its remark. Empty if it makes one.
std::string explainUnscheduled(mlir::func::FuncOp function);

/// Schedules the ops of a function on streams, as `moe-schedule` does.
/// `findObstacle` must have found no obstacle. Traffic over the axes
/// `priorities` has priority. Returns the tasks of the last pipeline with
/// experts in layers of `phase`.
llvm::SmallVector<ChunkTask>
scheduleFunction(mlir::func::FuncOp function,
                 llvm::ArrayRef<std::string> priorities, Phase phase);

} // namespace moe

#endif // MOE_TRANSFORMS_SCHEDULEFUNCTION_H
