// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared state of a communicator's members.

#ifndef MOERT_HOST_COLLECTIVESLOTS_H
#define MOERT_HOST_COLLECTIVESLOTS_H

#include "core/Collective.h"
#include "core/Wait.h"
#include <atomic>
#include <memory>

namespace moert {

/// State that the members of one communicator share. Its collectives are
/// numbered from 0 and run one after another. A member posts its calls, up to
/// `kDepth` collectives ahead. When all members have posted the next
/// collective, the holder of the lead either executes it for all of them, or
/// opens it: then each member executes its own part and departs. In both cases
/// the collective becomes done, after which members may use their buffers
/// again.
///
/// A member takes the lead if there may be work for it, and holds it only
/// briefly. Members wait for the lead only to break off the communicator.
class CollectiveSlots {
public:
  using Time = Deadline::Clock::time_point;
  static constexpr uint64_t kDepth = 32;

  struct Slot {
    const Collective *collective = nullptr;
    /// Arrival of the member at the collective.
    Time arrival{};
  };

  CollectiveSlots(std::vector<int32_t> ranks, uint64_t key, unsigned spins);

  const std::vector<int32_t> &getRanks() const { return ranks; }
  size_t getSize() const { return ranks.size(); }
  std::string describe() const;

  /// Returns a slot of the member at `position`, which only that member may
  /// write until it is published.
  Slot &getSlot(size_t position, uint64_t number) {
    return places[position].slots[number % kDepth];
  }
  /// Declares that a member has filled its slots before `end`.
  void publish(size_t position, uint64_t end);

  /// Returns one more than the number of the last opened collective; 0 before
  /// the first.
  uint64_t getOpen() const { return open.load(std::memory_order_acquire); }
  uint64_t getDone() const { return done.load(std::memory_order_acquire); }
  /// Returns true while members execute their parts of an open collective,
  /// which is then certain to become done.
  bool isMoving() const { return getOpen() > getDone(); }
  bool isBroken() const { return broken.load(std::memory_order_acquire); }

  /// Returns true if the next collective is not open and all members have
  /// posted it.
  bool canAdvance() const;
  bool takeLead() { return !lead.exchange(true); }
  void giveLead() { lead.store(false); }
  // Require the lead. The next collective, `number`, was executed for all
  // members; is open for all members to execute; or, like all later ones, will
  // not take place.
  void finish(uint64_t number);
  void openNext(uint64_t number);
  void breakOff();
  /// Returns the smallest end of the members' published slots.
  uint64_t getPosted() const;

  /// Records that a member has executed its part of the open collective;
  /// returns true for the last member.
  bool depart();
  /// Synchronize members in the middle of an all_reduce; `number` counts these
  /// meetings.
  void meet();
  void waitMet(uint64_t number);

  bool hasCome(size_t position, uint64_t number) const {
    return places[position].posted.load(std::memory_order_acquire) > number;
  }
  /// Returns true if a member is in a collective that has not ended, and its
  /// number.
  bool isIn(size_t position, uint64_t &number) const {
    number = getDone();
    return hasCome(position, number);
  }
  /// Records that collectives were opened or done now.
  void noteProgress();
  /// Returns the time of the last progress.
  Time getProgress() const {
    return Time(Time::duration(progress.load(std::memory_order_acquire)));
  }
  /// Returns the ranks that have not posted collective `number`.
  std::vector<int32_t> findMissing(uint64_t number) const;
  /// Describes the current or last collective of a member, for example
  /// "all_gather #3 of group [0, 1] key 0".
  std::string describeCollective(size_t position) const;
  void wake() { signal.notify(); }

  // HostJob uses these members under its lock.
  std::vector<bool> joined;
  std::atomic<size_t> numJoined{0};
  Signal signal;

private:
  struct alignas(64) Place {
    Slot slots[kDepth];
    /// Kinds of the posted collectives, for errors.
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
