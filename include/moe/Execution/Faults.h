// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports faults of compiled code.

#ifndef MOE_EXECUTION_FAULTS_H
#define MOE_EXECUTION_FAULTS_H

#include "llvm/ADT/StringRef.h"

namespace moe {

/// Installs signal handlers for faults of the processor in compiled code, for
/// example a division by zero or an access of unmapped memory. A fault ends the
/// process with `exitCode`, after a line on stderr that begins with `prefix`.
/// Must be called before compiled code runs; a second call replaces prefix and
/// exit code.
void endOnFaults(llvm::StringRef prefix, int exitCode);

/// The handlers of `endOnFaults` are active while an object of this class
/// exists.
class FaultScope {
public:
  FaultScope();
  ~FaultScope();
  FaultScope(const FaultScope &) = delete;
  FaultScope &operator=(const FaultScope &) = delete;

  /// Keeps the handlers active after the destructor, because the code may still
  /// run.
  void keep() { isKept = true; }

private:
  bool isKept = false;
};

} // namespace moe

#endif // MOE_EXECUTION_FAULTS_H
