// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a job is over, as each rank is told.

#ifndef MOERT_CPU_FAILURE_H
#define MOERT_CPU_FAILURE_H

#include "core/Status.h"
#include <atomic>
#include <mutex>
#include <vector>

namespace moert {

/// The first failure of a job. Ranks it concerns are told what failed, the
/// others that the job was aborted because of it. Thread safe.
class Failure {
public:
  bool isRaised() const { return raised.load(std::memory_order_acquire); }

  /// Keeps the first failure only; true when this was it.
  bool raise(Status status, std::vector<int32_t> concerned);

  /// What `rank` is told: OK when nothing was raised.
  Status getStatusOf(int32_t rank) const;

private:
  std::atomic<bool> raised{false};
  mutable std::mutex mutex;
  Status status;
  std::vector<int32_t> concerned;
};

} // namespace moert

#endif // MOERT_CPU_FAILURE_H
