// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits of the ranks on one node.

#ifndef MOERT_MPI_MPIWAITS_H
#define MOERT_MPI_MPIWAITS_H

#include "core/WaitGraph.h"
#include "mpi/MpiProcess.h"
#include <mutex>

namespace moert {

/// Every rank records its waits in memory that the ranks of its node read,
/// because stopped or busy processes cannot answer messages. Only long waits
/// are recorded. Waits of ranks on other nodes are unknown.
class MpiWaits {
public:
  MpiWaits(int32_t rank, int32_t worldSize);
  ~MpiWaits();
  MpiWaits(const MpiWaits &) = delete;

  /// Returns the file descriptor of this rank's memory for the others, or -1.
  int getFile() const { return file; }
  /// Opens the memory of the other ranks.
  void watch(const std::vector<ProcessName> &processes);

  /// Records a wait and returns its index, or -1 if there are too many. `what`
  /// describes the collective; `tag` distinguishes it from others of this rank.
  int begin(const std::string &what, int tag);
  /// Updates the ranks that a wait still waits for.
  void goOn(int wait, const std::vector<int32_t> &peers);
  void end(int wait);
  /// Marks this rank as no longer taking part.
  void leave();
  bool hasLeft(int32_t rank) const;
  /// Returns the ranks of a list on this node that have ended without leaving,
  /// for example "3 (process 1234)", separated by commas, or "".
  std::string findEnded(const std::vector<int32_t> &ranks) const;
  /// Records that this rank knows of the end of the job. Its waits stay
  /// recorded for ranks that do not know it yet.
  void setOver();

  /// Finds this rank's wait with a tag; returns false if none is recorded.
  bool findOwn(int tag, std::string &what, std::vector<int32_t> &peers);
  /// Describes the ranks that these ranks wait for (`describeBlame`).
  std::string describe(const std::vector<int32_t> &peers);

private:
  struct Wait;
  struct Page;
  struct Snapshot {
    std::string what;
    int tag;
    std::vector<int32_t> peers;
  };
  size_t getPageBytes() const;
  Wait &getWait(Page &page, int index) const;
  std::vector<Snapshot> read(Page &page) const;
  Whereabouts find(int32_t rank);

  const int32_t rank, worldSize;
  int file = -1;
  /// By rank; null for unknown ranks.
  std::vector<Page *> pages;
  std::vector<ProcessName> processes;
  /// Synchronizes the threads of this process.
  std::mutex mutex;
};

} // namespace moert

#endif // MOERT_MPI_MPIWAITS_H
