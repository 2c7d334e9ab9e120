//===- Nccl.cpp - A stand-in for NCCL between threads -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// As the real one: collectives wait on their stream until all members' have
// come, sends until they are received; sizes that do not fit and members that
// do not come wait until the communicator is aborted. Communicators do not
// block: calls answer "in progress" first.

#include "StandIn.h"
#include "core/Types.h"
#include "nccl/NcclLibrary.h"
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace moert;
using namespace moert::nccl;

#define STAND_IN_API extern "C" __attribute__((visibility("default")))

enum class Kind { AllGather, ReduceScatter, AllReduce, AllToAll };

namespace {

struct Operation {
  Kind kind;
  const void *send;
  void *receive;
  size_t count;
  int type, reduction;
};

/// Collective number so-and-so of a communicator.
struct Round {
  std::vector<std::shared_ptr<Operation>> operations;
  size_t arrived = 0, done = 0;
};

struct Message {
  const void *data;
  size_t bytes;
  bool received = false;
};

/// What the members of a communicator share.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<uint64_t, Round> rounds;
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Message>>> messages;
};

struct Transfer {
  bool sends;
  void *data;
  size_t bytes;
  int peer;
};

} // namespace

namespace moert::nccl {
struct CommHandle {
  std::shared_ptr<Shared> shared;
  size_t size;
  int rank;
  uint64_t next = 0;
  std::shared_ptr<bool> aborted = std::make_shared<bool>(false);
  /// Answers still to be given with "in progress".
  int pending = 0;
};
} // namespace moert::nccl

static std::mutex registryMutex;
static std::map<std::string, std::weak_ptr<Shared>> registry;

static size_t sizeOf(int type) {
  static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return sizes[type];
}

template <typename T> static T combine(int reduction, T a, T b) {
  switch (reduction) {
  case 0:
    return static_cast<T>(a + b);
  case 1:
    return static_cast<T>(a * b);
  case 2:
    return a > b ? a : b;
  default:
    return a < b ? a : b;
  }
}

template <typename T>
static void reduceAs(const std::vector<const char *> &from, char *to,
                     size_t count, int reduction) {
  for (size_t i = 0; i < count; ++i) {
    T result, next;
    std::memcpy(&result, from[0] + i * sizeof(T), sizeof(T));
    for (size_t m = 1; m < from.size(); ++m) {
      std::memcpy(&next, from[m] + i * sizeof(T), sizeof(T));
      result = combine(reduction, result, next);
    }
    std::memcpy(to + i * sizeof(T), &result, sizeof(T));
  }
}

/// 16-bit floats, as floats in between.
static void reduceFloats(int type, const std::vector<const char *> &from,
                         char *to, size_t count, int reduction) {
  auto load = [&](const char *data, size_t i) {
    uint16_t bits;
    std::memcpy(&bits, data + 2 * i, 2);
    return type == 6 ? toFloat(Half{bits}) : toFloat(BFloat{bits});
  };
  for (size_t i = 0; i < count; ++i) {
    float result = load(from[0], i);
    for (size_t m = 1; m < from.size(); ++m)
      result = combine(reduction, result, load(from[m], i));
    uint16_t bits = type == 6 ? toHalf(result).bits : toBFloat(result).bits;
    std::memcpy(to + 2 * i, &bits, 2);
  }
}

static void reduce(int type, const std::vector<const char *> &from, char *to,
                   size_t count, int reduction) {
  switch (type) {
  case 0:
    return reduceAs<int8_t>(from, to, count, reduction);
  case 2:
    return reduceAs<uint32_t>(from, to, count, reduction);
  case 4:
    return reduceAs<uint64_t>(from, to, count, reduction);
  case 7:
    return reduceAs<float>(from, to, count, reduction);
  case 8:
    return reduceAs<double>(from, to, count, reduction);
  default:
    return reduceFloats(type, from, to, count, reduction);
  }
}

/// Signed comparison needs signed types; sums and products wrap in unsigned.
static void reduceIntegers(int type, const std::vector<const char *> &from,
                           char *to, size_t count, int reduction) {
  bool compares = reduction >= 2;
  if (compares && type == 2)
    return reduceAs<int32_t>(from, to, count, reduction);
  if (compares && type == 4)
    return reduceAs<int64_t>(from, to, count, reduction);
  reduce(type, from, to, count, reduction);
}

static void perform(const Operation &own, const Round &round, size_t rank) {
  size_t n = round.operations.size(), unit = own.count * sizeOf(own.type);
  auto *to = static_cast<char *>(own.receive);
  std::vector<const char *> from;
  for (const auto &operation : round.operations)
    from.push_back(static_cast<const char *>(operation->send));
  switch (own.kind) {
  case Kind::AllGather:
    for (size_t i = 0; i < n; ++i)
      std::memmove(to + i * unit, from[i], unit);
    return;
  case Kind::AllToAll:
    for (size_t i = 0; i < n; ++i)
      std::memcpy(to + i * unit, from[i] + rank * unit, unit);
    return;
  case Kind::ReduceScatter:
    for (const char *&data : from)
      data += rank * unit;
    [[fallthrough]];
  case Kind::AllReduce:
    return reduceIntegers(own.type, from, to, own.count, own.reduction);
  }
}

/// Puts a collective on its stream.
static Result start(Comm comm, cuda::Stream stream, Operation operation) {
  uint64_t number = comm->next++;
  auto own = std::make_shared<Operation>(operation);
  size_t unit = operation.count * sizeOf(operation.type),
         all = unit * comm->size;
  Kind kind = operation.kind;
  bool sendsAll = kind == Kind::ReduceScatter || kind == Kind::AllToAll;
  bool receivesAll = kind == Kind::AllGather || kind == Kind::AllToAll;
  own->send = standin::reach(operation.send, sendsAll ? all : unit);
  own->receive = standin::reach(operation.receive, receivesAll ? all : unit);
  standin::enqueue(stream, [=, shared = comm->shared, n = comm->size,
                            rank = static_cast<size_t>(comm->rank),
                            aborted = comm->aborted] {
    std::unique_lock<std::mutex> lock(shared->mutex);
    Round &round = shared->rounds[number];
    round.operations.resize(n);
    round.operations[rank] = own;
    ++round.arrived;
    shared->changed.notify_all();
    auto agrees = [&] {
      for (const auto &other : round.operations)
        if (!other || other->count != own->count || other->kind != own->kind ||
            other->type != own->type || other->reduction != own->reduction)
          return false;
      return true;
    };
    shared->changed.wait(lock, [&] { return *aborted || agrees(); });
    if (!agrees())
      return;
    // In place, nobody may write before all have read: through a copy.
    Operation mine = *own;
    size_t bytes =
        mine.count * sizeOf(mine.type) *
        (mine.kind == Kind::AllReduce || mine.kind == Kind::ReduceScatter ? 1
                                                                          : n);
    std::vector<char> result(bytes);
    mine.receive = result.data();
    perform(mine, round, rank);
    ++round.done;
    shared->changed.notify_all();
    shared->changed.wait(lock, [&] { return *aborted || round.done >= n; });
    if (round.done >= n)
      std::memcpy(own->receive, result.data(), bytes);
  });
  comm->pending = 2;
  return kInProgress;
}

STAND_IN_API Result ncclGetVersion(int *version) {
  const char *wanted = std::getenv("MOERT_STAND_IN_NCCL_VERSION");
  *version = wanted ? std::atoi(wanted) : 22000;
  return kSuccess;
}
STAND_IN_API const char *ncclGetErrorString(Result) {
  return "an error of the stand-in";
}
STAND_IN_API const char *ncclGetLastError(Comm) { return ""; }
STAND_IN_API Result ncclGetUniqueId(UniqueId *id) {
  static std::mutex mutex;
  static uint64_t next = 0;
  std::lock_guard<std::mutex> lock(mutex);
  std::memset(id->bytes, 0, sizeof(id->bytes));
  ++next;
  std::memcpy(id->bytes, &next, sizeof(next));
  return kSuccess;
}
STAND_IN_API Result ncclCommInitRankConfig(Comm *comm, int size, UniqueId id,
                                           int rank, Config *config) {
  if (config->magic != 0xcafebeef || config->blocking != 0)
    return 4;
  *comm = new CommHandle;
  (*comm)->size = static_cast<size_t>(size);
  (*comm)->rank = rank;
  (*comm)->pending = 3;
  std::lock_guard<std::mutex> lock(registryMutex);
  std::weak_ptr<Shared> &entry =
      registry[std::string(id.bytes, sizeof(id.bytes))];
  (*comm)->shared = entry.lock();
  // The first member keeps it alive until the others have come, as they hold
  // it from then on: kept for the whole test.
  static std::vector<std::shared_ptr<Shared>> all;
  if (!(*comm)->shared) {
    (*comm)->shared = std::make_shared<Shared>();
    all.push_back((*comm)->shared);
    entry = (*comm)->shared;
  }
  return kInProgress;
}
STAND_IN_API Result ncclCommGetAsyncError(Comm comm, Result *result) {
  *result = comm->pending > 0 ? kInProgress : kSuccess;
  comm->pending -= comm->pending > 0;
  return kSuccess;
}
static void release(Comm comm) {
  {
    std::lock_guard<std::mutex> lock(comm->shared->mutex);
    *comm->aborted = true;
  }
  comm->shared->changed.notify_all();
  delete comm;
}
STAND_IN_API Result ncclCommAbort(Comm comm) {
  release(comm);
  return kSuccess;
}
STAND_IN_API Result ncclCommFinalize(Comm) { return kSuccess; }
STAND_IN_API Result ncclCommDestroy(Comm comm) {
  release(comm);
  return kSuccess;
}

STAND_IN_API Result ncclAllGather(const void *send, void *receive, size_t count,
                                  int type, Comm comm, cuda::Stream stream) {
  return start(comm, stream, {Kind::AllGather, send, receive, count, type, 0});
}
STAND_IN_API Result ncclReduceScatter(const void *send, void *receive,
                                      size_t count, int type, int reduction,
                                      Comm comm, cuda::Stream stream) {
  return start(comm, stream,
               {Kind::ReduceScatter, send, receive, count, type, reduction});
}
STAND_IN_API Result ncclAllReduce(const void *send, void *receive, size_t count,
                                  int type, int reduction, Comm comm,
                                  cuda::Stream stream) {
  return start(comm, stream,
               {Kind::AllReduce, send, receive, count, type, reduction});
}

//===----------------------------------------------------------------------===//
// Groups of sends and receives
//===----------------------------------------------------------------------===//

static thread_local std::vector<Transfer> transfers;
static thread_local Comm groupComm = nullptr;
static thread_local cuda::Stream groupStream = nullptr;

STAND_IN_API Result ncclGroupStart() {
  transfers.clear();
  groupComm = nullptr;
  return kSuccess;
}
static Result add(Transfer transfer, Comm comm, cuda::Stream stream) {
  transfer.data = standin::reach(transfer.data, transfer.bytes);
  transfers.push_back(transfer);
  groupComm = comm;
  groupStream = stream;
  return kSuccess;
}
STAND_IN_API Result ncclSend(const void *data, size_t count, int type, int peer,
                             Comm comm, cuda::Stream stream) {
  return add({true, const_cast<void *>(data), count * sizeOf(type), peer}, comm,
             stream);
}
STAND_IN_API Result ncclRecv(void *data, size_t count, int type, int peer,
                             Comm comm, cuda::Stream stream) {
  return add({false, data, count * sizeOf(type), peer}, comm, stream);
}
STAND_IN_API Result ncclGroupEnd() {
  if (!groupComm)
    return kSuccess;
  standin::enqueue(groupStream, [list = transfers, shared = groupComm->shared,
                                 rank = groupComm->rank,
                                 aborted = groupComm->aborted] {
    std::unique_lock<std::mutex> lock(shared->mutex);
    std::vector<std::shared_ptr<Message>> sent;
    for (const Transfer &transfer : list)
      if (transfer.sends) {
        sent.push_back(std::make_shared<Message>());
        sent.back()->data = transfer.data;
        sent.back()->bytes = transfer.bytes;
        shared->messages[{rank, transfer.peer}].push_back(sent.back());
      }
    shared->changed.notify_all();
    // What nobody has received when this ends, aborted, is withdrawn: the
    // memory behind it may be given back from then on.
    auto withdraw = [&] {
      for (auto &[way, queue] : shared->messages)
        if (way.first == rank)
          std::erase_if(queue, [&](const auto &message) {
            return std::find(sent.begin(), sent.end(), message) != sent.end();
          });
    };
    for (const Transfer &transfer : list) {
      if (transfer.sends)
        continue;
      auto &queue = shared->messages[{transfer.peer, rank}];
      // Another size never fits: both sides wait.
      auto fits = [&] {
        return !queue.empty() && queue.front()->bytes == transfer.bytes;
      };
      shared->changed.wait(lock, [&] { return *aborted || fits(); });
      if (!fits())
        return withdraw();
      std::memcpy(transfer.data, queue.front()->data, transfer.bytes);
      queue.front()->received = true;
      queue.pop_front();
      shared->changed.notify_all();
    }
    for (const auto &message : sent)
      shared->changed.wait(lock, [&] { return *aborted || message->received; });
    withdraw();
  });
  groupComm->pending = 1;
  return kInProgress;
}
