// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emulated links between host ranks.

#include "host/Links.h"
#include <algorithm>
#include <cmath>

using namespace moert;

Status moert::verifyLinks(const moert_link *links, int32_t count,
                          int32_t worldSize) {
  if (count < 0 || (count > 0 && !links))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected num_links levels of links, "
                 "got %d and %s",
                 count, links ? "some" : "NULL");
  int32_t inner = 0;
  for (int32_t i = 0; i < count; ++i) {
    if (links[i].span <= inner)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected spans of links that ascend from 1, got %d after "
                   "%d",
                   links[i].span, inner);
    inner = links[i].span;
    if (!(links[i].gigabytes_per_second > 0) ||
        std::isinf(links[i].gigabytes_per_second) ||
        !(links[i].latency_us >= 0) || std::isinf(links[i].latency_us))
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a finite positive bandwidth and a finite latency "
                   "of at least 0 at level %d, got %g GB/s and %g us",
                   i, links[i].gigabytes_per_second, links[i].latency_us);
  }
  if (count > 0 && inner < worldSize)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected the last level of links to span all %d ranks, got "
                 "%d",
                 worldSize, inner);
  return {};
}

Links::Links(std::vector<moert_link> levels, int32_t worldSize)
    : levels(std::move(levels)), freeAt(this->levels.size() * worldSize) {}

Links::Time Links::book(int32_t rank, const std::vector<int32_t> &ranks,
                        const std::vector<size_t> &sent,
                        const std::vector<size_t> &received, Time start) {
  size_t n = levels.size();
  std::vector<double> out(n, 0), in(n, 0);
  double latencyUs = 0;
  std::vector<bool> used(n, false);
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] == rank)
      continue;
    size_t level = 0;
    while (rank / levels[level].span != ranks[i] / levels[level].span)
      ++level;
    used[level] = true;
    out[level] += sent[i];
    in[level] += received[i];
    latencyUs = std::max(latencyUs, levels[level].latency_us);
  }
  auto toDuration = [](double us) {
    return std::chrono::duration_cast<Deadline::Clock::duration>(
        std::chrono::duration<double, std::micro>(us));
  };
  std::lock_guard<std::mutex> lock(mutex);
  Time end = start;
  for (size_t level = 0; level < n; ++level) {
    if (!used[level])
      continue;
    Time &free = freeAt[rank * n + level];
    // 1 GB/s is 1e3 bytes per microsecond.
    double us = std::max(out[level], in[level]) /
                (levels[level].gigabytes_per_second * 1e3);
    free = std::max(free, start) + toDuration(us);
    end = std::max(end, free);
  }
  return end + toDuration(latencyUs);
}
