// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emulated links between host ranks.

#ifndef MOERT_HOST_LINKS_H
#define MOERT_HOST_LINKS_H

#include "core/Status.h"
#include "core/Wait.h"
#include <mutex>
#include <vector>

namespace moert {

Status verifyLinks(const moert_link *links, int32_t count, int32_t worldSize);

/// Emulated link rates, which determine the minimum time of a collective per
/// rank. Each rank has one link per level and direction; a link serves
/// collectives one after another.
class Links {
public:
  using Time = Deadline::Clock::time_point;

  Links(std::vector<moert_link> levels, int32_t worldSize);

  /// Books the links of `rank`, starting at `start`, for a collective that
  /// sends `sent[i]` bytes to `ranks[i]` and receives `received[i]` bytes from
  /// it. Returns the end of the collective (SPEC CC-1).
  Time book(int32_t rank, const std::vector<int32_t> &ranks,
            const std::vector<size_t> &sent,
            const std::vector<size_t> &received, Time start);

private:
  const std::vector<moert_link> levels;
  std::mutex mutex;
  /// The time when the link of each rank and level becomes free.
  std::vector<Time> freeAt;
};

} // namespace moert

#endif // MOERT_HOST_LINKS_H
