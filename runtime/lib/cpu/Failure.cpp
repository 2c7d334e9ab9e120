// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The failure of a job, from the view of each rank.

#include "cpu/Failure.h"
#include <algorithm>

using namespace moert;

bool Failure::raise(Status newStatus, std::vector<int32_t> ranks) {
  std::lock_guard<std::mutex> lock(mutex);
  if (raised.load(std::memory_order_relaxed))
    return false;
  status = std::move(newStatus);
  concerned = std::move(ranks);
  raised.store(true, std::memory_order_release);
  return true;
}

Status Failure::getStatusOf(int32_t rank) const {
  if (!isRaised())
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  if (std::find(concerned.begin(), concerned.end(), rank) != concerned.end())
    return status;
  return Status(MOERT_ABORTED, "the job was aborted: " + status.getMessage());
}
