// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of sends and receives.

// As in NCCL, a send waits on its stream until it is received. A send is never
// received with another size.

#include "NcclComm.h"
#include <algorithm>
#include <cstring>

using namespace moert;
using namespace moert::nccl;
using namespace moert::standin;

namespace {
struct Transfer {
  bool sends;
  void *data;
  size_t bytes;
  int peer;
};
/// The transfers of a group with the same communicator and stream.
struct Exchange {
  Comm comm;
  cuda::Stream stream;
  std::vector<Transfer> transfers;
};
} // namespace

static thread_local int groupDepth = 0;
/// Communicators to release at the end of the group.
static thread_local std::vector<Comm> ending;

bool standin::isInGroup() { return groupDepth > 0; }

void standin::endWithGroup(Comm comm) { ending.push_back(comm); }

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

/// Adds a transfer. A transfer outside of a group is a group of its own.
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
    // Withdraws messages that were not received when this ends after an abort,
    // because their memory may be freed from then on.
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
      // If the sizes differ, both sides wait.
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
