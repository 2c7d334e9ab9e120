// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits as calls to switches.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_CIRCUITCONVERSION_H
#define MOE_LIB_CONVERSION_MOETOMOERT_CIRCUITCONVERSION_H

#include "TaskConverter.h"
#include "moe/Dialect/OCS/OCSOps.h"

namespace moe {

/// Puts changes of circuits into a host function: they are the host's own work,
/// beside streams.
class CircuitConverter {
public:
  CircuitConverter(HostFunction &host, TaskConverter &tasks)
      : host(host), tasks(tasks) {}

  /// Starts a change: to circuits that the runtime plans for a demand, or to
  /// given ones. Emits an error and fails where the one before was not waited
  /// for.
  llvm::LogicalResult start(ocs::ReconfigureOp op);

  /// Hands the runtime a demand to remember.
  llvm::LogicalResult note(ocs::NoteOp op);

  /// Lets the host wait for the change that was started last. Emits an error
  /// and fails where there is none.
  llvm::LogicalResult await(ocs::AwaitOp op);

private:
  HostFunction &host;
  TaskConverter &tasks;
  bool isOpen = false;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_CIRCUITCONVERSION_H
