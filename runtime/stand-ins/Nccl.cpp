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

#include "NcclMemory.h"
#include "core/Types.h"
#include "nccl/NcclLibrary.h"
#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace moert;
using namespace moert::nccl;

enum class Kind { AllGather, ReduceScatter, AllReduce, AllToAll };

/// Results of NCCL.
constexpr Result kUnhandledCudaError = 1, kInvalidArgument = 4;

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
  size_t done = 0, left = 0;
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
  /// Of the communicators that were made from this one.
  std::map<uint64_t, std::shared_ptr<Shared>> splits;
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
  /// The number of the next collective that runs: one that was captured runs
  /// often.
  std::shared_ptr<uint64_t> next = std::make_shared<uint64_t>(0);
  std::shared_ptr<bool> aborted = std::make_shared<bool>(false);
  /// Held by its kernels, those in graphs among them.
  std::shared_ptr<int> uses = std::make_shared<int>(0);
  /// That of the thread that made it.
  cuda::Context context = nullptr;
  /// Answers still to be given with "in progress".
  long long pending = 0;
  bool hasStarted = false;
  /// Whether calls answer when they have ended: there is nothing to wait for.
  bool isBlocking = false;
  /// What a split makes is there when it has ended.
  uint64_t numSplits = 0;
  CommHandle *split = nullptr, **splitPlace = nullptr;
};
} // namespace moert::nccl

static std::mutex registryMutex;
static std::map<std::string, std::weak_ptr<Shared>> registry;

static size_t sizeOf(int type) {
  static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return sizes[type];
}

/// Of a number and a NaN, NCCL's minimum and maximum take the number.
template <typename T> static T getMin(T a, T b) {
  return a < b || b != b ? a : b;
}
template <typename T> static T getMax(T a, T b) {
  return a > b || b != b ? a : b;
}

template <typename T> static T combine(int reduction, T a, T b) {
  switch (reduction) {
  case 0:
    return static_cast<T>(a + b);
  case 1:
    return static_cast<T>(a * b);
  case 2:
    return getMax(a, b);
  default:
    return getMin(a, b);
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
  case Kind::ReduceScatter:
    for (const char *&data : from)
      data += rank * unit;
    [[fallthrough]];
  case Kind::AllReduce:
    return reduceIntegers(own.type, from, to, own.count, own.reduction);
  case Kind::AllToAll:
    for (size_t i = 0; i < n; ++i)
      std::memmove(to + i * unit, from[i] + rank * unit, unit);
    return;
  }
}

/// Bytes that a collective reads and writes of each member.
static size_t getSentBytes(const Operation &operation, size_t members) {
  bool sendsToEach =
      operation.kind == Kind::ReduceScatter || operation.kind == Kind::AllToAll;
  return operation.count * sizeOf(operation.type) * (sendsToEach ? members : 1);
}
static size_t getReceivedBytes(const Operation &operation, size_t members) {
  bool takesFromEach =
      operation.kind == Kind::AllGather || operation.kind == Kind::AllToAll;
  return operation.count * sizeOf(operation.type) *
         (takesFromEach ? members : 1);
}

/// Where a communicator does not block, what was called goes on for so many
/// questions.
static Result begin(Comm comm) {
  comm->hasStarted = true;
  comm->pending = comm->isBlocking
                      ? 0
                      : standin::getNumber("MOERT_STAND_IN_NCCL_PENDING", 2);
  return comm->pending ? kInProgress : kSuccess;
}

/// Puts a collective on its stream.
static Result start(Comm comm, cuda::Stream stream, Operation operation) {
  auto own = std::make_shared<Operation>(operation);
  own->send =
      standin::reach(operation.send, getSentBytes(operation, comm->size));
  own->receive = standin::reach(operation.receive,
                                getReceivedBytes(operation, comm->size));
  standin::enqueue(stream, [=, shared = comm->shared, n = comm->size,
                            rank = static_cast<size_t>(comm->rank),
                            next = comm->next, aborted = comm->aborted,
                            use = comm->uses] {
    std::unique_lock<std::mutex> lock(shared->mutex);
    uint64_t number = (*next)++;
    Round &round = shared->rounds[number];
    round.operations.resize(n);
    round.operations[rank] = own;
    shared->changed.notify_all();
    auto agrees = [&] {
      for (const auto &other : round.operations)
        if (!other || other->count != own->count || other->kind != own->kind ||
            other->type != own->type || other->reduction != own->reduction)
          return false;
      return true;
    };
    shared->changed.wait(lock, [&] { return *aborted || agrees(); });
    // Who leaves takes what it has brought along: the memory behind it may be
    // given back from then on, and those who come later wait as for one who
    // never came.
    if (!agrees()) {
      round.operations[rank] = nullptr;
      return;
    }
    // In place, nobody may write before all have read: through a copy.
    Operation mine = *own;
    size_t bytes = getReceivedBytes(mine, n);
    std::vector<char> result(bytes);
    mine.receive = result.data();
    perform(mine, round, rank);
    ++round.done;
    shared->changed.notify_all();
    shared->changed.wait(lock, [&] { return *aborted || round.done >= n; });
    if (round.done < n) {
      round.operations[rank] = nullptr;
      return;
    }
    std::memcpy(own->receive, result.data(), bytes);
    if (++round.left == n)
      shared->rounds.erase(number);
  });
  return begin(comm);
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
  // The first member keeps it alive until the others have come, as they hold
  // it from then on: kept for the whole test.
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
STAND_IN_API Result ncclCommInitRankConfig(Comm *comm, int size, UniqueId id,
                                           int rank, Config *config) {
  CALL();
  if (config->magic != 0xcafebeef || config->blocking != 0)
    return kInvalidArgument;
  return join(comm, size, id, rank, /*isBlocking=*/false);
}
STAND_IN_API Result ncclCommInitRank(Comm *comm, int size, UniqueId id,
                                     int rank) {
  CALL();
  return join(comm, size, id, rank, /*isBlocking=*/true);
}
/// All members are of one color, in the order they have. As in NCCL 2.28 the
/// answer is a success while the communicator that is split says that it goes
/// on.
STAND_IN_API Result ncclCommSplit(Comm comm, int color, int key, Comm *made,
                                  Config *config) {
  CALL();
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

/// An error that comes later than the call it is of.
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
// The end of communicators
//===----------------------------------------------------------------------===//

/// Groups of this thread that have begun and not ended.
static thread_local int groupDepth = 0;
/// What the group ends with: communicators that are given back.
static thread_local std::vector<Comm> ending;

static void stop(Comm comm) {
  {
    std::lock_guard<std::mutex> lock(comm->shared->mutex);
    *comm->aborted = true;
  }
  comm->shared->changed.notify_all();
}

/// Gives back its memory, which waits for everything on the device: its own
/// kernels have ended, those of another communicator may wait for their peers.
static void release(Comm comm) {
  standin::synchronize(comm->context);
  // As NCCL, which has no deadline for it.
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

/// In a group, communicators are stopped at once and given back at its end.
STAND_IN_API Result ncclCommAbort(Comm comm) {
  CALL();
  stop(comm);
  standin::dropRegistrations(comm);
  if (groupDepth)
    ending.push_back(comm);
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
/// What is under way is waited for.
STAND_IN_API Result ncclCommDestroy(Comm comm) {
  CALL();
  standin::verifyNoneRegistered(comm);
  if (groupDepth)
    ending.push_back(comm);
  else
    release(comm);
  return kSuccess;
}

static std::string printBytes(size_t bytes) {
  return "bytes=" + std::to_string(bytes);
}

STAND_IN_API Result ncclAllGather(const void *send, void *receive, size_t count,
                                  int type, Comm comm, cuda::Stream stream) {
  CALL(stream, printBytes(count * sizeOf(type)));
  return start(comm, stream, {Kind::AllGather, send, receive, count, type, 0});
}
STAND_IN_API Result ncclReduceScatter(const void *send, void *receive,
                                      size_t count, int type, int reduction,
                                      Comm comm, cuda::Stream stream) {
  CALL(stream, printBytes(count * sizeOf(type)));
  return start(comm, stream,
               {Kind::ReduceScatter, send, receive, count, type, reduction});
}
STAND_IN_API Result ncclAllReduce(const void *send, void *receive, size_t count,
                                  int type, int reduction, Comm comm,
                                  cuda::Stream stream) {
  CALL(stream, printBytes(count * sizeOf(type)));
  return start(comm, stream,
               {Kind::AllReduce, send, receive, count, type, reduction});
}
STAND_IN_API Result ncclAlltoAll(const void *send, void *receive, size_t count,
                                 int type, Comm comm, cuda::Stream stream) {
  CALL(stream, printBytes(count * sizeOf(type)));
  return start(comm, stream, {Kind::AllToAll, send, receive, count, type, 0});
}

//===----------------------------------------------------------------------===//
// Groups of sends and receives
//===----------------------------------------------------------------------===//

namespace {
/// The transfers of one communicator that a group has on a stream.
struct Exchange {
  Comm comm;
  cuda::Stream stream;
  std::vector<Transfer> transfers;
};
} // namespace

static thread_local std::vector<Exchange> exchanges;

static void start(const Exchange &exchange);

STAND_IN_API Result ncclGroupStart() {
  CALL();
  ++groupDepth;
  return kSuccess;
}
STAND_IN_API Result ncclGroupEnd() {
  CALL();
  if (groupDepth == 0)
    return kInvalidArgument;
  if (--groupDepth)
    return kSuccess;
  Result result = kSuccess;
  for (const Exchange &exchange : exchanges) {
    start(exchange);
    if (begin(exchange.comm) == kInProgress)
      result = kInProgress;
  }
  exchanges.clear();
  for (Comm comm : ending)
    release(comm);
  ending.clear();
  return result;
}

/// A transfer outside of a group is a group of its own.
static Result add(Transfer transfer, Comm comm, cuda::Stream stream) {
  transfer.data = standin::reach(transfer.data, transfer.bytes);
  auto at = std::find_if(
      exchanges.begin(), exchanges.end(), [&](const Exchange &exchange) {
        return exchange.comm == comm && exchange.stream == stream;
      });
  if (at == exchanges.end())
    at = exchanges.insert(at, {comm, stream, {}});
  at->transfers.push_back(transfer);
  if (groupDepth)
    return kSuccess;
  start(exchanges.back());
  exchanges.clear();
  return begin(comm);
}
STAND_IN_API Result ncclSend(const void *data, size_t count, int type, int peer,
                             Comm comm, cuda::Stream stream) {
  CALL(stream, printBytes(count * sizeOf(type)));
  return add({true, const_cast<void *>(data), count * sizeOf(type), peer}, comm,
             stream);
}
STAND_IN_API Result ncclRecv(void *data, size_t count, int type, int peer,
                             Comm comm, cuda::Stream stream) {
  CALL(stream, printBytes(count * sizeOf(type)));
  return add({false, data, count * sizeOf(type), peer}, comm, stream);
}

static void start(const Exchange &exchange) {
  Comm comm = exchange.comm;
  standin::enqueue(exchange.stream, [list = exchange.transfers,
                                     shared = comm->shared, rank = comm->rank,
                                     aborted = comm->aborted,
                                     use = comm->uses] {
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
}
