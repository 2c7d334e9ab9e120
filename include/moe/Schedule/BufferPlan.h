// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where buffers lie in memory.

#ifndef MOE_SCHEDULE_BUFFERPLAN_H
#define MOE_SCHEDULE_BUFFERPLAN_H

#include "moe/Schedule/StreamOrder.h"
#include <cstdint>

namespace moe::schedule {

/// A buffer and the pieces of work that read or write it, in any order.
struct PlannedBuffer {
  uint64_t bytes;
  std::vector<unsigned> works;
};

struct BufferPlan {
  /// Place of each buffer, in bytes, a multiple of the alignment.
  std::vector<uint64_t> offsets;
  /// Memory that holds all buffers.
  uint64_t bytes = 0;
  /// What any plan needs: the most that is held at once when work runs in
  /// launch order. No two of those buffers may share memory.
  uint64_t lowerBound = 0;
  /// What they would take without sharing.
  uint64_t unshared = 0;
};

/// Places buffers so that two share memory only where all work on the one ends
/// before any work on the other starts, by streams and events alone: reads
/// after writes, writes after reads and writes after writes. Sizes count as
/// rounded up to `alignment`, a power of two.
BufferPlan planBuffers(const HappensBefore &order,
                       std::span<const PlannedBuffer> buffers,
                       uint64_t alignment);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_BUFFERPLAN_H
