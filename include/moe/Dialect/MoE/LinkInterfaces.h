// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links that tasks use and change.

#ifndef MOE_DIALECT_MOE_LINKINTERFACES_H
#define MOE_DIALECT_MOE_LINKINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "moe/Cost/ExchangePricer.h"
#include <optional>

namespace moe {

class TaskOp;

/// What an op says about the links of its task.
enum class LinkAction {
  /// The exchanges of the task go over them.
  Use,
  /// The task changes them, or waits for the end of the last change.
  Change,
  Await,
  /// Something for later changes.
  Note
};

/// The links after a change.
struct LinkChange {
  /// The program plans them when it runs, and these are expected then.
  bool isExpected = false;
  /// How many there are between the servers of each region, in rows; one matrix
  /// if all regions have the same.
  std::vector<std::vector<std::vector<double>>> regions;
};

} // namespace moe

#include "moe/Dialect/MoE/MoELinkInterfaces.h.inc"

namespace moe {

/// The op of this action in the body of a task; null for none.
LinkOpInterface findLinkOp(TaskOp task, LinkAction action);

} // namespace moe

#endif // MOE_DIALECT_MOE_LINKINTERFACES_H
