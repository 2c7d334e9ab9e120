// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The failure of a job, from the view of each rank.

#ifndef MOERT_CPU_FAILURE_H
#define MOERT_CPU_FAILURE_H

#include "core/Status.h"
#include <atomic>
#include <mutex>
#include <vector>

namespace moert {

/// The first failure of a job. The ranks that it concerns receive the failure;
/// the others learn that it aborted the job. Thread-safe.
class Failure {
public:
  bool isRaised() const { return raised.load(std::memory_order_acquire); }

  /// Stores the failure if it is the first one; returns true in that case.
  bool raise(Status status, std::vector<int32_t> concerned);

  /// Returns the status for `rank`: OK if the job has not failed.
  Status getStatusOf(int32_t rank) const;

private:
  std::atomic<bool> raised{false};
  mutable std::mutex mutex;
  Status status;
  std::vector<int32_t> concerned;
};

} // namespace moert

#endif // MOERT_CPU_FAILURE_H
