// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared state of a communicator's members.

#include "host/CollectiveSlots.h"
#include <algorithm>
#include <cinttypes>

using namespace moert;

CollectiveSlots::CollectiveSlots(std::vector<int32_t> ranks, uint64_t key,
                                 unsigned spins)
    : joined(ranks.size(), false), signal(spins), ranks(std::move(ranks)),
      key(key), places(new Place[this->ranks.size()]) {}

std::string CollectiveSlots::describe() const {
  return format("group %s key %" PRIu64,
                printRanks(ranks.data(), ranks.size()).c_str(), key);
}

void CollectiveSlots::publish(size_t position, uint64_t end) {
  Place &place = places[position];
  for (uint64_t number = place.posted.load(std::memory_order_relaxed);
       number < end; ++number)
    place.kinds[number % kDepth].store(
        static_cast<uint8_t>(
            place.slots[number % kDepth].collective->signature.kind),
        std::memory_order_relaxed);
  // Sequentially consistent with the lead: a member that finds the lead taken
  // knows that its holder checks again after releasing it.
  place.posted.store(end, std::memory_order_seq_cst);
}

uint64_t CollectiveSlots::getPosted() const {
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < ranks.size(); ++i)
    least = std::min(least, places[i].posted.load(std::memory_order_seq_cst));
  return least;
}

bool CollectiveSlots::canAdvance() const {
  if (broken.load() || open.load() > done.load())
    return false;
  uint64_t next = done.load();
  for (size_t i = 0; i < ranks.size(); ++i)
    if (places[i].posted.load(std::memory_order_seq_cst) <= next)
      return false;
  return true;
}

void CollectiveSlots::noteProgress() {
  progress.store(Deadline::Clock::now().time_since_epoch().count(),
                 std::memory_order_release);
}

void CollectiveSlots::finish(uint64_t number) { done.store(number + 1); }

void CollectiveSlots::openNext(uint64_t number) {
  departures.store(ranks.size(), std::memory_order_relaxed);
  open.store(number + 1);
}

void CollectiveSlots::breakOff() { broken.store(true); }

bool CollectiveSlots::depart() {
  if (departures.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return false;
  noteProgress();
  done.store(open.load());
  return true;
}

void CollectiveSlots::meet() {
  // Only the last member of a round must wake the others.
  if ((meetings.fetch_add(1, std::memory_order_acq_rel) + 1) % ranks.size() ==
      0)
    signal.notify();
}

void CollectiveSlots::waitMet(uint64_t number) {
  // This wait ends, because members do only their own work before they meet.
  uint64_t target = (number + 1) * ranks.size();
  signal.wait(
      [&] { return meetings.load(std::memory_order_acquire) >= target; },
      Deadline::inMicroseconds(INT64_MAX));
}

std::vector<int32_t> CollectiveSlots::findMissing(uint64_t number) const {
  std::vector<int32_t> missing;
  for (size_t i = 0; i < ranks.size(); ++i)
    if (!hasCome(i, number))
      missing.push_back(ranks[i]);
  return missing;
}

std::string CollectiveSlots::describeCollective(size_t position) const {
  const Place &place = places[position];
  uint64_t posted = place.posted.load(std::memory_order_acquire);
  uint64_t number = std::min(getDone(), posted ? posted - 1 : 0);
  return format("%s #%" PRIu64 " of %s",
                getCollectiveName(static_cast<CollectiveKind>(
                    place.kinds[number % kDepth].load())),
                number, describe().c_str());
}
