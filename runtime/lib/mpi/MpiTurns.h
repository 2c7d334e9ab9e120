// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose messages go first.

#ifndef MOERT_MPI_MPITURNS_H
#define MOERT_MPI_MPITURNS_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

namespace moert {

/// The collectives of a rank that are under way, by the priority of their
/// streams, a lower number being more urgent: those that are less urgent can
/// let them end first, as MPI knows no priorities of messages.
class MpiTurns {
public:
  /// A collective is under way for as long as this lives.
  class UnderWay {
  public:
    UnderWay(MpiTurns &turns, int32_t priority);
    ~UnderWay();
    UnderWay(const UnderWay &) = delete;

  private:
    MpiTurns &turns;
    const int32_t priority;
  };

  /// Waits until nothing more urgent than `priority` is under way, no longer
  /// than `most`: whoever is waited for may wait for this very rank elsewhere.
  /// Returns how long that was.
  std::chrono::microseconds yield(int32_t priority,
                                  std::chrono::microseconds most);

private:
  std::mutex mutex;
  std::condition_variable ended;
  std::map<int32_t, int> underWay;
};

} // namespace moert

#endif // MOERT_MPI_MPITURNS_H
