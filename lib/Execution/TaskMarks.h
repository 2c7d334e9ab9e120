// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks seen from compiled code.

#ifndef MOE_LIB_EXECUTION_TASKMARKS_H
#define MOE_LIB_EXECUTION_TASKMARKS_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Cost/Machine.h"
#include "moe/Execution/Timeline.h"
#include "moe/Traffic/Routing.h"

namespace moe {

/// Notes at the locations of the ops of a scheduled module which task they
/// belong to: locations are what all later phases keep. With a machine each
/// task is given the time that the machine takes for it, where a routing is
/// given with its rows. Emits an error and fails when that is not known.
mlir::FailureOr<std::vector<TaskLabel>>
tagTasks(mlir::ModuleOp module, const cost::Machine *emulated,
         const traffic::Routing *routing);

/// Puts a call of `kTaskFunction` with the task's number before each call of
/// compiled code that puts work of a tagged op on a stream.
void markTasks(mlir::ModuleOp module);

} // namespace moe

#endif // MOE_LIB_EXECUTION_TASKMARKS_H
