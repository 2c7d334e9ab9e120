// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU emulation of NCCL between threads.

// Communicators are non-blocking: calls return "in progress" first. Collectives
// are in NcclCollectives.cpp, sends and receives in NcclGroups.cpp.

#include "NcclComm.h"
#include "NcclMemory.h"
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
/// Only supports one color with the same order of ranks. As in NCCL 2.28, the
/// call succeeds while the communicator that is split is still in progress.
STAND_IN_API Result ncclCommSplit(Comm comm, int color, int key, Comm *made,
                                  Config *config) {
  CALL(nullptr, describe(config));
  if (color != 0 || key != comm->rank || !config ||
      config->magic != 0xcafebeef || comm->pending || comm->splitPlace)
    return kInvalidArgument;
  auto *child = new CommHandle;
  child->size = comm->size;
  child->rank = comm->rank;
  child->context = comm->context;
  child->isBlocking = config->blocking != 0;
  {
    std::lock_guard<std::mutex> lock(comm->shared->mutex);
    std::shared_ptr<Shared> &entry = comm->shared->splits[comm->numSplits++];
    if (!entry)
      entry = std::make_shared<Shared>();
    child->shared = entry;
  }
  *made = nullptr;
  comm->split = child;
  comm->splitPlace = made;
  comm->pending = standin::getNumber("MOERT_STAND_IN_NCCL_PENDING", 2) + 1;
  return kSuccess;
}

/// Returns an error that is reported after the call that caused it.
static Result getInjected(Comm comm) {
  return comm->hasStarted ? standin::getLaterError(comm->rank) : kSuccess;
}

STAND_IN_API Result ncclCommGetAsyncError(Comm comm, Result *result) {
  CALL();
  *result = comm->pending > 0 ? kInProgress : getInjected(comm);
  comm->pending -= comm->pending > 0;
  if (!comm->pending && comm->splitPlace) {
    *comm->splitPlace = std::exchange(comm->split, nullptr);
    comm->splitPlace = nullptr;
  }
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
