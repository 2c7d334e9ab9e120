// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks the tasks in compiled code.

#ifndef MOE_LIB_EXECUTION_TASKMARKS_H
#define MOE_LIB_EXECUTION_TASKMARKS_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Cost/Machine.h"
#include "moe/Execution/Timeline.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// Tags the locations of the ops of a scheduled module with the number of their
/// task, because all later phases keep locations. If `emulated` is not null,
/// each task gets its time on this machine, with the rows of `routing` if that
/// is not null. Emits an error and fails if a time is unknown.
mlir::FailureOr<std::vector<TaskLabel>>
tagTasks(mlir::ModuleOp module, const cost::Machine *emulated,
         const traffic::Routing *routing);

/// Inserts calls of `kTaskFunction` with the task's number before each call of
/// compiled code that puts work of a tagged op on a stream.
void markTasks(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_EXECUTION_TASKMARKS_H
