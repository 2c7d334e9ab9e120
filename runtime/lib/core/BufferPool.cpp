// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reuse of buffers.

#include "core/Backend.h"
#include <algorithm>

using namespace moert;

static void destroy(const std::vector<moert_buffer *> &buffers) {
  for (moert_buffer *buffer : buffers)
    delete buffer;
}

std::vector<moert_buffer *> BufferPool::evict() {
  size_t count = 0;
  while (count < spares.size() &&
         (!kKeepsSpares || spareBytes + usedBytes > mostUsedBytes))
    spareBytes -= spares[count++]->size;
  auto end = spares.begin() + std::ptrdiff_t(count);
  std::vector<moert_buffer *> leaving(spares.begin(), end);
  spares.erase(spares.begin(), end);
  return leaving;
}

moert_buffer *BufferPool::take(size_t bytes, moert_memory_space space) {
  moert_buffer *buffer = nullptr;
  std::vector<moert_buffer *> leaving;
  {
    std::lock_guard<std::mutex> lock(mutex);
    // The most recently used buffer is the likeliest to be in caches.
    auto found = std::find_if(
        spares.rbegin(), spares.rend(), [&](const moert_buffer *spare) {
          return spare->size == bytes && spare->space == space;
        });
    if (found != spares.rend()) {
      buffer = *found;
      spares.erase(std::next(found).base());
      spareBytes -= bytes;
    }
    usedBytes += bytes;
    mostUsedBytes = std::max(mostUsedBytes, usedBytes);
    leaving = evict();
  }
  destroy(leaving);
  return buffer;
}

void BufferPool::giveUp(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  usedBytes -= bytes;
}

void BufferPool::give(moert_buffer *buffer) {
  std::vector<moert_buffer *> leaving;
  {
    std::lock_guard<std::mutex> lock(mutex);
    usedBytes -= buffer->size;
    spareBytes += buffer->size;
    spares.push_back(buffer);
    leaving = evict();
  }
  destroy(leaving);
}

bool BufferPool::clear() {
  std::vector<moert_buffer *> leaving;
  {
    std::lock_guard<std::mutex> lock(mutex);
    leaving.swap(spares);
    spareBytes = 0;
  }
  destroy(leaving);
  return !leaving.empty();
}
