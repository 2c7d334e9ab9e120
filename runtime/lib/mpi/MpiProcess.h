// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes of the job on this node.

#ifndef MOERT_MPI_MPIPROCESS_H
#define MOERT_MPI_MPIPROCESS_H

#include <cstdint>

namespace moert {

/// What a rank tells others of its process.
struct ProcessName {
  /// A hash of the node's name and boot.
  uint64_t node;
  /// In clock ticks after boot: no other process of this number has it.
  uint64_t startTime;
  int64_t pid;
  /// The file descriptor there of what the rank waits for (MpiWaits), or -1.
  int64_t waits;

  static ProcessName ofThisProcess();
  /// Whether the process runs or could, as seen from here: it has not ended.
  bool isThere() const;
  /// Whether a signal or a debugger holds it.
  bool isStopped() const;
};

} // namespace moert

#endif // MOERT_MPI_MPIPROCESS_H
