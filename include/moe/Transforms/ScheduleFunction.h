// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function on streams.

#ifndef MOE_TRANSFORMS_SCHEDULEFUNCTION_H
#define MOE_TRANSFORMS_SCHEDULEFUNCTION_H

#include "moe/Transforms/ChunkOrder.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace moe {

class ControlInfo;

/// Why a function cannot be scheduled; empty when it can. `control` knows which
/// branches all ranks take alike; without it none are.
std::string findObstacle(mlir::func::FuncOp function,
                         const ControlInfo *control = nullptr);

/// Why `moe-schedule` makes no schedule of a function of a module, the calls
/// and loops that it unrolls included: "it has no collectives", or the reason
/// of its remark. Empty if it makes one.
std::string explainUnscheduled(mlir::func::FuncOp function);

/// Puts the ops of a function that `findObstacle` has nothing against on
/// streams, as `moe-schedule` does; traffic over the axes `priorities` goes
/// first. The tasks of the last pipeline around experts in layers of `phase`.
llvm::SmallVector<ChunkTask>
scheduleFunction(mlir::func::FuncOp function,
                 llvm::ArrayRef<std::string> priorities, Phase phase);

} // namespace moe

#endif // MOE_TRANSFORMS_SCHEDULEFUNCTION_H
