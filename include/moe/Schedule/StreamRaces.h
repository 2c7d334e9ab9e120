// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection of races between streams.

#ifndef MOE_SCHEDULE_STREAMRACES_H
#define MOE_SCHEDULE_STREAMRACES_H

#include "moe/Schedule/StreamOrder.h"
#include <cstdint>
#include <optional>

namespace moe::schedule {

/// Bytes of a memory, which is an arena or a buffer of the caller.
struct MemoryRange {
  unsigned memory;
  uint64_t begin, end;
};

/// The memory accesses of a work item. It counts as one step, because a
/// collective reads and writes only the own rank's buffers.
struct WorkAccesses {
  std::vector<MemoryRange> reads;
  /// Ranges with every byte written.
  std::vector<MemoryRange> writes;
  /// Ranges with some bytes written and others kept.
  std::vector<MemoryRange> partialWrites;
  /// Buffers that begin here; the previous contents of their memory are dead.
  std::vector<MemoryRange> begins;
};

/// The host's commands to the streams, and the accesses of each work item.
struct StreamProgram {
  std::vector<StreamStep> steps;
  /// One entry for each step of kind Work, in order.
  std::vector<WorkAccesses> works;
};

/// Two work items that access the same bytes, at least one of them writing, and
/// that streams and events leave unordered.
struct Race {
  unsigned first, second;
  MemoryRange bytes;
};

/// Finds a race of the program. If there is none, every legal order ends with
/// the values of the launch order.
std::optional<Race> findRace(const StreamProgram &program);

/// An order with a result that differs from the launch order.
struct OrderDifference {
  /// The first work item that reads a different value; nullopt if only the
  /// final memory differs.
  std::optional<unsigned> work;
  /// Work items in execution order.
  std::vector<unsigned> order;
};

/// Runs the program in several legal orders on symbolic values, which represent
/// the result of a work item on its inputs; a buffer that begins is poisoned.
/// The first orders, one per stream, delay that stream as long as possible,
/// which exchanges any two work items that race. Then `orders` random orders
/// follow. Returns the first order that differs from the launch order.
std::optional<OrderDifference> checkOrders(const StreamProgram &program,
                                           unsigned orders, uint64_t seed);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_STREAMRACES_H
