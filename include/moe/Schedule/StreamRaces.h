// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether any legal order differs.

#ifndef MOE_SCHEDULE_STREAMRACES_H
#define MOE_SCHEDULE_STREAMRACES_H

#include "moe/Schedule/StreamOrder.h"
#include <cstdint>
#include <optional>

namespace moe::schedule {

/// Bytes of a memory: an arena, or a buffer of the caller's.
struct MemoryRange {
  unsigned memory;
  uint64_t begin, end;
};

/// What a piece of work does to memory. It is taken as one step: a collective
/// reads and writes the own rank's buffers only.
struct WorkAccesses {
  std::vector<MemoryRange> reads;
  /// Every byte is written.
  std::vector<MemoryRange> writes;
  /// Some bytes are written, others keep their value.
  std::vector<MemoryRange> partialWrites;
  /// Buffers that begin here: what lies there is of no use any more.
  std::vector<MemoryRange> begins;
};

/// What a host tells the streams, and what each piece of work touches.
struct StreamProgram {
  std::vector<StreamStep> steps;
  /// One entry for each step of kind Work, in order.
  std::vector<WorkAccesses> works;
};

/// Two pieces of work that touch the same bytes, one of them writing, and that
/// streams and events leave in either order.
struct Race {
  unsigned first, second;
  MemoryRange bytes;
};

/// A race of the program; none means that every legal order ends with the
/// values of the launch order.
std::optional<Race> findRace(const StreamProgram &program);

/// An order in which something differs from the launch order.
struct OrderDifference {
  /// The first piece of work that reads something else; none when only memory
  /// at the end differs.
  std::optional<unsigned> work;
  /// Pieces of work in the order they ran.
  std::vector<unsigned> order;
};

/// Runs the program in legal orders on values that stand for what each piece of
/// work computed from what it read; a buffer that begins is poisoned. First
/// come orders that hold one stream back as long as they can, one for each
/// stream, which exchange any two pieces of work that race; then `orders`
/// random ones. Returns the first that differs from the launch order.
std::optional<OrderDifference> checkOrders(const StreamProgram &program,
                                           unsigned orders, uint64_t seed);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_STREAMRACES_H
