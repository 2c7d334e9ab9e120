//===- MpiPeers.h - Processes of the job on this node -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_MPI_MPIPEERS_H
#define MOERT_MPI_MPIPEERS_H

#include <cstdint>
#include <string>
#include <vector>

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
  /// Whether the process has this number still, as seen from here.
  bool isThere() const;
  /// Whether a signal or a debugger holds it.
  bool isStopped() const;
};

/// Watches the processes of other ranks. MPI does not tell that one is gone;
/// of those on this node the kernel does. mpirun ends the other ranks by
/// SIGTERM when one is lost, so that signal, where nobody else handles it, is
/// answered by naming the lost ranks on stderr before the process ends.
class MpiPeers {
public:
  /// Nothing is watched before `watch`.
  MpiPeers() = default;
  ~MpiPeers();
  MpiPeers(const MpiPeers &) = delete;

  /// Of each rank its process; those that cannot be watched are left out.
  void watch(int32_t rank, const std::vector<ProcessName> &processes);

  /// Of some ranks those whose process has ended: "3 (process 1234)", comma
  /// separated; empty when there is none.
  std::string findEnded(const std::vector<int32_t> &ranks) const;

private:
  struct Table;
  Table *table = nullptr;
};

} // namespace moert

#endif // MOERT_MPI_MPIPEERS_H
