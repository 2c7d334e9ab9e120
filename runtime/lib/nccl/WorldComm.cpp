// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicator of all ranks of a job.

#include "nccl/WorldComm.h"
#include "nccl/NcclContext.h"
#include <cstring>
#include <utility>

using namespace moert;
using namespace moert::nccl;

namespace {
/// The data that each rank contributes before a split.
struct Intent {
  uint64_t key;
  uint64_t needsComm;
  /// Created by rank 0 before the first split, otherwise zero.
  UniqueId id;
};
} // namespace

Status WorldComm::agree(uint64_t key, bool needsComm, Deadline deadline) {
  Intent own{key, needsComm, {}};
  Status status;
  // All ranks have split as often, so they agree on whether there is a
  // communicator.
  if (context.rank == 0 && !live)
    status = context.makeId(own.id);
  std::vector<std::string> all;
  if (status.ok())
    status = context.exchange(
        "the communicators of all ranks",
        std::string(reinterpret_cast<const char *>(&own), sizeof(own)),
        deadline, all);
  isNeeded = false;
  for (size_t from = 0; status.ok() && from < all.size(); ++from) {
    Intent other{};
    std::memcpy(&other, all[from].data(), sizeof(other));
    if (other.key != key)
      return context.fail(
          error(MOERT_MISMATCH,
                "expected all ranks to create communicators of the same groups "
                "on the same stream, got others on rank %zu than on rank %d",
                from, context.rank));
    isNeeded |= other.needsComm != 0;
    if (from == 0 && !live)
      id = other.id;
  }
  return status;
}

Status WorldComm::create(Deadline deadline) {
  // Without collectives, memory for one block suffices.
  Config config;
  config.minCTAs = config.maxCTAs = 1;
  Comm comm = nullptr;
  Result result = context.nccl().CommInitRankConfig(&comm, context.worldSize,
                                                    id, context.rank, &config);
  if (comm) {
    std::lock_guard<std::mutex> lock(mutex);
    live = std::make_shared<LiveComm>(context.nccl(), context.driver(),
                                      context.getCudaContext(), comm,
                                      /*isOurs=*/true);
  }
  std::unique_lock<std::timed_mutex> calls;
  if (live)
    calls = std::unique_lock(live->calls);
  return context.settle(comm, result, "ncclCommInitRankConfig of all ranks",
                        deadline);
}

Status WorldComm::split(int color, int position, Deadline deadline,
                        Comm &made) {
  made = nullptr;
  if (!isNeeded)
    return {};
  Status status = live ? Status() : create(deadline);
  if (!status.ok())
    return status;
  std::lock_guard<std::timed_mutex> calls(live->calls);
  if (live->isEnding())
    return context.getFailure();
  Config config = context.getCommConfig();
  config.blocking = 1;
  part = nullptr;
  Result result =
      context.nccl().CommSplit(live->get(), color, position, &part, &config);
  // NCCL may report success while it is still in progress; the parent
  // communicator reports the truth.
  if (result == kSuccess)
    result = kInProgress;
  status = context.settle(live->get(), result, "ncclCommSplit", deadline);
  if (status.ok())
    made = part;
  if (status.ok() && (made != nullptr) != (color >= 0))
    return context.fail(error(MOERT_BACKEND_ERROR,
                              "rank %d: ncclCommSplit: expected %s "
                              "communicator, got %s",
                              context.rank, color >= 0 ? "a" : "no",
                              made ? "one" : "none"));
  return status;
}

void WorldComm::abort() {
  std::shared_ptr<LiveComm> own;
  {
    std::lock_guard<std::mutex> lock(mutex);
    own = live;
  }
  if (own)
    own->abort();
}

void WorldComm::end(bool isWell) {
  if (live)
    live->end(isWell);
}
