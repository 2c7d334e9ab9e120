// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled code does not check.

#ifndef MOE_EXECUTION_FAULTS_H
#define MOE_EXECUTION_FAULTS_H

#include "llvm/ADT/StringRef.h"

namespace moe {

/// From now on a signal of the processor (a division by zero, an access of
/// memory that is not there) while compiled code runs ends the process with
/// `exitCode`, after a line on stderr that begins with `prefix`. Without this
/// call such signals are left as they are. Called before compiled code runs;
/// a second call replaces prefix and exit code.
void endOnFaults(llvm::StringRef prefix, int exitCode);

/// While one lives, `endOnFaults` holds.
class FaultScope {
public:
  FaultScope();
  ~FaultScope();
  FaultScope(const FaultScope &) = delete;
  FaultScope &operator=(const FaultScope &) = delete;

  /// The code may still run when this is gone, so what holds stays so.
  void keep() { isKept = true; }

private:
  bool isKept = false;
};

} // namespace moe

#endif // MOE_EXECUTION_FAULTS_H
