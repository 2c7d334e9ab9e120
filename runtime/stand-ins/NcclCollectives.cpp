// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between threads.

// As in NCCL, a collective waits on its stream until all members have called
// it. If sizes do not match or a member is missing, it waits until the
// communicator is aborted.

#include "NcclComm.h"
#include <cstring>

using namespace moert;
using namespace moert::nccl;
using namespace moert::standin;

size_t standin::sizeOf(int type) {
  static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return sizes[type];
}

std::string standin::printBytes(size_t bytes) {
  return "bytes=" + std::to_string(bytes);
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
    return reduce(own.type, from, to, own.count, own.reduction);
  case Kind::AllToAll:
    for (size_t i = 0; i < n; ++i)
      std::memmove(to + i * unit, from[i] + rank * unit, unit);
    return;
  }
}

/// Returns the bytes that each member sends in a collective.
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

/// Enqueues a collective on its stream.
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
    // A member that leaves removes its operation, because its memory may be
    // freed from then on. Later members wait as if it had never arrived.
    if (!agrees()) {
      round.operations[rank] = nullptr;
      return;
    }
    // Operations may be in place, so results are written to a copy until all
    // members have read their operands.
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
