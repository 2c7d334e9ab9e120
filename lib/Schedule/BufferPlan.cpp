// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement of buffers in memory.

#include "moe/Schedule/BufferPlan.h"
#include <algorithm>
#include <numeric>

using namespace moe::schedule;

namespace {

/// First and last use of a buffer on each stream.
struct Lifetime {
  /// Number of works per stream that must end before the buffer is free.
  std::vector<unsigned> end;
  /// Number of works per stream that have certainly ended at the start of the
  /// buffer's first work, whichever that is.
  std::vector<unsigned> begin;
  unsigned firstWork = 0, lastWork = 0;

  bool endsBefore(const Lifetime &other) const {
    for (size_t s = 0; s < end.size(); ++s)
      if (end[s] > other.begin[s])
        return false;
    return true;
  }
};

class Placement {
public:
  Placement(const std::vector<Lifetime> &lifetimes,
            const std::vector<uint64_t> &sizes)
      : lifetimes(lifetimes), sizes(sizes), offsets(sizes.size()) {}

  /// Puts a buffer into the lowest gap among the buffers that it must not
  /// overlap.
  void place(unsigned buffer) {
    std::vector<std::pair<uint64_t, uint64_t>> taken;
    for (unsigned other : placed)
      if (!lifetimes[buffer].endsBefore(lifetimes[other]) &&
          !lifetimes[other].endsBefore(lifetimes[buffer]))
        taken.emplace_back(offsets[other], offsets[other] + sizes[other]);
    std::sort(taken.begin(), taken.end());
    uint64_t offset = 0;
    for (auto [begin, end] : taken) {
      if (begin >= offset + sizes[buffer])
        break;
      offset = std::max(offset, end);
    }
    offsets[buffer] = offset;
    bytes = std::max(bytes, offset + sizes[buffer]);
    placed.push_back(buffer);
  }

  const std::vector<uint64_t> &getOffsets() const { return offsets; }
  uint64_t getBytes() const { return bytes; }

private:
  const std::vector<Lifetime> &lifetimes;
  const std::vector<uint64_t> &sizes;
  std::vector<uint64_t> offsets;
  std::vector<unsigned> placed;
  uint64_t bytes = 0;
};

} // namespace

static Lifetime getLifetime(const HappensBefore &order,
                            const PlannedBuffer &buffer) {
  Lifetime life;
  life.end.assign(order.getNumStreams(), 0);
  life.begin.assign(order.getNumStreams(), 0);
  if (buffer.works.empty())
    return life;
  auto [first, last] =
      std::minmax_element(buffer.works.begin(), buffer.works.end());
  life.firstWork = *first;
  life.lastWork = *last;
  for (unsigned s = 0; s < order.getNumStreams(); ++s) {
    life.begin[s] = order.getEnded(buffer.works.front(), s);
    for (unsigned work : buffer.works)
      life.begin[s] = std::min(life.begin[s], order.getEnded(work, s));
  }
  for (unsigned work : buffer.works) {
    unsigned &end = life.end[order.getStream(work)];
    end = std::max(end, order.getPosition(work) + 1);
  }
  return life;
}

/// Returns the most bytes that are live at once if work runs in launch order.
static uint64_t getMostHeld(size_t numWorks,
                            std::span<const PlannedBuffer> buffers,
                            const std::vector<Lifetime> &lifetimes,
                            const std::vector<uint64_t> &sizes) {
  std::vector<uint64_t> taken(numWorks + 1), freed(numWorks + 1);
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].works.empty())
      continue;
    taken[lifetimes[i].firstWork] += sizes[i];
    freed[lifetimes[i].lastWork + 1] += sizes[i];
  }
  uint64_t held = 0, most = 0;
  for (size_t i = 0; i <= numWorks; ++i) {
    held += taken[i] - freed[i];
    most = std::max(most, held);
  }
  return most;
}

BufferPlan moe::schedule::planBuffers(const HappensBefore &order,
                                      std::span<const PlannedBuffer> buffers,
                                      uint64_t alignment) {
  std::vector<Lifetime> lifetimes;
  std::vector<uint64_t> sizes;
  BufferPlan plan;
  for (const PlannedBuffer &buffer : buffers) {
    lifetimes.push_back(getLifetime(order, buffer));
    // An unused buffer needs no space.
    uint64_t size = buffer.works.empty() ? 0 : buffer.bytes;
    sizes.push_back((size + alignment - 1) & ~(alignment - 1));
    plan.unshared += sizes.back();
  }
  plan.lowerBound = getMostHeld(order.getNumWorks(), buffers, lifetimes, sizes);

  // Placing large buffers first leaves gaps for the small ones, while the order
  // of time suits chains. Use the better of the two.
  std::vector<unsigned> bySize(buffers.size());
  std::iota(bySize.begin(), bySize.end(), 0u);
  std::vector<unsigned> byTime = bySize;
  std::sort(byTime.begin(), byTime.end(), [&](unsigned a, unsigned b) {
    return std::pair(lifetimes[a].firstWork, a) <
           std::pair(lifetimes[b].firstWork, b);
  });
  std::sort(bySize.begin(), bySize.end(), [&](unsigned a, unsigned b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b]
                                : std::pair(lifetimes[a].firstWork, a) <
                                      std::pair(lifetimes[b].firstWork, b);
  });
  bool first = true;
  for (const std::vector<unsigned> &sequence : {bySize, byTime}) {
    Placement placement(lifetimes, sizes);
    for (unsigned buffer : sequence)
      placement.place(buffer);
    if (first || placement.getBytes() < plan.bytes) {
      plan.bytes = placement.getBytes();
      plan.offsets = placement.getOffsets();
    }
    first = false;
    if (plan.bytes == plan.lowerBound)
      break;
  }
  return plan;
}
