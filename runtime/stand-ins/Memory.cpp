// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emulated device memory.

// Device memory is mapped twice. The address that callers get is not readable
// or writable, so a host that dereferences a device pointer crashes
// immediately. The emulation uses the other address. An inaccessible page
// follows it, and the rest of its last page is checked for writes.

#include "StandIn.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(address, bytes)                              \
  ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes)                            \
  ((void)(address), (void)(bytes))
#endif

using namespace moert;

namespace {
struct Piece {
  size_t bytes, mapped;
  /// The address that the emulation uses.
  char *reached;
};

struct Memory {
  std::mutex mutex;
  /// By the address that callers get.
  std::map<const char *, Piece> pieces;
  /// The caller's address of the next allocation, if it is free.
  uintptr_t next = 0;
};
} // namespace

// An 8-byte word of a kernel's parameters may be an int and padding. The
// padding has arbitrary content, often the upper half of an address. Such a
// word must not look like an address of an allocation. Therefore the lower
// halves of their addresses are neither small, as ints are, nor 32-bit floats
// below 8e9.
constexpr uintptr_t kFirstLow = 0x50000000, kEndLow = 0x7f000000;

static uintptr_t getLow(uintptr_t address) { return address & 0xffffffff; }
static uintptr_t getFirstBelow(uintptr_t address) {
  return (((address >> 32) - 1) << 32) | kFirstLow;
}

/// Maps a file at an inaccessible address for callers; no two allocations ever
/// have the same addresses. An allocation that is too large for the range
/// between the limits begins in this range. The caller must hold the mutex.
static void *mapKnown(Memory &memory, size_t mapped, int file) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (!memory.next) {
    void *taken = mmap(nullptr, page, PROT_NONE, MAP_SHARED, file, 0);
    if (taken == MAP_FAILED)
      return taken;
    memory.next = getFirstBelow(reinterpret_cast<uintptr_t>(taken));
    munmap(taken, page);
  }
  while (memory.next >> 32) {
    uintptr_t low = getLow(memory.next);
    if (low == kFirstLow || (low > kFirstLow && low + mapped <= kEndLow)) {
      auto *wanted = reinterpret_cast<void *>(memory.next);
      void *known = mmap(wanted, mapped, PROT_NONE,
                         MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
      if (known == wanted) {
        memory.next += mapped + page;
        return known;
      }
      if (known == MAP_FAILED && errno != EEXIST)
        return known;
      // Older kernels ignore the flag and map it elsewhere.
      if (known != MAP_FAILED)
        munmap(known, mapped);
    }
    memory.next = getFirstBelow(memory.next);
  }
  return MAP_FAILED;
}

/// The content of fresh device memory, which is not zero.
constexpr int kFresh = 0xa5;

/// Never destroyed, because streams may end later than static objects.
static Memory &getMemory() {
  static auto *memory = new Memory;
  return *memory;
}

void *standin::allocate(size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t mapped = (std::max<size_t>(bytes, 1) + page - 1) / page * page;
  int file = memfd_create("device", MFD_CLOEXEC);
  if (file < 0)
    return nullptr;
  void *known = MAP_FAILED, *reached = MAP_FAILED;
  Memory &memory = getMemory();
  if (ftruncate(file, static_cast<off_t>(mapped)) == 0) {
    {
      std::lock_guard<std::mutex> lock(memory.mutex);
      known = mapKnown(memory, mapped, file);
    }
    // One anonymous page follows the file's pages.
    reached = mmap(nullptr, mapped + page, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reached != MAP_FAILED)
      reached = mmap(reached, mapped, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED, file, 0);
  }
  close(file);
  if (known == MAP_FAILED || reached == MAP_FAILED)
    return nullptr;
  std::memset(reached, kFresh, mapped);
  auto *data = static_cast<char *>(reached);
  ASAN_POISON_MEMORY_REGION(data + bytes, mapped - bytes);
  std::lock_guard<std::mutex> lock(memory.mutex);
  memory.pieces[static_cast<char *>(known)] = {bytes, mapped, data};
  return known;
}

bool standin::release(void *known) {
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  auto it = memory.pieces.find(static_cast<char *>(known));
  if (it == memory.pieces.end())
    return false;
  const Piece &piece = it->second;
  char *end = piece.reached + piece.mapped;
  ASAN_UNPOISON_MEMORY_REGION(piece.reached + piece.bytes,
                              piece.mapped - piece.bytes);
  for (char *byte = piece.reached + piece.bytes; byte != end; ++byte)
    if (*byte != static_cast<char>(kFresh)) {
      std::fprintf(stderr,
                   "stand-in for CUDA: expected writes within %zu bytes of "
                   "device memory, got one at byte %zu\n",
                   piece.bytes, static_cast<size_t>(byte - piece.reached));
      std::abort();
    }
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  munmap(piece.reached, piece.mapped + page);
  munmap(known, piece.mapped);
  memory.pieces.erase(it);
  return true;
}

/// Returns the emulation's address of a byte of device memory, its allocation
/// and the offset in it; null for other memory.
static char *find(const void *pointer, Piece &piece, size_t &offset) {
  auto *address = static_cast<const char *>(pointer);
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  auto it = memory.pieces.upper_bound(address);
  if (it == memory.pieces.begin())
    return nullptr;
  --it;
  offset = static_cast<size_t>(address - it->first);
  if (offset >= it->second.mapped)
    return nullptr;
  piece = it->second;
  return piece.reached + offset;
}

void *standin::reach(const void *pointer, size_t bytes) {
  Piece piece;
  size_t offset;
  char *reached = find(pointer, piece, offset);
  if (!reached)
    return const_cast<void *>(pointer);
  if (offset + bytes > piece.bytes) {
    std::fprintf(stderr,
                 "stand-in for CUDA: expected work within %zu bytes of "
                 "device memory, got %zu bytes at %zu\n",
                 piece.bytes, bytes, offset);
    std::abort();
  }
  return reached;
}

void standin::reachAll(void *parameter, size_t bytes) {
  auto *words = static_cast<char *>(parameter);
  for (size_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
    void *word;
    std::memcpy(&word, words + at, sizeof(word));
    Piece piece;
    size_t offset;
    if (char *reached = find(word, piece, offset))
      std::memcpy(words + at, &reached, sizeof(reached));
  }
}
