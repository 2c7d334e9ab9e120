// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks of a node know of each other.

#ifndef MOERT_MPI_MPIWAITS_H
#define MOERT_MPI_MPIWAITS_H

#include "core/WaitGraph.h"
#include "mpi/MpiProcess.h"
#include <mutex>

namespace moert {

/// Every rank writes into a piece of memory of its own what it waits for, and
/// the ranks of its node read it: a process that is stopped or computes cannot
/// answer, but what it wrote can be read. Only waits that take long are
/// written. Of ranks on other nodes nothing is known.
class MpiWaits {
public:
  MpiWaits(int32_t rank, int32_t worldSize);
  ~MpiWaits();
  MpiWaits(const MpiWaits &) = delete;

  /// The file descriptor of the own memory, for the others; -1 without.
  int getFile() const { return file; }
  /// Finds the memory of the others.
  void watch(const std::vector<ProcessName> &processes);

  /// Notes a wait; -1 when there are too many. `what` is the collective in
  /// words, `tag` tells it from others of this rank.
  int begin(const std::string &what, int tag);
  /// The wait goes on, for these ranks.
  void goOn(int wait, const std::vector<int32_t> &peers);
  void end(int wait);
  /// This rank takes part in nothing any more.
  void leave();
  bool hasLeft(int32_t rank) const;
  /// Of some ranks those of this node whose process has ended without leaving:
  /// "3 (process 1234)", comma separated; empty when there is none.
  std::string findEnded(const std::vector<int32_t> &ranks) const;
  /// This rank knows that the job is over: what it waited for stays noted, for
  /// those who do not know yet.
  void setOver();

  /// The own wait of a tag; false when none is noted.
  bool findOwn(int tag, std::string &what, std::vector<int32_t> &peers);
  /// Follows waits for these ranks (`describeBlame`).
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
  /// By rank; null where nothing is known.
  std::vector<Page *> pages;
  std::vector<ProcessName> processes;
  /// Among the threads of this process.
  std::mutex mutex;
};

} // namespace moert

#endif // MOERT_MPI_MPIWAITS_H
