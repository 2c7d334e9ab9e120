//===- Board.h - Where the members of a communicator meet -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_HOST_BOARD_H
#define MOERT_HOST_BOARD_H

#include "core/Collective.h"
#include "core/Wait.h"
#include <atomic>
#include <memory>

namespace moert {

/// Shared by the members of one communicator. Collective number s (from 0)
/// goes: every member posts what it calls in slot s % 2 and arrives; when all
/// have arrived, each reads the others' buffers directly; then it departs. A
/// member's buffers are its own again when all have departed. Arriving at
/// collective s + 1 says that one has departed from s, so a posted slot is not
/// written again while somebody may read it.
class Board {
public:
  struct alignas(64) Slot {
    const Collective *collective = nullptr;
    Deadline::Clock::time_point arrival;
  };

  Board(std::vector<int32_t> ranks, uint64_t key, unsigned spins);

  /// Where a member stands, for errors about members that do not come:
  /// collectives it has arrived at.
  struct alignas(64) Place {
    std::atomic<uint64_t> arrived{0};
    std::atomic<uint8_t> kind{0};
  };

  const std::vector<int32_t> &getRanks() const { return ranks; }
  uint64_t getKey() const { return key; }
  size_t getSize() const { return ranks.size(); }
  std::string describe() const;

  void post(int32_t position, uint64_t number, const Collective &collective);
  const Slot &getSlot(size_t position, uint64_t number) const {
    return slots[(number % 2) * ranks.size() + position];
  }

  void arrive();
  void depart();
  /// In the middle of an all_reduce.
  void meet();

  /// Waits until all have arrived at collective `number`; returns early when
  /// the deadline passed or `isOver` says so.
  template <typename IsOver>
  void waitArrived(uint64_t number, IsOver isOver, Deadline deadline) {
    signal.wait(
        [&] { return haveAllArrived(number) || isBroken() || isOver(); },
        deadline);
  }
  /// After such a wait: false when all have arrived, and the collective takes
  /// place. Else breaks the board: nobody will find all arrived any more, so
  /// nobody reads the data of a member that left.
  bool breakOff(uint64_t number);

  // Once all have arrived, every member departs after work of its own only:
  // these waits end.
  void waitDeparted(uint64_t number) { waitFor(departures, number); }
  /// `number` counts the meetings.
  void waitMet(uint64_t number) { waitFor(meetings, number); }

  bool haveAllDeparted(uint64_t number) const {
    return departures.load() >= (number + 1) * ranks.size();
  }
  bool hasCome(size_t position, uint64_t number) const {
    return places[position].arrived.load(std::memory_order_acquire) > number;
  }
  /// Whether a member is in a collective that has not ended, and which.
  bool isIn(size_t position, uint64_t &number) const {
    uint64_t arrived = places[position].arrived.load(std::memory_order_acquire);
    number = arrived - 1;
    return arrived > 0 && !haveAllDeparted(number);
  }
  /// Ranks that have not come to a collective.
  std::vector<int32_t> findMissing(uint64_t number) const;
  /// "all_gather #3 of group [0, 1] key 0": the last that a member came to.
  std::string describeCollective(size_t position) const;
  void wake() { signal.notify(); }

  // Used by HostJob under its lock.
  std::vector<bool> joined;
  std::atomic<size_t> numJoined{0};
  Signal signal;

private:
  static constexpr uint64_t kBroken = uint64_t(1) << 63;

  bool isBroken() const { return arrivals.load() & kBroken; }
  bool haveAllArrived(uint64_t number) const {
    uint64_t count = arrivals.load(std::memory_order_acquire);
    return !(count & kBroken) && count >= (number + 1) * ranks.size();
  }
  void waitFor(std::atomic<uint64_t> &counter, uint64_t number) {
    uint64_t target = (number + 1) * ranks.size();
    signal.wait(
        [&] { return counter.load(std::memory_order_acquire) >= target; },
        Deadline::inMicroseconds(INT64_MAX));
  }
  void count(std::atomic<uint64_t> &counter);

  const std::vector<int32_t> ranks;
  const uint64_t key;
  std::vector<Slot> slots;
  std::unique_ptr<Place[]> places;
  alignas(64) std::atomic<uint64_t> arrivals{0};
  alignas(64) std::atomic<uint64_t> departures{0};
  alignas(64) std::atomic<uint64_t> meetings{0};
};

} // namespace moert

#endif // MOERT_HOST_BOARD_H
