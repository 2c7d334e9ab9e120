// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers to use again.

#ifndef MOERT_CORE_BUFFERPOOL_H
#define MOERT_CORE_BUFFERPOOL_H

#include "moert.h"
#include <cstddef>
#include <mutex>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define MOERT_ADDRESS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MOERT_ADDRESS_SANITIZED
#endif
#endif

namespace moert {

/// Buffers of a context that were destroyed, kept for the next ones of their
/// size: a program that is called at every step of a training makes the same
/// ones each time, and new memory is slow to get (pages that were never
/// touched, a device that first has to be idle). Buffers in use and spares
/// together never take more than was in use at once. Under the address
/// sanitizer it holds nothing, so that use of a destroyed buffer is found.
class BufferPool {
public:
  /// Whether it keeps anything.
#ifdef MOERT_ADDRESS_SANITIZED
  static constexpr bool kKeepsSpares = false;
#else
  static constexpr bool kKeepsSpares = true;
#endif

  /// A spare of exactly this size and space; null when there is none, and a
  /// new one is to be made. Spares that must give way to it are deleted. Counts
  /// the bytes as in use. All of these from any thread.
  moert_buffer *take(size_t bytes, moert_memory_space space);
  /// The new one was not made.
  void giveUp(size_t bytes);
  /// A buffer that nobody uses any more.
  void give(moert_buffer *buffer);
  /// Deletes all spares; true when there were any.
  bool clear();

private:
  /// Removes spares, longest unused first, until what is left may be kept.
  std::vector<moert_buffer *> evict();

  std::mutex mutex;
  /// Longest unused first.
  std::vector<moert_buffer *> spares;
  size_t spareBytes = 0, usedBytes = 0, mostUsedBytes = 0;
};

} // namespace moert

#endif // MOERT_CORE_BUFFERPOOL_H
