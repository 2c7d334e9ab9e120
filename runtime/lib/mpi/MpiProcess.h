// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes of the job on this node.

#ifndef MOERT_MPI_MPIPROCESS_H
#define MOERT_MPI_MPIPROCESS_H

#include <cstdint>

namespace moert {

/// Description of one rank's process for other ranks.
struct ProcessName {
  /// Hash of the node's name and boot.
  uint64_t node;
  /// Start time in clock ticks after boot, which distinguishes processes with
  /// the same number.
  uint64_t startTime;
  int64_t pid;
  /// File descriptor of the rank's waits (MpiWaits) in that process, or -1.
  int64_t waits;

  static ProcessName ofThisProcess();
  /// Returns true if the process exists on this node and has not ended.
  bool isThere() const;
  /// Returns true if a signal or a debugger has stopped the process.
  bool isStopped() const;
};

} // namespace moert

#endif // MOERT_MPI_MPIPROCESS_H
