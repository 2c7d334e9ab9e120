// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that use or change the links of a network.

#ifndef MOE_DIALECT_MOE_LINKINTERFACES_H
#define MOE_DIALECT_MOE_LINKINTERFACES_H

#include "mlir/IR/OpDefinition.h"
#include "moe/Cost/ExchangePricer.h"
#include "moe/Cost/Matrix.h"
#include <optional>

namespace moe {

class TaskOp;

/// The relation of an op to the links of its task.
enum class LinkAction {
  /// The exchanges of the task use the links.
  Use,
  /// The task changes the links, or waits for the end of the last change.
  Change,
  Await,
  /// The op records information for later changes.
  Note
};

/// The links after a change.
struct LinkChange {
  /// The program plans the links at run time, and these are the expected ones.
  bool isExpected = false;
  /// Numbers of links between the servers of each region, by server; one matrix
  /// if all regions are equal.
  std::vector<cost::Matrix<double>> regions;
};

} // namespace moe

#include "moe/Dialect/MoE/MoELinkInterfaces.h.inc"

namespace moe {

/// Returns the op with this action in the body of a task, or null.
LinkOpInterface findLinkOp(TaskOp task, LinkAction action);

} // namespace moe

#endif // MOE_DIALECT_MOE_LINKINTERFACES_H
