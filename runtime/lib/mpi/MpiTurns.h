// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Priorities of collectives.

#ifndef MOERT_MPI_MPITURNS_H
#define MOERT_MPI_MPITURNS_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

namespace moert {

/// The running collectives of this rank by the priority of their streams, where
/// lower numbers are more urgent. Less urgent collectives can wait for more
/// urgent ones, because MPI has no message priorities.
class MpiTurns {
public:
  /// Marks a collective as running during its lifetime.
  class UnderWay {
  public:
    UnderWay(MpiTurns &turns, int32_t priority);
    ~UnderWay();
    UnderWay(const UnderWay &) = delete;

  private:
    MpiTurns &turns;
    const int32_t priority;
  };

  /// Waits until no collective more urgent than `priority` runs, but at most
  /// for `most`, because that collective may depend on this rank elsewhere.
  /// Returns the waiting time.
  std::chrono::microseconds yield(int32_t priority,
                                  std::chrono::microseconds most);

private:
  std::mutex mutex;
  std::condition_variable ended;
  std::map<int32_t, int> underWay;
};

} // namespace moert

#endif // MOERT_MPI_MPITURNS_H
