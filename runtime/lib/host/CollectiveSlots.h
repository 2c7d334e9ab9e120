// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the members of a communicator meet.

#ifndef MOERT_HOST_COLLECTIVESLOTS_H
#define MOERT_HOST_COLLECTIVESLOTS_H

#include "core/Collective.h"
#include "core/Wait.h"
#include <atomic>
#include <memory>

namespace moert {

/// Shared by the members of one communicator, whose collectives are numbered
/// from 0 and take place one after another. A member posts what it calls, up to
/// `kDepth` collectives ahead. Once all have posted the next one, whoever holds
/// the lead carries it out for all of them, or opens it: then each member does
/// its own part and departs. Either way it is done in the end, which says that
/// the buffers of all members are their own again.
///
/// The lead is taken by whoever finds that there may be something to do, and
/// held for a short time only; nobody waits for it but to break the board.
class CollectiveSlots {
public:
  using Time = Deadline::Clock::time_point;
  static constexpr uint64_t kDepth = 32;

  struct Slot {
    const Collective *collective = nullptr;
    /// When the member came to it.
    Time arrival{};
  };

  CollectiveSlots(std::vector<int32_t> ranks, uint64_t key, unsigned spins);

  const std::vector<int32_t> &getRanks() const { return ranks; }
  size_t getSize() const { return ranks.size(); }
  std::string describe() const;

  /// Of the member at `position`, who alone writes it until it is published.
  Slot &getSlot(size_t position, uint64_t number) {
    return places[position].slots[number % kDepth];
  }
  /// Says that the slots before `end` are filled.
  void publish(size_t position, uint64_t end);

  /// The collective that is open, and one more; 0 before the first.
  uint64_t getOpen() const { return open.load(std::memory_order_acquire); }
  /// How many are done.
  uint64_t getDone() const { return done.load(std::memory_order_acquire); }
  /// Members do their parts of an open collective now: it will be done.
  bool isMoving() const { return getOpen() > getDone(); }
  bool isBroken() const { return broken.load(std::memory_order_acquire); }

  /// Whether there is something to lead: the next collective is not open, and
  /// all have posted it.
  bool canAdvance() const;
  bool takeLead() { return !lead.exchange(true); }
  void giveLead() { lead.store(false); }
  // With the lead: the next collective, `number`, was carried out for all, or
  // is everyone's to carry out, or will not take place, nor any after it.
  void finish(uint64_t number);
  void openNext(uint64_t number);
  void breakOff();
  /// The smallest end of what members have published.
  uint64_t getPosted() const;

  /// A member has done its part of the open collective; true for the last.
  bool depart();
  /// In the middle of an all_reduce; `number` counts the meetings.
  void meet();
  void waitMet(uint64_t number);

  bool hasCome(size_t position, uint64_t number) const {
    return places[position].posted.load(std::memory_order_acquire) > number;
  }
  /// Whether a member is in a collective that has not ended, and which.
  bool isIn(size_t position, uint64_t &number) const {
    number = getDone();
    return hasCome(position, number);
  }
  /// Says that collectives were opened or done now.
  void noteProgress();
  /// When that was last.
  Time getProgress() const {
    return Time(Time::duration(progress.load(std::memory_order_acquire)));
  }
  /// Ranks that have not come to a collective.
  std::vector<int32_t> findMissing(uint64_t number) const;
  /// "all_gather #3 of group [0, 1] key 0": the one a member is in, or was in
  /// last.
  std::string describeCollective(size_t position) const;
  void wake() { signal.notify(); }

  // Used by HostJob under its lock.
  std::vector<bool> joined;
  std::atomic<size_t> numJoined{0};
  Signal signal;

private:
  struct alignas(64) Place {
    Slot slots[kDepth];
    /// For errors: the kinds of what was posted.
    std::atomic<uint8_t> kinds[kDepth] = {};
    alignas(64) std::atomic<uint64_t> posted{0};
  };

  const std::vector<int32_t> ranks;
  const uint64_t key;
  std::unique_ptr<Place[]> places;
  alignas(64) std::atomic<bool> lead{false};
  std::atomic<bool> broken{false};
  std::atomic<uint64_t> open{0}, done{0};
  std::atomic<Time::rep> progress{0};
  alignas(64) std::atomic<size_t> departures{0};
  alignas(64) std::atomic<uint64_t> meetings{0};
};

} // namespace moert

#endif // MOERT_HOST_COLLECTIVESLOTS_H
