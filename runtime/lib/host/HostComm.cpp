//===- HostComm.cpp - Collectives between threads ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/HostComm.h"
#include "core/Reduce.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <thread>

using namespace moert;

static void copyBytes(void *target, const void *source, size_t bytes) {
  if (bytes && target != source)
    std::memcpy(target, source, bytes);
}

static char *at(const void *base, size_t offset) {
  return const_cast<char *>(static_cast<const char *>(base)) + offset;
}

Status HostComm::explain() {
  const Failure &failure = job->getFailure();
  if (!failure.isRaised()) {
    bool left = job->isAbandoned(*board, number);
    std::string blame = job->describeMissing(*board, number);
    job->fail(error(left ? MOERT_ABORTED : MOERT_DEADLINE_EXCEEDED,
                    "%s: expected all ranks to come%s, %s",
                    board->describeCollective(position).c_str(),
                    left ? "" : " before the deadline",
                    blame.empty() ? "the last came too late" : blame.c_str()),
              ranks);
  }
  return failure.getStatusOf(getRank());
}

Status HostComm::verifyAgreement(const Collective &own) {
  for (size_t i = 0; i < ranks.size(); ++i) {
    const Collective &other = getCollective(i);
    const Signature &first = getCollective(0).signature;
    if (other.signature != first)
      return describeMismatch(board->describe(), number, ranks[0], first,
                              ranks[i], other.signature);
  }
  if (own.signature.kind != CollectiveKind::RaggedAllToAll)
    return {};
  for (size_t i = 0; i < ranks.size(); ++i) {
    const Collective &other = getCollective(i);
    auto verify = [&](int64_t sent, int64_t expected, int32_t from,
                      int32_t to) {
      if (sent == expected)
        return Status();
      return error(MOERT_MISMATCH,
                   "ragged_all_to_all #%" PRIu64
                   " of %s: rank %d expects %" PRId64
                   " rows from rank %d, which sends %" PRId64,
                   number, board->describe().c_str(), to, expected, from, sent);
    };
    Status status = verify(own.sendSizes[i], other.receiveSizes[position],
                           getRank(), ranks[i]);
    if (status.ok())
      status = verify(other.sendSizes[position], own.receiveSizes[i], ranks[i],
                      getRank());
    if (!status.ok())
      return status;
  }
  return {};
}

/// An all_reduce in two halves: each member reduces one part, and when all
/// have, collects the others' parts.
void HostComm::reduceInTwo(const Collective &own) {
  size_t n = ranks.size();
  size_t elementBytes = moert_type_size(own.signature.type);
  int64_t count = own.signature.count;
  // Parts of whole cache lines, so that no two members write into one.
  int64_t line = 64 / elementBytes;
  int64_t part = ((count + n - 1) / n + line - 1) / line * line;
  auto begin = [&](size_t i) {
    return std::min<int64_t>(count, static_cast<int64_t>(i) * part);
  };
  std::vector<const void *> sources(n);
  int64_t first = begin(position), size = begin(position + 1) - first;
  for (size_t i = 0; i < n; ++i)
    sources[i] = at(getCollective(i).send, first * elementBytes);
  reduce(own.signature.type, own.signature.reduction, sources,
         at(own.receive, first * elementBytes), size);
  board->meet();
  board->waitMet(meeting++);
  for (size_t step = 1; step < n; ++step) {
    size_t i = (position + step) % n;
    size_t offset = begin(i) * elementBytes;
    copyBytes(at(own.receive, offset), at(getCollective(i).receive, offset),
              (begin(i + 1) - begin(i)) * elementBytes);
  }
}

void HostComm::move(const Collective &own) {
  size_t n = ranks.size(), unit = own.getUnitBytes();
  switch (own.signature.kind) {
  case CollectiveKind::Barrier:
    return;
  case CollectiveKind::AllToAll:
    // Everyone starts at another member, so that not all read one's memory.
    for (size_t step = 0; step < n; ++step) {
      size_t i = (position + step) % n;
      copyBytes(at(own.receive, i * unit),
                at(getCollective(i).send, position * unit), unit);
    }
    return;
  case CollectiveKind::RaggedAllToAll:
    for (size_t step = 0; step < n; ++step) {
      size_t i = (position + step) % n;
      const Collective &other = getCollective(i);
      copyBytes(at(own.receive, own.receiveOffsets[i] * unit),
                at(other.send, other.sendOffsets[position] * unit),
                own.receiveSizes[i] * unit);
    }
    return;
  case CollectiveKind::AllGather:
    for (size_t step = 0; step < n; ++step) {
      size_t i = (position + step) % n;
      copyBytes(at(own.receive, i * unit), getCollective(i).send, unit);
    }
    return;
  case CollectiveKind::ReduceScatter: {
    std::vector<const void *> sources(n);
    for (size_t i = 0; i < n; ++i)
      sources[i] = at(getCollective(i).send, position * unit);
    reduce(own.signature.type, own.signature.reduction, sources, own.receive,
           own.signature.count);
    return;
  }
  case CollectiveKind::AllReduce:
    if (n > 1)
      return reduceInTwo(own);
    copyBytes(own.receive, own.send, unit);
    return;
  }
}

HostComm::Time HostComm::bookLinks(const Collective &own) {
  size_t n = ranks.size(), unit = own.getUnitBytes();
  std::vector<size_t> sent(n, 0), received(n, 0);
  for (size_t i = 0; i < n; ++i) {
    switch (own.signature.kind) {
    case CollectiveKind::RaggedAllToAll:
      sent[i] = own.sendSizes[i] * unit;
      received[i] = own.receiveSizes[i] * unit;
      break;
    case CollectiveKind::AllReduce:
      // Reduce-scatter and all-gather of an n-th each (SPEC CC-2).
      sent[i] = received[i] = 2 * unit / n;
      break;
    default:
      sent[i] = received[i] = unit;
    }
  }
  Time start = Time::min();
  for (size_t i = 0; i < n; ++i)
    start = std::max(start, board->getSlot(i, number).arrival);
  return job->getLinks()->book(getRank(), ranks, sent, received, start);
}

Status HostComm::run(const Collective &collective, bool mayDefer) {
  auto isOver = [&] { return job->getFailure().isRaised(); };
  Collective &own = posted[number % 2];
  own = collective;
  board->post(position, number, own);
  board->arrive();
  board->waitArrived(
      number, [&] { return isOver() || job->isAbandoned(*board, number); },
      Deadline::inMicroseconds(patienceUs));
  if (board->breakOff(number)) {
    Status status = explain();
    settle();
    return status;
  }
  Status status = verifyAgreement(own);
  if (!status.ok()) {
    job->fail(status, ranks);
  } else {
    Time end = Time::min();
    if (job->getLinks() && ranks.size() > 1)
      end = bookLinks(own);
    move(own);
    // In slices, so that a failed job ends early.
    for (Time now = Deadline::Clock::now(); now < end && !isOver();
         now = Deadline::Clock::now())
      std::this_thread::sleep_until(
          std::min(end, now + std::chrono::milliseconds(50)));
  }
  board->depart();
  ++number;
  // When the next work on the stream is a collective here too, its start says
  // that all have departed from this one: one wait less.
  if (!mayDefer || !status.ok())
    settle();
  return status.ok() ? status : job->getFailure().getStatusOf(getRank());
}

void HostComm::settle() {
  if (number > 0)
    board->waitDeparted(number - 1);
}

std::string HostComm::describeWait() {
  uint64_t at;
  std::string words = board->describeCollective(position);
  if (!board->isIn(position, at))
    return words + " is about to begin or to end";
  std::string blame = job->describeMissing(*board, at);
  return words + (blame.empty() ? " moves data" : " waits, " + blame);
}
