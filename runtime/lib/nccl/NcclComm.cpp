//===- NcclComm.cpp - Collectives between devices ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclComm.h"
#include <algorithm>
#include <cinttypes>
#include <sched.h>
#include <unistd.h>

using namespace moert;
using namespace moert::nccl;

static char *at(const void *base, size_t offset) {
  return const_cast<char *>(static_cast<const char *>(base)) + offset;
}

static cuda::Pointer toDevice(const void *pointer) {
  return reinterpret_cast<cuda::Pointer>(pointer);
}

std::string NcclComm::explain(Result result) const {
  const char *last = comm ? context.nccl().GetLastError(comm) : nullptr;
  return format("NCCL error %d (%s)%s%s", result,
                context.nccl().GetErrorString(result),
                last && *last ? ": " : "", last ? last : "");
}

Status NcclComm::settle(Result result, const char *what, Deadline deadline) {
  for (unsigned round = 0; result == kInProgress; ++round) {
    Status failure = context.getFailure();
    if (!failure.ok())
      return failure;
    if (deadline.hasPassed())
      return context.fail(error(MOERT_DEADLINE_EXCEEDED,
                                "%s did not end before the deadline", what));
    if (round < 1000)
      sched_yield();
    else
      usleep(100);
    if (context.nccl().CommGetAsyncError(comm, &result) != kSuccess)
      break;
  }
  if (result == kSuccess)
    return {};
  return context.fail(error(MOERT_BACKEND_ERROR, "rank %d: %s: %s",
                            context.rank, what, explain(result).c_str()));
}

Status NcclComm::connect(const std::vector<int32_t> &members,
                         int32_t ownPosition, uint64_t ownKey,
                         Deadline deadline) {
  std::vector<int32_t> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  // The whole list: a shortened one would not tell groups apart.
  std::string name = "group [";
  for (size_t i = 0; i < sorted.size(); ++i)
    name += (i ? ", " : "") + std::to_string(sorted[i]);
  name += format("] key %" PRIu64, ownKey);
  // The first member makes the identity that all join with.
  UniqueId id{};
  Status status = context.enter();
  if (status.ok() && ownPosition == 0 && !isAdopted)
    if (Result result = context.nccl().GetUniqueId(&id); result != kSuccess)
      status = error(MOERT_BACKEND_ERROR, "ncclGetUniqueId: %s",
                     explain(result).c_str());
  std::vector<std::string> all;
  if (status.ok())
    status = context.hub().meet(
        name, members, ownPosition,
        isAdopted ? "" : std::string(id.bytes, sizeof(id.bytes)), deadline, all,
        group);
  if (!status.ok())
    return status;
  // Who brings a communicator of the caller's has no identity to show.
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].empty() != isAdopted)
      return error(MOERT_MISMATCH,
                   "expected all ranks of %s to adopt a communicator or none, "
                   "got rank %d that has%s and rank %d that has%s",
                   name.c_str(), context.rank, isAdopted ? "" : " not",
                   members[i], isAdopted ? " not" : "");
  all[0].resize(sizeof(id.bytes));
  std::copy_n(all[0].begin(), sizeof(id.bytes), id.bytes);
  Config config = context.getCommConfig();
  if (!isAdopted)
    status = settle(
        context.nccl().CommInitRankConfig(
            &comm, static_cast<int>(members.size()), id, ownPosition, &config),
        "ncclCommInitRankConfig", deadline);
  if (status.ok())
    status = context.driver().check(context.driver().MemAlloc(&scratch, 64),
                                    "cuMemAlloc");
  if (status.ok())
    context.watch(this, true);
  return status;
}

NcclComm::~NcclComm() {
  context.watch(this, false);
  if (!context.enter().ok())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  const cuda::Driver &driver = context.driver();
  if (isAdopted)
    --context.numAdopted;
  if (comm && !aborted && !isAdopted) {
    // What NCCL does not end in a moment is ended for it.
    Result result = context.nccl().CommFinalize(comm);
    Deadline deadline = Deadline::inMicroseconds(2000000);
    while (result == kInProgress && !deadline.hasPassed()) {
      usleep(100);
      if (context.nccl().CommGetAsyncError(comm, &result) != kSuccess)
        break;
    }
    if (result == kSuccess)
      context.nccl().CommDestroy(comm);
    else
      context.nccl().CommAbort(comm);
  }
  for (const Flight &flight : flights) {
    driver.EventDestroy(flight.begin);
    driver.EventDestroy(flight.end);
  }
  for (cuda::Event event : spareEvents)
    driver.EventDestroy(event);
  if (scratch)
    driver.MemFree(scratch);
}

void NcclComm::abort() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!comm || aborted)
    return;
  aborted = true;
  if (!isAdopted)
    context.nccl().CommAbort(comm);
}

std::string NcclComm::describeFlight(bool &hasBegun) {
  hasBegun = false;
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock)
    return "";
  const cuda::Driver &driver = context.driver();
  for (const Flight &flight : flights) {
    if (driver.EventQuery(flight.end) != cuda::kNotReady)
      continue;
    hasBegun = driver.EventQuery(flight.begin) == cuda::kSuccess;
    return format("%s #%" PRIu64 " of %s",
                  flight.words.substr(0, flight.words.find(' ')).c_str(),
                  flight.number, describe().c_str());
  }
  return "";
}

Status NcclComm::takeEvent(cuda::Event &event) {
  if (!spareEvents.empty()) {
    event = spareEvents.back();
    spareEvents.pop_back();
    return {};
  }
  return context.driver().check(context.driver().EventCreate(&event, 0),
                                "cuEventCreate");
}

Status NcclComm::start(Collective collective) {
  Status status = context.getFailure();
  if (status.ok())
    status = context.enter();
  if (!status.ok())
    return status;
  std::lock_guard<std::mutex> lock(mutex);
  if (aborted)
    return context.getFailure();
  Flight flight{};
  flight.number = number++;
  flight.words = collective.signature.print();
  std::vector<int64_t> sizes = collective.sendSizes;
  sizes.insert(sizes.end(), collective.receiveSizes.begin(),
               collective.receiveSizes.end());
  context.hub().call(group, position, flight.number, flight.words, sizes);
  const cuda::Driver &driver = context.driver();
  status = takeEvent(flight.begin);
  if (status.ok())
    status = takeEvent(flight.end);
  if (status.ok())
    status = driver.check(driver.EventRecord(flight.begin, cudaStream),
                          "cuEventRecord");
  if (status.ok())
    status = launch(collective);
  if (status.ok())
    status = driver.check(driver.EventRecord(flight.end, cudaStream),
                          "cuEventRecord");
  flights.push_back(std::move(flight));
  return status;
}

Status NcclComm::launch(const Collective &collective) {
  const Library &nccl = context.nccl();
  const Signature &own = collective.signature;
  size_t n = ranks.size(), unit = collective.getUnitBytes();
  Deadline deadline = Deadline::inMicroseconds(context.deadlineUs);
  const cuda::Driver &driver = context.driver();
  bool reduces = own.kind == CollectiveKind::ReduceScatter ||
                 own.kind == CollectiveKind::AllReduce;
  if (unit == 0 && own.kind != CollectiveKind::Barrier)
    return {};
  // NCCL numbers reductions as the interface does, but for the last two.
  static const int reductions[] = {0, 1, 3, 2};
  if (reduces && n > 1 && own.type == MOERT_I16)
    return reduceSmallIntegers(collective);
  if (reduces && n == 1)
    return collective.send == collective.receive
               ? Status()
               : driver.check(driver.MemcpyAsync(toDevice(collective.receive),
                                                 toDevice(collective.send),
                                                 unit, cudaStream),
                              "cuMemcpyAsync");
  int type = getNcclType(own.type), reduction = reductions[own.reduction];
  size_t count = static_cast<size_t>(own.count);
  switch (own.kind) {
  case CollectiveKind::Barrier: {
    auto *word = reinterpret_cast<void *>(scratch);
    return settle(nccl.AllReduce(word, word, 1, getNcclType(MOERT_I32),
                                 reductions[MOERT_SUM], comm, cudaStream),
                  "ncclAllReduce", deadline);
  }
  case CollectiveKind::AllGather:
    return settle(nccl.AllGather(collective.send, collective.receive, unit,
                                 kBytes, comm, cudaStream),
                  "ncclAllGather", deadline);
  case CollectiveKind::ReduceScatter:
    return settle(nccl.ReduceScatter(collective.send, collective.receive, count,
                                     type, reduction, comm, cudaStream),
                  "ncclReduceScatter", deadline);
  case CollectiveKind::AllReduce:
    return settle(nccl.AllReduce(collective.send, collective.receive, count,
                                 type, reduction, comm, cudaStream),
                  "ncclAllReduce", deadline);
  case CollectiveKind::AllToAll:
    if (nccl.AlltoAll)
      return settle(nccl.AlltoAll(collective.send, collective.receive, unit,
                                  kBytes, comm, cudaStream),
                    "ncclAlltoAll", deadline);
    return exchange(collective);
  case CollectiveKind::RaggedAllToAll:
    return exchange(collective);
  }
  return {};
}

/// Sends and receives of all pairs as one operation; own rows are a copy.
Status NcclComm::exchange(const Collective &own) {
  const Library &nccl = context.nccl();
  const cuda::Driver &driver = context.driver();
  size_t n = ranks.size(), unit = own.getUnitBytes();
  bool ragged = own.signature.kind == CollectiveKind::RaggedAllToAll;
  Deadline deadline = Deadline::inMicroseconds(context.deadlineUs);
  Result result = nccl.GroupStart();
  for (size_t i = 0; i < n; ++i) {
    size_t from = ragged ? own.sendOffsets[i] : i;
    size_t to = ragged ? own.receiveOffsets[i] : i;
    size_t sent = (ragged ? own.sendSizes[i] : 1) * unit;
    size_t received = (ragged ? own.receiveSizes[i] : 1) * unit;
    void *target = at(own.receive, to * unit);
    const void *source = at(own.send, from * unit);
    if (static_cast<int32_t>(i) == position) {
      if (sent)
        if (Status status = driver.check(driver.MemcpyAsync(toDevice(target),
                                                            toDevice(source),
                                                            sent, cudaStream),
                                         "cuMemcpyAsync");
            !status.ok()) {
          nccl.GroupEnd();
          return status;
        }
      continue;
    }
    auto keep = [&](Result next) {
      if (result == kSuccess || result == kInProgress)
        result = next;
    };
    if (sent)
      keep(nccl.Send(source, sent, kBytes, static_cast<int>(i), comm,
                     cudaStream));
    if (received)
      keep(nccl.Recv(target, received, kBytes, static_cast<int>(i), comm,
                     cudaStream));
  }
  Result end = nccl.GroupEnd();
  if (result != kSuccess && result != kInProgress)
    end = result;
  return settle(end, "ncclSend and ncclRecv", deadline);
}

/// NCCL does not reduce 16-bit integers: gathered as bytes, reduced here.
Status NcclComm::reduceSmallIntegers(const Collective &own) {
  const cuda::Driver &driver = context.driver();
  size_t n = ranks.size(), unit = own.getUnitBytes();
  Deadline deadline = Deadline::inMicroseconds(context.deadlineUs);
  cuda::Pointer blocks = 0;
  Status status = driver.check(
      driver.MemAllocAsync(&blocks, n * unit, cudaStream), "cuMemAllocAsync");
  if (!status.ok())
    return status;
  void *gathered = reinterpret_cast<void *>(blocks);
  if (own.signature.kind == CollectiveKind::AllReduce) {
    status = settle(context.nccl().AllGather(own.send, gathered, unit, kBytes,
                                             comm, cudaStream),
                    "ncclAllGather", deadline);
  } else {
    Collective exchanged = own;
    exchanged.signature.kind = CollectiveKind::AllToAll;
    exchanged.receive = gathered;
    status = exchange(exchanged);
  }
  long long count = own.signature.count;
  int members = static_cast<int>(n), reduction = own.signature.reduction;
  void *target = own.receive;
  void *parameters[] = {&gathered, &target, &count, &members, &reduction};
  if (status.ok())
    status = context.launch(
        "moert_reduce_i16",
        static_cast<unsigned>(std::min<long long>((count + 255) / 256, 4096)),
        256, 0, cudaStream, parameters);
  Status freed =
      driver.check(driver.MemFreeAsync(blocks, cudaStream), "cuMemFreeAsync");
  return status.ok() ? freed : status;
}

void NcclComm::check(int64_t deadlineUs) {
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  // Somebody is calling: that call watches itself.
  if (!lock || !comm || aborted)
    return;
  const cuda::Driver &driver = context.driver();
  Result result = kSuccess;
  // The caller looks after its own.
  if (!isAdopted &&
      (context.nccl().CommGetAsyncError(comm, &result) != kSuccess ||
       (result != kSuccess && result != kInProgress))) {
    (void)context.fail(error(MOERT_BACKEND_ERROR, "rank %d: %s: %s",
                             context.rank, describe().c_str(),
                             explain(result).c_str()));
    return;
  }
  auto now = Deadline::Clock::now();
  while (!flights.empty() &&
         driver.EventQuery(flights.front().end) == cuda::kSuccess) {
    spareEvents.push_back(flights.front().begin);
    spareEvents.push_back(flights.front().end);
    flights.pop_front();
  }
  if (flights.empty())
    return;
  Flight &flight = flights.front();
  if (!flight.isRunning) {
    flight.isRunning = driver.EventQuery(flight.begin) == cuda::kSuccess;
    flight.since = now;
  } else if (!flight.isReported &&
             now - flight.since > std::chrono::microseconds(deadlineUs)) {
    flight.isReported = true;
    context.hub().reportStuck(group, flight.number,
                              flight.words.substr(0, flight.words.find(' ')));
  }
}
