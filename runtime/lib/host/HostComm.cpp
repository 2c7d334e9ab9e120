// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives between threads.

#include "host/HostComm.h"
#include "core/Reduce.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <new>
#include <thread>

using namespace moert;

static void copyBytes(void *target, const void *source, size_t bytes) {
  if (bytes && target != source)
    std::memcpy(target, source, bytes);
}

static char *shift(const void *base, size_t offset) {
  return const_cast<char *>(static_cast<const char *>(base)) + offset;
}

Status HostComm::explain() {
  const Failure &failure = job->getFailure();
  if (!failure.isRaised()) {
    uint64_t at = board->getDone();
    bool left = job->isAbandoned(*board, at);
    std::string blame = job->describeMissing(*board, at);
    job->fail(error(left ? MOERT_ABORTED : MOERT_DEADLINE_EXCEEDED,
                    "%s: expected all ranks to come%s, %s",
                    board->describeCollective(position).c_str(),
                    left ? "" : " before the deadline",
                    blame.empty() ? "the last came too late" : blame.c_str()),
              ranks);
  }
  return failure.getStatusOf(getRank());
}

Status HostComm::verifySignatures(uint64_t at) {
  const Signature &first = getCollective(0, at).signature;
  for (size_t i = 1; i < ranks.size(); ++i) {
    const Signature &other = getCollective(i, at).signature;
    if (other != first)
      return describeMismatch(board->describe(), at, ranks[0], first, ranks[i],
                              other);
  }
  return {};
}

Status HostComm::verifySizes(size_t member, uint64_t at) {
  const Collective &own = getCollective(member, at);
  if (own.signature.kind != CollectiveKind::RaggedAllToAll)
    return {};
  for (size_t i = 0; i < ranks.size(); ++i) {
    const Collective &other = getCollective(i, at);
    auto verify = [&](int64_t sent, int64_t expected, int32_t from,
                      int32_t to) {
      if (sent == expected)
        return Status();
      return error(MOERT_MISMATCH,
                   "ragged_all_to_all #%" PRIu64
                   " of %s: rank %d expects %" PRId64
                   " rows from rank %d, which sends %" PRId64,
                   at, board->describe().c_str(), to, expected, from, sent);
    };
    Status status = verify(own.sendSizes[i], other.receiveSizes[member],
                           ranks[member], ranks[i]);
    if (status.ok())
      status = verify(other.sendSizes[member], own.receiveSizes[i], ranks[i],
                      ranks[member]);
    if (!status.ok())
      return status;
  }
  return {};
}

/// Executes an all_reduce in two halves: each member reduces one part, and
/// after all members have done so, copies the other parts.
void HostComm::reduceInTwo(uint64_t at) {
  const Collective &own = getCollective(position, at);
  size_t n = ranks.size();
  size_t elementBytes = moert_type_size(own.signature.type);
  int64_t count = own.signature.count;
  // Align parts to cache lines, so that no two members write to the same line.
  int64_t line = 64 / elementBytes;
  int64_t part = ((count + n - 1) / n + line - 1) / line * line;
  auto begin = [&](size_t i) {
    return std::min<int64_t>(count, static_cast<int64_t>(i) * part);
  };
  std::vector<const void *> sources(n);
  int64_t first = begin(position), size = begin(position + 1) - first;
  for (size_t i = 0; i < n; ++i)
    sources[i] = shift(getCollective(i, at).send, first * elementBytes);
  reduce(own.signature.type, own.signature.reduction, sources,
         shift(own.receive, first * elementBytes), size);
  board->meet();
  board->waitMet(meeting++);
  for (size_t step = 1; step < n; ++step) {
    size_t i = (position + step) % n;
    size_t offset = begin(i) * elementBytes;
    copyBytes(shift(own.receive, offset),
              shift(getCollective(i, at).receive, offset),
              (begin(i + 1) - begin(i)) * elementBytes);
  }
}

/// Executes all copies and reductions into one member's buffer.
void HostComm::move(size_t member, uint64_t at) {
  const Collective &own = getCollective(member, at);
  size_t n = ranks.size(), unit = own.getUnitBytes();
  switch (own.signature.kind) {
  case CollectiveKind::Barrier:
    return;
  case CollectiveKind::AllToAll:
    // Each member starts at another peer, so that they do not all read the same
    // memory.
    for (size_t step = 0; step < n; ++step) {
      size_t i = (member + step) % n;
      copyBytes(shift(own.receive, i * unit),
                shift(getCollective(i, at).send, member * unit), unit);
    }
    return;
  case CollectiveKind::RaggedAllToAll:
    for (size_t step = 0; step < n; ++step) {
      size_t i = (member + step) % n;
      const Collective &other = getCollective(i, at);
      copyBytes(shift(own.receive, own.receiveOffsets[i] * unit),
                shift(other.send, other.sendOffsets[member] * unit),
                own.receiveSizes[i] * unit);
    }
    return;
  case CollectiveKind::AllGather:
    for (size_t step = 0; step < n; ++step) {
      size_t i = (member + step) % n;
      copyBytes(shift(own.receive, i * unit), getCollective(i, at).send, unit);
    }
    return;
  case CollectiveKind::ReduceScatter: {
    std::vector<const void *> sources(n);
    for (size_t i = 0; i < n; ++i)
      sources[i] = shift(getCollective(i, at).send, member * unit);
    reduce(own.signature.type, own.signature.reduction, sources, own.receive,
           own.signature.count);
    return;
  }
  case CollectiveKind::AllReduce:
    if (n > 1)
      return reduceInTwo(at);
    copyBytes(own.receive, own.send, unit);
    return;
  }
}

HostComm::Time HostComm::bookLinks(uint64_t at) {
  const Collective &own = getCollective(position, at);
  size_t n = ranks.size(), unit = own.getUnitBytes();
  std::vector<size_t> sent(n, 0), received(n, 0);
  for (size_t i = 0; i < n; ++i) {
    switch (own.signature.kind) {
    case CollectiveKind::RaggedAllToAll:
      sent[i] = own.sendSizes[i] * unit;
      received[i] = own.receiveSizes[i] * unit;
      break;
    case CollectiveKind::AllReduce:
      // A reduce-scatter and an all-gather of 1/n each (SPEC CC-2).
      sent[i] = received[i] = 2 * unit / n;
      break;
    default:
      sent[i] = received[i] = unit;
    }
  }
  Time start = Time::min();
  for (size_t i = 0; i < n; ++i)
    start = std::max(start, board->getSlot(i, at).arrival);
  return job->getLinks()->book(getRank(), ranks, sent, received, start);
}

//===----------------------------------------------------------------------===//
// Execution of collectives
//===----------------------------------------------------------------------===//

/// Returns the bytes that all members together move.
size_t HostComm::countBytes(uint64_t at) const {
  size_t n = ranks.size(), bytes = 0;
  const Collective &first = getCollective(0, at);
  switch (first.signature.kind) {
  case CollectiveKind::Barrier:
    return 0;
  case CollectiveKind::RaggedAllToAll:
    for (size_t i = 0; i < n; ++i)
      for (int64_t rows : getCollective(i, at).receiveSizes)
        bytes += static_cast<size_t>(rows) * first.getUnitBytes();
    return bytes;
  case CollectiveKind::AllReduce:
    // One read and one write.
    return 2 * n * first.getUnitBytes();
  default:
    return n * n * first.getUnitBytes();
  }
}

/// Executes all parts of a small all_reduce, which may be in place.
void HostComm::reduceForAll(uint64_t at) {
  const Collective &first = getCollective(0, at);
  size_t n = ranks.size(), bytes = first.getUnitBytes();
  std::vector<const void *> sources(n);
  for (size_t i = 0; i < n; ++i)
    sources[i] = getCollective(i, at).send;
  std::vector<char> sum(bytes);
  reduce(first.signature.type, first.signature.reduction, sources, sum.data(),
         first.signature.count);
  for (size_t i = 0; i < n; ++i)
    copyBytes(getCollective(i, at).receive, sum.data(), bytes);
}

Status HostComm::runForAll(uint64_t at) {
  size_t n = ranks.size();
  for (size_t i = 0; i < n; ++i)
    if (Status status = verifySizes(i, at); !status.ok())
      return status;
  if (n > 1 && getCollective(0, at).signature.kind == CollectiveKind::AllReduce)
    reduceForAll(at);
  else
    for (size_t i = 0; i < n; ++i)
      move(i, at);
  return {};
}

/// Executes or opens the collectives that all members have posted.
Status HostComm::lead(bool &moved) {
  uint64_t next = board->getDone();
  for (uint64_t posted = board->getPosted();
       next < posted && !board->isBroken() && !board->isMoving(); ++next) {
    Status status = verifySignatures(next);
    if (!status.ok())
      return status;
    moved = true;
    // For few bytes, waking the other members costs more than executing their
    // parts. Emulated links need the time of every member.
    if (job->getLinks() || countBytes(next) > job->getMostForAll()) {
      board->openNext(next);
      return {};
    }
    status = runForAll(next);
    if (!status.ok())
      return status;
    board->finish(next);
  }
  return {};
}

void HostComm::advance() {
  while (board->canAdvance() && board->takeLead()) {
    bool moved = false;
    Status status;
    try {
      status = lead(moved);
    } catch (const std::bad_alloc &) {
      status = Status(MOERT_OUT_OF_MEMORY, "no memory for a collective");
    }
    if (!status.ok())
      board->breakOff();
    else if (moved)
      board->noteProgress();
    board->giveLead();
    if (!status.ok())
      job->fail(status, ranks);
    else if (moved)
      board->wake();
  }
}

/// Executes this member's part of the open collective.
void HostComm::takePart(uint64_t at) {
  auto isOver = [&] { return job->getFailure().isRaised(); };
  if (Status status = verifySizes(position, at); !status.ok()) {
    job->fail(status, ranks);
  } else {
    Time end = Time::min();
    if (job->getLinks() && ranks.size() > 1)
      end = bookLinks(at);
    move(position, at);
    // Sleep in slices, so that a failed job ends early.
    for (Time now = Deadline::Clock::now(); now < end && !isOver();
         now = Deadline::Clock::now())
      std::this_thread::sleep_until(
          std::min(end, now + std::chrono::milliseconds(50)));
  }
  // Arrival at the next collective, which is read after all members have
  // departed.
  if (job->getLinks())
    board->getSlot(position, at + 1).arrival = Deadline::Clock::now();
  if (board->depart()) {
    board->wake();
    advance();
  }
}

/// Breaks off the communicator, so that no member executes another collective
/// and reads the data of a member that has left. Returns false if the next
/// collective takes place after all.
bool HostComm::giveUp(uint64_t seenDone, uint64_t seenOpen) {
  while (!board->takeLead())
    std::this_thread::yield();
  bool isSame = board->getDone() == seenDone && board->getOpen() == seenOpen;
  if (isSame)
    board->breakOff();
  board->giveLead();
  if (isSame)
    board->wake();
  else
    advance();
  return isSame;
}

Status HostComm::run(std::span<const Collective *const> batch) {
  const uint64_t first = number, end = first + batch.size();
  number = end;
  for (size_t i = 0; i < batch.size(); ++i)
    board->getSlot(position, first + i).collective = batch[i];
  if (job->getLinks())
    board->getSlot(position, first).arrival = Deadline::Clock::now();
  board->publish(position, end);
  advance();
  Deadline deadline = Deadline::inMicroseconds(patienceUs);
  for (;;) {
    uint64_t done = board->getDone(), open = board->getOpen();
    if (done >= end)
      break;
    if (open > done) {
      // The other members are executing it, so this wait ends.
      if (open > moved)
        takePart((moved = open) - 1);
      else
        board->signal.wait([&] { return board->getDone() >= open; },
                           Deadline::inMicroseconds(INT64_MAX));
      continue;
    }
    auto isOver = [&] {
      return board->isBroken() || job->getFailure().isRaised() ||
             job->isAbandoned(*board, board->getDone());
    };
    bool inTime = board->signal.wait(
        [&] {
          return board->getDone() >= end || board->getOpen() > moved ||
                 isOver();
        },
        deadline);
    if (inTime && !isOver())
      continue;
    // The time limit of each collective starts when the one before it was done.
    Deadline later = Deadline::at(board->getProgress()).extendedBy(patienceUs);
    if (!inTime && !later.hasPassed()) {
      deadline = later;
      continue;
    }
    if (giveUp(done, open))
      return explain();
  }
  return job->getFailure().getStatusOf(getRank());
}

std::string HostComm::describeWait() {
  uint64_t at;
  std::string words = board->describeCollective(position);
  if (!board->isIn(position, at))
    return words + " is about to begin or to end";
  std::string blame = job->describeMissing(*board, at);
  return words + (blame.empty() ? " moves data" : " waits, " + blame);
}
