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

/// Checks the configured levels.
Status verifyLinks(const moert_link *links, int32_t count, int32_t worldSize);

/// Emulated link rates: how long a collective must last on a rank. Each rank
/// has one link at every level, in each direction; a link serves collectives
/// one after another.
class Links {
public:
  using Time = Deadline::Clock::time_point;

  Links(std::vector<moert_link> levels, int32_t worldSize);

  /// Books the links of `rank` from `start` on for a collective in which it
  /// sends `sent[i]` and receives `received[i]` bytes to and from `ranks[i]`.
  /// Returns when it ends (SPEC CC-1).
  Time book(int32_t rank, const std::vector<int32_t> &ranks,
            const std::vector<size_t> &sent,
            const std::vector<size_t> &received, Time start);

private:
  const std::vector<moert_link> levels;
  std::mutex mutex;
  /// When the link of each rank and level is free.
  std::vector<Time> freeAt;
};

} // namespace moert

#endif // MOERT_HOST_LINKS_H
