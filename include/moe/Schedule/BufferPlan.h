// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement of buffers in memory.

#ifndef MOE_SCHEDULE_BUFFERPLAN_H
#define MOE_SCHEDULE_BUFFERPLAN_H

#include "moe/Schedule/StreamOrder.h"
#include <cstdint>

namespace moe::schedule {

/// A buffer and the work items that read or write it, in any order.
struct PlannedBuffer {
  uint64_t bytes;
  std::vector<unsigned> works;
};

struct BufferPlan {
  /// Offset of each buffer in bytes, a multiple of the alignment.
  std::vector<uint64_t> offsets;
  /// Bytes of memory that hold all buffers.
  uint64_t bytes = 0;
  /// Minimum for any plan: the most bytes that are live at once if work runs in
  /// launch order. No two of those buffers may share memory.
  uint64_t lowerBound = 0;
  /// Bytes that the buffers would take without sharing.
  uint64_t unshared = 0;
};

/// Places buffers so that two share memory only if all work on one of them ends
/// before any work on the other starts, as streams and events alone guarantee.
/// This covers reads after writes, writes after reads and writes after writes.
/// Sizes are rounded up to `alignment`, a power of two.
BufferPlan planBuffers(const HappensBefore &order,
                       std::span<const PlannedBuffer> buffers,
                       uint64_t alignment);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_BUFFERPLAN_H
