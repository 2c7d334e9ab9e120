// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU emulation of NCCL between threads.

// Communicators are non-blocking: calls return "in progress" first. Collectives
// are in NcclCollectives.cpp, sends and receives in NcclGroups.cpp.

#include "NcclComm.h"
#include "NcclMemory.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace moert;
using namespace moert::nccl;
using namespace moert::standin;

static std::mutex registryMutex;
static std::map<std::string, std::weak_ptr<Shared>> registry;

Result standin::begin(Comm comm) {
  comm->hasStarted = true;
  comm->pending = comm->isBlocking
                      ? 0
                      : standin::getNumber("MOERT_STAND_IN_NCCL_PENDING", 2);
  return comm->pending ? kInProgress : kSuccess;
}

STAND_IN_API Result ncclGetVersion(int *version) {
  CALL();
  *version = static_cast<int>(
      standin::getNumber("MOERT_STAND_IN_NCCL_VERSION", 22000));
  return kSuccess;
}
STAND_IN_API const char *ncclGetErrorString(Result) {
  return "an error of the stand-in";
}
STAND_IN_API const char *ncclGetLastError(Comm) { return ""; }
STAND_IN_API Result ncclGetUniqueId(UniqueId *id) {
  CALL();
  static std::mutex mutex;
  static uint64_t next = 0;
  std::lock_guard<std::mutex> lock(mutex);
  std::memset(id->bytes, 0, sizeof(id->bytes));
  ++next;
  std::memcpy(id->bytes, &next, sizeof(next));
  return kSuccess;
}
static Result join(Comm *comm, int size, UniqueId id, int rank,
                   bool isBlocking) {
  if (!standin::getContext())
    return kUnhandledCudaError;
  *comm = new CommHandle;
  (*comm)->context = standin::getContext();
  (*comm)->size = static_cast<size_t>(size);
  (*comm)->rank = rank;
  (*comm)->isBlocking = isBlocking;
  std::lock_guard<std::mutex> lock(registryMutex);
  std::weak_ptr<Shared> &entry =
      registry[std::string(id.bytes, sizeof(id.bytes))];
  (*comm)->shared = entry.lock();
  // Kept until the end of the process, because the members arrive one after the
  // other and hold it only from then on.
  static std::vector<std::shared_ptr<Shared>> all;
  if (!(*comm)->shared) {
    (*comm)->shared = std::make_shared<Shared>();
    all.push_back((*comm)->shared);
    entry = (*comm)->shared;
  }
  Result result = begin(*comm);
  (*comm)->hasStarted = false;
  return result;
}
/// Returns the numbers of blocks in a configuration, for the log.
static std::string describe(const Config *config) {
  std::string words;
  auto add = [&](const char *name, int value) {
    if (value != Config::kUndefined)
      words += std::string(words.empty() ? "" : " ") + name + "=" +
               std::to_string(value);
  };
  // Configurations before version 2.17 end with `blocking`.
  if (config && config->version >= 21700) {
    add("min_ctas", config->minCTAs);
    add("max_ctas", config->maxCTAs);
    add("cga_cluster_size", config->cgaClusterSize);
  }
  return words;
}

STAND_IN_API Result ncclCommInitRankConfig(Comm *comm, int size, UniqueId id,
                                           int rank, Config *config) {
  CALL(nullptr, describe(config));
  if (config->magic != 0xcafebeef || config->blocking != 0)
    return kInvalidArgument;
  return join(comm, size, id, rank, /*isBlocking=*/false);
}
STAND_IN_API Result ncclCommInitRank(Comm *comm, int size, UniqueId id,
                                     int rank) {
  CALL();
  return join(comm, size, id, rank, /*isBlocking=*/true);
}
/// The color of a rank that takes part in a split but gets no communicator.
constexpr int kNoColor = -1;

/// As in NCCL 2.28, the call succeeds while the communicator that is split is
/// still in progress, here until all its members have called. It must not have
/// work in flight.
STAND_IN_API Result ncclCommSplit(Comm comm, int color, int key, Comm *made,
                                  Config *config) {
  std::string numbers = describe(config);
  CALL(nullptr, "color=" + std::to_string(color) +
                    " key=" + std::to_string(key) +
                    (numbers.empty() ? "" : " ") + numbers);
  if (color < kNoColor || !config || config->magic != 0xcafebeef ||
      comm->pending || comm->splitPlace)
    return kInvalidArgument;
  if (comm->uses.use_count() > 1)
    return kInvalidUsage;
  {
    std::lock_guard<std::mutex> lock(comm->shared->mutex);
    Split &split = comm->shared->splits[comm->numSplits++];
    split.calls.push_back({color, key, comm->rank});
  }
  *made = nullptr;
  if (color != kNoColor) {
    comm->split = new CommHandle;
    comm->split->context = comm->context;
    comm->split->isBlocking = config->blocking != 0;
  }
  comm->splitColor = color;
  comm->splitPlace = made;
  comm->pending = standin::getNumber("MOERT_STAND_IN_NCCL_PENDING", 2) + 1;
  return kSuccess;
}

/// Stores the result of a split if all members have called it; otherwise
/// returns false.
static bool endSplit(Comm comm) {
  std::lock_guard<std::mutex> lock(comm->shared->mutex);
  Split &split = comm->shared->splits[comm->numSplits - 1];
  if (split.calls.size() < comm->size)
    return false;
  if (Comm child = comm->split) {
    std::vector<std::pair<int, int>> members;
    for (auto [color, key, rank] : split.calls)
      if (color == comm->splitColor)
        members.emplace_back(key, rank);
    std::sort(members.begin(), members.end());
    child->size = members.size();
    auto own = std::find_if(
        members.begin(), members.end(),
        [&](const auto &member) { return member.second == comm->rank; });
    child->rank = static_cast<int>(own - members.begin());
    std::shared_ptr<Shared> &shared = split.shared[comm->splitColor];
    if (!shared)
      shared = std::make_shared<Shared>();
    child->shared = shared;
  }
  *comm->splitPlace = std::exchange(comm->split, nullptr);
  comm->splitPlace = nullptr;
  return true;
}

/// Returns an error that is reported after the call that caused it.
static Result getInjected(Comm comm) {
  return comm->hasStarted ? standin::getLaterError(comm->rank) : kSuccess;
}

STAND_IN_API Result ncclCommGetAsyncError(Comm comm, Result *result) {
  CALL();
  bool isPending = comm->pending > 0;
  comm->pending -= isPending;
  if (!comm->pending && comm->splitPlace && !endSplit(comm))
    isPending = true;
  *result = isPending ? kInProgress : getInjected(comm);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Destruction of communicators
//===----------------------------------------------------------------------===//

static void stop(Comm comm) {
  {
    std::lock_guard<std::mutex> lock(comm->shared->mutex);
    *comm->aborted = true;
  }
  comm->shared->changed.notify_all();
}

void standin::release(Comm comm) {
  standin::synchronize(comm->context);
  // NCCL waits as well, without a deadline.
  for (int round = 0; comm->uses.use_count() > 1; ++round) {
    if (round == 30000) {
      std::fprintf(stderr, "stand-in for NCCL: a communicator waits for the "
                           "end of a graph that its collectives are in\n");
      std::abort();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  delete comm->split;
  delete comm;
}

/// In a group, stops the communicator immediately and releases it at the end of
/// the group.
STAND_IN_API Result ncclCommAbort(Comm comm) {
  CALL();
  stop(comm);
  standin::dropRegistrations(comm);
  if (isInGroup())
    endWithGroup(comm);
  else
    release(comm);
  return kSuccess;
}
STAND_IN_API Result ncclCommCount(Comm comm, int *count) {
  CALL();
  *count = static_cast<int>(comm->size);
  return kSuccess;
}
STAND_IN_API Result ncclCommUserRank(Comm comm, int *rank) {
  CALL();
  *rank = comm->rank;
  return kSuccess;
}
STAND_IN_API Result ncclCommFinalize(Comm comm) {
  CALL();
  return begin(comm);
}
/// Waits for pending work.
STAND_IN_API Result ncclCommDestroy(Comm comm) {
  CALL();
  standin::verifyNoneRegistered(comm);
  if (isInGroup())
    endWithGroup(comm);
  else
    release(comm);
  return kSuccess;
}
