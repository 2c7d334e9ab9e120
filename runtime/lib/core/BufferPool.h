// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reuse of buffers.

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

/// Destroyed buffers of a context, kept for later buffers of the same size. A
/// program that runs in every training step creates the same buffers each time,
/// and new memory is slow to get (untouched pages, or waiting for an idle
/// device). Used and spare buffers together never exceed the peak of used ones.
/// The pool is empty with the address sanitizer, so that use of a destroyed
/// buffer is detected.
class BufferPool {
public:
#ifdef MOERT_ADDRESS_SANITIZED
  static constexpr bool kKeepsSpares = false;
#else
  static constexpr bool kKeepsSpares = true;
#endif

  /// Returns a spare buffer of exactly this size and space, or null if the
  /// caller must create one; then deletes spares that must make room. Counts
  /// the bytes as in use. This and the other methods are thread-safe.
  moert_buffer *take(size_t bytes, moert_memory_space space);
  /// Reports that the new buffer was not created.
  void giveUp(size_t bytes);
  /// Returns an unused buffer to the pool.
  void give(moert_buffer *buffer);
  /// Deletes all spares; returns true if there were any.
  bool clear();

private:
  /// Removes spares, least recently used first, until the others may be kept.
  std::vector<moert_buffer *> evict();

  std::mutex mutex;
  /// Least recently used first.
  std::vector<moert_buffer *> spares;
  size_t spareBytes = 0, usedBytes = 0, mostUsedBytes = 0;
};

} // namespace moert

#endif // MOERT_CORE_BUFFERPOOL_H
