// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between devices.

#include "nccl/NcclComm.h"
#include "nccl/NcclStream.h"
#include <algorithm>
#include <cinttypes>

using namespace moert;
using namespace moert::nccl;

static char *at(const void *base, size_t offset) {
  return const_cast<char *>(static_cast<const char *>(base)) + offset;
}

Status NcclComm::settle(Result result, const char *what, Deadline deadline) {
  return context.settle(comm, result, what, deadline);
}

void NcclComm::hold(Comm made) {
  comm = made;
  live = std::make_shared<LiveComm>(context.nccl(), context.driver(),
                                    context.getCudaContext(), made,
                                    /*isOurs=*/!isAdopted);
}

Status NcclComm::makeBlocking(Deadline deadline) {
  Config config = context.getCommConfig();
  config.blocking = 1;
  // All members have one color, in their order.
  Result result = context.nccl().CommSplit(comm, /*color=*/0, position,
                                           &replacement, &config);
  // NCCL (for example 2.28) may report success while it is still in progress;
  // the parent communicator reports the truth.
  if (result == kSuccess)
    result = kInProgress;
  Status status = settle(result, "ncclCommSplit", deadline);
  if (!status.ok())
    return status;
  if (!replacement)
    return context.fail(error(MOERT_BACKEND_ERROR,
                              "rank %d: ncclCommSplit: expected a "
                              "communicator, got none",
                              context.rank));
  std::shared_ptr<LiveComm> first = std::move(live);
  hold(replacement);
  first->close(deadline);
  if (first->waitForEnd(deadline.extendedBy(LiveComm::kEndUs)))
    return {};
  return error(MOERT_DEADLINE_EXCEEDED,
               "the communicator that made another one did not end");
}

Status NcclComm::bootstrap(const UniqueId &id, Deadline deadline) {
  Config config = context.getCommConfig();
  Comm made = nullptr;
  Result result = context.nccl().CommInitRankConfig(
      &made, static_cast<int>(ranks.size()), id, position, &config);
  if (made)
    hold(made);
  Status status = settle(result, "ncclCommInitRankConfig", deadline);
  if (status.ok() && context.nccl().CommSplit)
    status = makeBlocking(deadline);
  return status;
}

Status NcclComm::connect(const std::vector<int32_t> &members,
                         int32_t ownPosition, uint64_t ownKey, bool isSplit,
                         Deadline deadline) {
  std::vector<int32_t> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  // Use the complete list, because a shortened one would not distinguish
  // groups.
  std::string name = "group [";
  for (size_t i = 0; i < sorted.size(); ++i)
    name += (i ? ", " : "") + std::to_string(sorted[i]);
  name += format("] key %" PRIu64, ownKey);
  Status status = context.enter();
  bool usesWorld = isSplit && context.nccl().CommSplit;
  if (status.ok() && usesWorld)
    status = context.world.agree(ownKey, !isAdopted, deadline);
  // The first member creates the identity with which all join.
  UniqueId id{};
  if (status.ok() && ownPosition == 0 && !isAdopted && !usesWorld)
    status = context.makeId(id);
  std::vector<std::string> all;
  if (status.ok())
    status = context.getMember().meet(
        name, members, ownPosition,
        isAdopted ? "" : std::string(id.bytes, sizeof(id.bytes)), deadline, all,
        group);
  if (!status.ok())
    return status;
  // A rank with an adopted communicator has no identity.
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].empty() != isAdopted) {
      // Ranks of other groups may wait in a split.
      context.getMember().fail(
          error(MOERT_MISMATCH,
                "expected all ranks of %s to adopt a communicator or none, "
                "got rank %d that has%s and rank %d that has%s",
                name.c_str(), context.rank, isAdopted ? "" : " not", members[i],
                isAdopted ? " not" : ""),
          members);
      return context.getFailure();
    }
  if (usesWorld) {
    // The smallest rank of each group is the number of the group.
    Comm made = nullptr;
    status = context.world.split(isAdopted ? -1 : sorted[0], ownPosition,
                                 deadline, made);
    if (made)
      hold(made);
  } else if (!isAdopted) {
    all[0].resize(sizeof(id.bytes));
    std::copy_n(all[0].begin(), sizeof(id.bytes), id.bytes);
    status = bootstrap(id, deadline);
  }
  if (status.ok())
    status = context.driver().check(context.driver().MemAlloc(&scratch, 64),
                                    "cuMemAlloc");
  if (status.ok() && context.registersBuffers() && !isAdopted)
    status = context.registration.addComm(*this);
  if (status.ok())
    context.watch(this, true);
  return status;
}

NcclComm::~NcclComm() {
  context.watch(this, false);
  // Other ranks may wait for the last calls of this one.
  announce();
  context.getMember().flush();
  if (!context.enter().ok())
    return;
  context.registration.removeComm(*this);
  if (isAdopted)
    --context.numAdopted;
  if (live)
    live->end(/*isWell=*/context.getFailure().ok());
  for (const Flight &flight : flights)
    for (cuda::Event event : {flight.begin, flight.end})
      if (event)
        context.driver().EventDestroy(event);
  if (scratch)
    context.driver().MemFree(scratch);
}

void NcclComm::abort() { live->abort(); }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Status NcclComm::start(Collective collective) {
  Status status = context.getFailure();
  if (status.ok())
    status = context.enter();
  if (!status.ok())
    return status;
  std::lock_guard<std::timed_mutex> lock(live->calls);
  if (live->isEnding())
    return context.getFailure();
  if (context.isCapturing.load())
    return launch(collective);
  const cuda::Driver &driver = context.driver();
  Flight flight{};
  flight.number = number++;
  flight.signature = collective.signature;
  flight.sizes = collective.sendSizes;
  flight.sizes.insert(flight.sizes.end(), collective.receiveSizes.begin(),
                      collective.receiveSizes.end());
  flight.since = Deadline::Clock::now();
  // Events of a captured stream must not be queried.
  int isCaptured = 0;
  status = driver.check(driver.StreamIsCapturing(cudaStream, &isCaptured),
                        "cuStreamIsCapturing");
  if (status.ok() && !isCaptured)
    status = context.takeEvent(flight.begin);
  if (status.ok() && !isCaptured)
    status = context.takeEvent(flight.end);
  if (status.ok() && flight.begin)
    status = driver.check(driver.EventRecord(flight.begin, cudaStream),
                          "cuEventRecord");
  cuda::Event end = flight.end;
  Flight *entry;
  {
    std::lock_guard<std::mutex> lock(flightMutex);
    // The entry does not move until it is called.
    entry = &flights.emplace_back(std::move(flight));
  }
  if (status.ok())
    status = launch(collective);
  if (status.ok() && end)
    status = driver.check(driver.EventRecord(end, cudaStream), "cuEventRecord");
  std::lock_guard<std::mutex> flightLock(flightMutex);
  entry->isCalled = true;
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
  // NCCL numbers the reductions like the C interface, except for the last two.
  static const int reductions[] = {0, 1, 3, 2};
  if (reduces && n > 1 && own.type == MOERT_I16)
    return reduceSmallIntegers(collective);
  if (reduces && n == 1)
    return collective.send == collective.receive
               ? Status()
               : driver.check(
                     driver.MemcpyAsync(cuda::toDevice(collective.receive),
                                        cuda::toDevice(collective.send), unit,
                                        cudaStream),
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

/// Exchanges with all peers in one group; this rank's own rows are copied.
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
        if (Status status = driver.check(
                driver.MemcpyAsync(cuda::toDevice(target),
                                   cuda::toDevice(source), sent, cudaStream),
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

/// Gathers bytes and reduces them here, because NCCL does not reduce 16-bit
/// integers.
Status NcclComm::reduceSmallIntegers(const Collective &own) {
  size_t n = ranks.size(), unit = own.getUnitBytes();
  Deadline deadline = Deadline::inMicroseconds(context.deadlineUs);
  auto gatherAndReduce = [&](void *gathered) {
    Status status;
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
    if (!status.ok())
      return status;
    return context.launch(
        "moert_reduce_i16",
        static_cast<unsigned>(std::min<long long>((count + 255) / 256, 4096)),
        256, 0, cudaStream, parameters);
  };
  auto members = static_cast<int64_t>(n);
  return static_cast<NcclStream *>(stream)->withScratch(
      scratch::reduceSmallIntegers(members, own.signature.count),
      gatherAndReduce);
}
