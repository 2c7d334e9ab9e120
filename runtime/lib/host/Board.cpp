//===- Board.cpp - Where the members of a communicator meet -----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "host/Board.h"
#include <cinttypes>

using namespace moert;

Board::Board(std::vector<int32_t> ranks, uint64_t key, unsigned spins)
    : joined(ranks.size(), false), signal(spins), ranks(std::move(ranks)),
      key(key), slots(2 * this->ranks.size()),
      places(new Place[this->ranks.size()]) {}

std::string Board::describe() const {
  return format("group %s key %" PRIu64,
                printRanks(ranks.data(), ranks.size()).c_str(), key);
}

void Board::post(int32_t position, uint64_t number,
                 const Collective &collective) {
  Slot &slot = slots[(number % 2) * ranks.size() + position];
  slot.collective = &collective;
  slot.arrival = Deadline::Clock::now();
  Place &place = places[position];
  place.kind.store(static_cast<uint8_t>(collective.signature.kind),
                   std::memory_order_relaxed);
  place.arrived.store(number + 1, std::memory_order_release);
}

void Board::count(std::atomic<uint64_t> &counter) {
  // Only who completes the round has news for the others.
  if ((counter.fetch_add(1, std::memory_order_acq_rel) + 1) % ranks.size() == 0)
    signal.notify();
}

void Board::arrive() { count(arrivals); }
void Board::depart() { count(departures); }
void Board::meet() { count(meetings); }

bool Board::breakOff(uint64_t number) {
  uint64_t count = arrivals.load();
  do {
    if (!(count & kBroken) && count >= (number + 1) * ranks.size())
      return false;
  } while (!arrivals.compare_exchange_weak(count, count | kBroken));
  signal.notify();
  return true;
}

std::vector<int32_t> Board::findMissing(uint64_t number) const {
  std::vector<int32_t> missing;
  for (size_t i = 0; i < ranks.size(); ++i)
    if (!hasCome(i, number))
      missing.push_back(ranks[i]);
  return missing;
}

std::string Board::describeCollective(size_t position) const {
  const Place &place = places[position];
  uint64_t arrived = place.arrived.load(std::memory_order_acquire);
  return format(
      "%s #%" PRIu64 " of %s",
      getCollectiveName(static_cast<CollectiveKind>(place.kind.load())),
      arrived ? arrived - 1 : 0, describe().c_str());
}
