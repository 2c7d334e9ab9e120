// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between processes.

#include "mpi/MpiComm.h"
#include "core/Reduce.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>

using namespace moert;

static char *at(const void *base, size_t offset) {
  return const_cast<char *>(static_cast<const char *>(base)) + offset;
}

static void copyBytes(void *target, const void *source, size_t bytes) {
  if (bytes && target != source)
    std::memcpy(target, source, bytes);
}

Status MpiComm::exchange(MpiRequests &requests, Deadline deadline) {
  auto what = [&] {
    return format("%s #%" PRIu64 " of %s", getCollectiveName(kind),
                  number.load(), describe().c_str());
  };
  auto explain = [&] {
    return error(MOERT_DEADLINE_EXCEEDED,
                 "%s: expected all ranks to come before the deadline, %s",
                 what().c_str(), job.describeMissing(requests).c_str());
  };
  return job.wait(requests, deadline, ranks, explain, what, tag);
}

Status MpiComm::agree(const Collective &collective, Deadline deadline) {
  const Signature &own = collective.signature;
  Header header{number.load(), own.count,     static_cast<int32_t>(own.kind),
                own.type,      own.reduction, 0};
  std::vector<Header> headers(ranks.size(), header);
  {
    MpiRequests requests(job.getTransport());
    for (size_t i = 0; i < ranks.size(); ++i) {
      if (static_cast<int32_t>(i) == position)
        continue;
      requests.receive(&headers[i], sizeof(Header), ranks[i], tag);
      requests.send(&header, sizeof(Header), ranks[i], tag);
    }
    Status status = exchange(requests, deadline);
    if (!status.ok())
      return status;
  }
  auto toSignature = [](const Header &h) {
    return Signature{static_cast<CollectiveKind>(h.kind),
                     static_cast<moert_type>(h.type),
                     static_cast<moert_reduction>(h.reduction), h.count};
  };
  for (size_t i = 1; i < ranks.size(); ++i) {
    Signature first = toSignature(headers[0]), other = toSignature(headers[i]);
    if (first == other && headers[i].number == headers[0].number)
      continue;
    job.fail(
        describeMismatch(describe(), number, ranks[0], first, ranks[i], other),
        ranks);
    return job.getFailure().getStatusOf(job.getRank());
  }
  return {};
}

/// Exchanges the sizes among all members, so that all find the pair that does
/// not agree.
Status MpiComm::agreeOnSizes(const Collective &own, Deadline deadline) {
  size_t n = ranks.size();
  std::vector<std::vector<int64_t>> sizes(n, std::vector<int64_t>(2 * n));
  std::copy(own.sendSizes.begin(), own.sendSizes.end(),
            sizes[position].begin());
  std::copy(own.receiveSizes.begin(), own.receiveSizes.end(),
            sizes[position].begin() + n);
  {
    MpiRequests requests(job.getTransport());
    for (size_t i = 0; i < n; ++i) {
      if (static_cast<int32_t>(i) == position)
        continue;
      requests.receive(sizes[i].data(), 16 * n, ranks[i], tag);
      requests.send(sizes[position].data(), 16 * n, ranks[i], tag);
    }
    Status status = exchange(requests, deadline);
    if (!status.ok())
      return status;
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      if (sizes[i][j] == sizes[j][n + i])
        continue;
      job.fail(error(MOERT_MISMATCH,
                     "ragged_all_to_all #%" PRIu64
                     " of %s: rank %d expects %" PRId64
                     " rows from rank %d, which sends %" PRId64,
                     number.load(), describe().c_str(), ranks[j],
                     sizes[j][n + i], ranks[i], sizes[i][j]),
               ranks);
      return job.getFailure().getStatusOf(job.getRank());
    }
  return {};
}

/// Each member reduces one part and sends it to all.
Status MpiComm::allReduce(const Collective &own, Deadline deadline) {
  size_t n = ranks.size();
  size_t elementBytes = moert_type_size(own.signature.type);
  int64_t count = own.signature.count;
  int64_t part = (count + n - 1) / n;
  auto begin = [&](size_t i) {
    return std::min<int64_t>(count, static_cast<int64_t>(i) * part);
  };
  auto bytesOf = [&](size_t i) {
    return static_cast<size_t>(begin(i + 1) - begin(i)) * elementBytes;
  };
  size_t ownBytes = bytesOf(position);
  std::vector<char> parts(n * ownBytes);
  std::vector<const void *> sources(n);
  {
    MpiRequests requests(job.getTransport());
    for (size_t i = 0; i < n; ++i) {
      sources[i] = parts.data() + i * ownBytes;
      if (static_cast<int32_t>(i) == position) {
        sources[i] = at(own.send, begin(i) * elementBytes);
        continue;
      }
      requests.receive(parts.data() + i * ownBytes, ownBytes, ranks[i], tag);
      requests.send(at(own.send, begin(i) * elementBytes), bytesOf(i), ranks[i],
                    tag);
    }
    Status status = exchange(requests, deadline);
    if (!status.ok())
      return status;
  }
  void *result = at(own.receive, begin(position) * elementBytes);
  reduce(own.signature.type, own.signature.reduction, sources, result,
         begin(position + 1) - begin(position));
  MpiRequests requests(job.getTransport());
  for (size_t i = 0; i < n; ++i) {
    if (static_cast<int32_t>(i) == position)
      continue;
    requests.receive(at(own.receive, begin(i) * elementBytes), bytesOf(i),
                     ranks[i], tag);
    requests.send(result, ownBytes, ranks[i], tag);
  }
  return exchange(requests, deadline);
}

/// Maximum total time that a collective yields to others. Ranks of one program
/// delay each other at most for the duration of the more urgent collectives,
/// but other programs could wait for each other.
static constexpr std::chrono::microseconds kMostYielded =
    std::chrono::seconds(1);

/// Number of bytes that a member sends to another one before it may yield.
static constexpr size_t kTurnBytes = size_t(128) << 10;

void MpiComm::yield() {
  if (mayWait.count() > 0)
    mayWait -= job.getTurns().yield(getPriority(), mayWait);
}

Status MpiComm::allReduceInTurns(const Collective &own, Deadline deadline) {
  size_t elementBytes = moert_type_size(own.signature.type);
  auto most = static_cast<int64_t>(kTurnBytes / elementBytes * ranks.size());
  for (int64_t begin = 0, count = own.signature.count; begin < count;
       begin += most) {
    if (begin > 0)
      yield();
    Collective piece = own;
    piece.signature.count = std::min(most, count - begin);
    piece.send = at(own.send, begin * elementBytes);
    piece.receive = at(own.receive, begin * elementBytes);
    if (Status status = allReduce(piece, deadline); !status.ok())
      return status;
  }
  return {};
}

Status MpiComm::run(std::span<const Collective *const> batch) {
  const Collective &own = *batch.front();
  // Yield for at most half of the collective's time limit.
  mayWait = std::min(kMostYielded, std::chrono::microseconds(patienceUs / 2));
  yield();
  MpiTurns::UnderWay underWay(job.getTurns(), getPriority());
  Deadline deadline = Deadline::inMicroseconds(patienceUs);
  kind = own.signature.kind;
  Status status = agree(own, deadline);
  if (status.ok() && kind == CollectiveKind::RaggedAllToAll)
    status = agreeOnSizes(own, deadline);
  if (!status.ok())
    return status;
  size_t n = ranks.size(), unit = own.getUnitBytes();
  size_t me = static_cast<size_t>(position);
  if (kind == CollectiveKind::AllReduce) {
    if (n == 1)
      copyBytes(own.receive, own.send, unit);
    else
      status = getPriority() > 0 ? allReduceInTurns(own, deadline)
                                 : allReduce(own, deadline);
    if (status.ok())
      ++number;
    return status;
  }

  MpiRequests requests(job.getTransport());
  std::vector<char> blocks;
  if (kind == CollectiveKind::ReduceScatter)
    blocks.resize(n * unit);
  for (size_t step = 0; step < n; ++step) {
    // Each member starts at another peer.
    size_t i = (me + step) % n;
    const char *from = nullptr;
    char *to = nullptr;
    size_t sent = unit, received = unit;
    switch (kind.load()) {
    case CollectiveKind::AllToAll:
      from = at(own.send, i * unit);
      to = at(own.receive, i * unit);
      break;
    case CollectiveKind::AllGather:
      from = static_cast<const char *>(own.send);
      to = at(own.receive, i * unit);
      break;
    case CollectiveKind::ReduceScatter:
      from = at(own.send, i * unit);
      to = blocks.data() + i * unit;
      break;
    case CollectiveKind::RaggedAllToAll:
      from = at(own.send, own.sendOffsets[i] * unit);
      to = at(own.receive, own.receiveOffsets[i] * unit);
      sent = own.sendSizes[i] * unit;
      received = own.receiveSizes[i] * unit;
      break;
    default:
      sent = received = 0;
    }
    if (i == me) {
      copyBytes(to, from, sent);
      continue;
    }
    requests.receive(to, received, ranks[i], tag);
    requests.send(from, sent, ranks[i], tag);
  }
  status = exchange(requests, deadline);
  if (!status.ok())
    return status;
  if (kind == CollectiveKind::ReduceScatter) {
    std::vector<const void *> sources(n);
    for (size_t i = 0; i < n; ++i)
      sources[i] = blocks.data() + i * unit;
    reduce(own.signature.type, own.signature.reduction, sources, own.receive,
           own.signature.count);
  }
  ++number;
  return {};
}

std::string MpiComm::describeWait() {
  std::string words;
  if (job.describeWait(tag, words))
    return words;
  return format("%s #%" PRIu64 " of %s is under way", getCollectiveName(kind),
                number.load(), describe().c_str());
}
