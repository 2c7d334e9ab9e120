// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: communicators.

#include "core/Guard.h"
#include "core/Hash.h"
#include <algorithm>
#include <cinttypes>

using namespace moert;

std::string moert_comm::describe() const {
  return format("group %s key %" PRIu64,
                printRanks(ranks.data(), ranks.size()).c_str(), key);
}

static Status verifyRanks(const moert_context &context, const int32_t *ranks,
                          int32_t size, int32_t &position) {
  if (size < 1 || size > context.worldSize)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a group of 1 to %d ranks, got %d", context.worldSize,
                 size);
  std::vector<bool> seen(context.worldSize, false);
  position = -1;
  for (int32_t i = 0; i < size; ++i) {
    if (ranks[i] < 0 || ranks[i] >= context.worldSize)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected ranks in [0, %d), got %d at position %d",
                   context.worldSize, ranks[i], i);
    if (seen[ranks[i]])
      return error(MOERT_INVALID_ARGUMENT,
                   "expected different ranks, got %d twice", ranks[i]);
    seen[ranks[i]] = true;
    if (ranks[i] == context.rank)
      position = i;
  }
  if (position < 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected this rank, %d, among the ranks of its group, got %s",
                 context.rank, printRanks(ranks, size).c_str());
  return {};
}

static Status createComm(moert_stream &stream, const std::vector<int32_t> &list,
                         int32_t position, uint64_t key, bool isSplit,
                         Deadline deadline, moert_comm *&comm) {
  moert_context &context = *stream.context;
  {
    std::lock_guard<std::mutex> lock(context.mutex);
    for (moert_comm *other : context.comms)
      if (other->key == key && other->ranks == list)
        return error(MOERT_INVALID_ARGUMENT,
                     "expected one communicator of %s at a time, got a "
                     "second one",
                     other->describe().c_str());
  }
  Status status =
      stream.createComm(list, position, key, isSplit, deadline, &comm);
  if (!status.ok())
    return status;
  comm->stream = &stream;
  comm->ranks = list;
  comm->key = key;
  comm->position = position;
  std::lock_guard<std::mutex> lock(context.mutex);
  ++stream.numComms;
  ++context.counts.comms;
  context.comms.insert(comm);
  return {};
}

/// Checks the arguments that both ways to create a communicator share.
static Status verifyMembers(moert_stream *stream, const int32_t *ranks,
                            int32_t size, int64_t deadlineUs, moert_comm **comm,
                            int32_t &position, Deadline &deadline) {
  if (!stream || !ranks || !comm)
    return missing(!stream ? "a stream"
                   : ranks ? "a place for the communicator"
                           : "ranks");
  *comm = nullptr;
  Status status = makeDeadline(*stream->context, deadlineUs, deadline);
  return status.ok() ? verifyRanks(*stream->context, ranks, size, position)
                     : status;
}

moert_status moert_comm_create(moert_stream *stream, const int32_t *ranks,
                               int32_t size, uint64_t key, int64_t deadline_us,
                               moert_comm **comm) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    int32_t position = -1;
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = verifyMembers(stream, ranks, size, deadline_us, comm,
                                  position, deadline);
    if (!status.ok())
      return status;
    return createComm(*stream, {ranks, ranks + size}, position, key,
                      /*isSplit=*/false, deadline, *comm);
  });
}

/// Returns the key of a stream's communicators: equal on all ranks, different
/// for each stream and each partition of all ranks (empty for none), and far
/// from the small keys that callers choose.
static uint64_t makeKey(const moert_stream &stream,
                        const std::vector<int32_t> &partition = {},
                        int32_t size = 0) {
  uint64_t hash = hashBytes(&stream.priority, sizeof(stream.priority),
                            hashBytes(stream.name.data(), stream.name.size()));
  if (!partition.empty())
    hash = hashBytes(partition.data(), partition.size() * sizeof(int32_t),
                     hashBytes(&size, sizeof(size), hash));
  return hash | uint64_t(1) << 63;
}

static Status verifyKept(const moert_stream &stream) {
  if (stream.isKept)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "expected a stream of moert_stream_get, got the stream '%s' of "
               "moert_stream_create",
               stream.name.c_str());
}

moert_status moert_comm_get(moert_stream *stream, const int32_t *ranks,
                            int32_t size, int64_t deadline_us,
                            moert_comm **comm) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    int32_t position = -1;
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = verifyMembers(stream, ranks, size, deadline_us, comm,
                                  position, deadline);
    if (!status.ok())
      return status;
    status = verifyKept(*stream);
    if (!status.ok())
      return status;
    moert_context &context = *stream->context;
    std::vector<int32_t> list(ranks, ranks + size);
    std::lock_guard<std::mutex> lock(context.keptMutex);
    auto known = context.keptComms.find({stream, list});
    if (known == context.keptComms.end()) {
      moert_comm *made = nullptr;
      status = createComm(*stream, list, position, makeKey(*stream),
                          /*isSplit=*/false, deadline, made);
      if (!status.ok())
        return status;
      made->isKept = true;
      known = context.keptComms.emplace(std::pair(stream, list), made).first;
    }
    *comm = known->second;
    return Status();
  });
}

/// Checks that the list has each rank of the job once, in groups of `size`.
static Status verifyPartition(const moert_context &context,
                              const std::vector<int32_t> &partition,
                              int32_t size, int32_t &position) {
  if (size < 1 || context.worldSize % size != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected groups of equal size of all %d ranks, got groups of "
                 "%d",
                 context.worldSize, size);
  return verifyRanks(context, partition.data(), context.worldSize, position);
}

moert_status moert_comm_split(moert_stream *stream, const int32_t *ranks,
                              int32_t size, int64_t deadline_us,
                              moert_comm **comm) {
  return guard(stream ? stream->context : nullptr, __func__, [&] {
    if (!stream || !ranks || !comm)
      return missing(!stream ? "a stream"
                     : ranks ? "a place for the communicator"
                             : "ranks");
    *comm = nullptr;
    moert_context &context = *stream->context;
    Deadline deadline = Deadline::inMicroseconds(0);
    Status status = makeDeadline(context, deadline_us, deadline);
    if (status.ok())
      status = verifyKept(*stream);
    if (!status.ok())
      return status;
    std::vector<int32_t> all(ranks, ranks + context.worldSize);
    std::lock_guard<std::mutex> lock(context.keptMutex);
    std::tuple split(stream, size, all);
    auto known = context.keptSplits.find(split);
    if (known == context.keptSplits.end()) {
      int32_t place = -1;
      status = verifyPartition(context, all, size, place);
      if (!status.ok())
        return status;
      auto begin = all.begin() + place / size * size;
      moert_comm *made = nullptr;
      status = createComm(*stream, {begin, begin + size}, place % size,
                          makeKey(*stream, all, size), /*isSplit=*/true,
                          deadline, made);
      if (!status.ok())
        return status;
      made->isKept = true;
      known = context.keptSplits.emplace(std::move(split), made).first;
    }
    *comm = known->second;
    return Status();
  });
}

moert_status moert_comm_adopt(moert_context *context, const int32_t *ranks,
                              int32_t size, void *native_comm) {
  return guard(context, __func__, [&] {
    if (!context || !ranks || !native_comm)
      return missing(!context ? "a context"
                     : ranks  ? "a communicator"
                              : "ranks");
    int32_t position = -1;
    Status status = verifyRanks(*context, ranks, size, position);
    if (status.ok())
      status = context->verifyComm(native_comm, size, position);
    if (!status.ok())
      return status;
    std::vector<int32_t> list(ranks, ranks + size);
    std::lock_guard<std::mutex> lock(context->mutex);
    for (const moert_comm *comm : context->comms)
      if (comm->ranks == list)
        return error(MOERT_INVALID_ARGUMENT,
                     "expected to adopt before the first communicator of its "
                     "ranks is made, got %s",
                     comm->describe().c_str());
    if (!context->adoptedComms.emplace(std::move(list), native_comm).second)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected one communicator to adopt for ranks %s, got a "
                   "second one",
                   printRanks(ranks, size).c_str());
    return Status();
  });
}

moert_status moert_comm_destroy(moert_comm *comm) {
  moert_context *context = comm ? comm->stream->context : nullptr;
  return guard(context, __func__, [&] {
    if (!comm)
      return missing("a communicator");
    if (comm->isKept)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a communicator of moert_comm_create, got the "
                   "job's of %s, which moert_finalize destroys",
                   comm->describe().c_str());
    // Running work keeps its communicator.
    if (!comm->stream->drain(Deadline::inMicroseconds(context->deadlineUs)))
      return error(MOERT_DEADLINE_EXCEEDED,
                   "the work of %s did not end before the deadline",
                   comm->describe().c_str());
    {
      std::lock_guard<std::mutex> lock(context->mutex);
      --comm->stream->numComms;
      context->comms.erase(comm);
    }
    delete comm;
    return Status();
  });
}

int32_t moert_comm_size(const moert_comm *comm) {
  return comm ? static_cast<int32_t>(comm->ranks.size()) : -1;
}

int32_t moert_comm_rank(const moert_comm *comm) {
  return comm ? comm->position : -1;
}

/// Checks a collective and puts it on the stream.
static moert_status start(moert_comm *comm, const char *call,
                          Collective collective, int64_t sendRows = 0,
                          int64_t receiveRows = 0) {
  return guard(comm ? comm->stream->context : nullptr, call, [&] {
    if (!comm)
      return missing("a communicator");
    Status status =
        verifyCollective(collective, static_cast<int64_t>(comm->ranks.size()),
                         sendRows, receiveRows);
    if (!status.ok())
      return status;
    if (collective.signature.kind == CollectiveKind::AllGather) {
      // In place, the source must be this rank's place in the result.
      size_t unit = collective.getUnitBytes();
      auto *send = static_cast<const char *>(collective.send);
      auto *receive = static_cast<const char *>(collective.receive);
      if (unit && send != receive + comm->position * unit &&
          send < receive + comm->ranks.size() * unit && receive < send + unit)
        return error(MOERT_INVALID_ARGUMENT,
                     "expected to send from elsewhere or from place %d of the "
                     "result, got from within the result",
                     comm->position);
    }
    return comm->start(std::move(collective));
  });
}

static Collective make(CollectiveKind kind, const void *send, void *receive,
                       int64_t count, moert_type type,
                       moert_reduction reduction = MOERT_SUM) {
  Collective collective;
  collective.signature = {kind, type, reduction, count};
  collective.send = send;
  collective.receive = receive;
  return collective;
}

moert_status moert_all_to_all(moert_comm *comm, const void *send, void *receive,
                              int64_t block, moert_type type) {
  return start(comm, __func__,
               make(CollectiveKind::AllToAll, send, receive, block, type));
}

moert_status
moert_ragged_all_to_all(moert_comm *comm, const void *send, int64_t send_rows,
                        void *receive, int64_t receive_rows, int64_t row,
                        const int64_t *send_offsets, const int64_t *send_sizes,
                        const int64_t *receive_offsets,
                        const int64_t *receive_sizes, moert_type type) {
  Collective collective;
  moert_status status =
      guard(comm ? comm->stream->context : nullptr, __func__, [&] {
        if (!comm || !send_offsets || !send_sizes || !receive_offsets ||
            !receive_sizes)
          return missing(comm ? "offsets and sizes" : "a communicator");
        collective =
            make(CollectiveKind::RaggedAllToAll, send, receive, row, type);
        size_t n = comm->ranks.size();
        collective.sendOffsets.assign(send_offsets, send_offsets + n);
        collective.sendSizes.assign(send_sizes, send_sizes + n);
        collective.receiveOffsets.assign(receive_offsets, receive_offsets + n);
        collective.receiveSizes.assign(receive_sizes, receive_sizes + n);
        return Status();
      });
  if (status != MOERT_OK)
    return status;
  return start(comm, __func__, std::move(collective), send_rows, receive_rows);
}

moert_status moert_all_gather(moert_comm *comm, const void *send, void *receive,
                              int64_t count, moert_type type) {
  return start(comm, __func__,
               make(CollectiveKind::AllGather, send, receive, count, type));
}

moert_status moert_reduce_scatter(moert_comm *comm, const void *send,
                                  void *receive, int64_t block, moert_type type,
                                  moert_reduction reduction) {
  return start(comm, __func__,
               make(CollectiveKind::ReduceScatter, send, receive, block, type,
                    reduction));
}

moert_status moert_all_reduce(moert_comm *comm, const void *send, void *receive,
                              int64_t count, moert_type type,
                              moert_reduction reduction) {
  return start(
      comm, __func__,
      make(CollectiveKind::AllReduce, send, receive, count, type, reduction));
}

moert_status moert_barrier(moert_comm *comm) {
  return start(comm, __func__,
               make(CollectiveKind::Barrier, nullptr, nullptr, 0, MOERT_I8));
}
