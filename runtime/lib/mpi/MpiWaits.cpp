// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits of the ranks on one node.

#include "mpi/MpiWaits.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace moert;

// Other processes write this memory, so readers must not assume that it is
// consistent.
struct MpiWaits::Wait {
  /// Odd during writes.
  std::atomic<uint32_t> version;
  std::atomic<uint32_t> isUsed;
  int32_t tag;
  char what[236];
  /// The bytes after this struct, one per rank, are nonzero for awaited ranks.
  char *peers() { return reinterpret_cast<char *>(this + 1); }
};

struct MpiWaits::Page {
  static constexpr uint64_t kMagic = 0x6d6f657274776974;
  uint64_t magic;
  int32_t rank, worldSize;
  std::atomic<uint32_t> left, over;
};

/// Maximum number of recorded waits per rank; further ones are not recorded.
static constexpr int kMostWaits = 16;

static size_t getWaitBytes(size_t fixed, int32_t worldSize) {
  return (fixed + static_cast<size_t>(worldSize) + 63) / 64 * 64;
}

size_t MpiWaits::getPageBytes() const {
  return sizeof(Page) + kMostWaits * getWaitBytes(sizeof(Wait), worldSize);
}

MpiWaits::Wait &MpiWaits::getWait(Page &page, int index) const {
  return *reinterpret_cast<Wait *>(reinterpret_cast<char *>(&page + 1) +
                                   static_cast<size_t>(index) *
                                       getWaitBytes(sizeof(Wait), worldSize));
}

MpiWaits::MpiWaits(int32_t rank, int32_t worldSize)
    : rank(rank), worldSize(worldSize), pages(worldSize, nullptr) {
  file = memfd_create("moert waits", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(getPageBytes())) != 0)
    return;
  void *memory = mmap(nullptr, getPageBytes(), PROT_READ | PROT_WRITE,
                      MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return;
  pages[rank] = static_cast<Page *>(memory);
  pages[rank]->rank = rank;
  pages[rank]->worldSize = worldSize;
  pages[rank]->magic = Page::kMagic;
}

MpiWaits::~MpiWaits() {
  for (Page *page : pages)
    if (page)
      munmap(page, getPageBytes());
  if (file >= 0)
    close(file);
}

void MpiWaits::watch(const std::vector<ProcessName> &all) {
  processes = all;
  for (int32_t peer = 0; peer < worldSize; ++peer) {
    const ProcessName &process = all[peer];
    if (peer == rank || process.node != all[rank].node || process.waits < 0 ||
        !process.isThere())
      continue;
    char path[64];
    std::snprintf(path, sizeof(path), "/proc/%lld/fd/%lld",
                  static_cast<long long>(process.pid),
                  static_cast<long long>(process.waits));
    int other = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info {};
    if (other < 0)
      continue;
    void *memory = MAP_FAILED;
    if (fstat(other, &info) == 0 &&
        info.st_size == static_cast<off_t>(getPageBytes()))
      memory = mmap(nullptr, getPageBytes(), PROT_READ, MAP_SHARED, other, 0);
    close(other);
    if (memory == MAP_FAILED)
      continue;
    auto *page = static_cast<Page *>(memory);
    if (page->magic == Page::kMagic && page->rank == peer)
      pages[peer] = page;
    else
      munmap(memory, getPageBytes());
  }
}

int MpiWaits::begin(const std::string &what, int tag) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!pages[rank])
    return -1;
  for (int i = 0; i < kMostWaits; ++i) {
    Wait &wait = getWait(*pages[rank], i);
    if (wait.isUsed.load())
      continue;
    wait.version.fetch_add(1);
    wait.tag = tag;
    std::snprintf(wait.what, sizeof(wait.what), "%s", what.c_str());
    std::memset(wait.peers(), 0, static_cast<size_t>(worldSize));
    wait.isUsed.store(1);
    wait.version.fetch_add(1);
    return i;
  }
  return -1;
}

void MpiWaits::goOn(int index, const std::vector<int32_t> &peers) {
  if (index < 0)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  Wait &wait = getWait(*pages[rank], index);
  wait.version.fetch_add(1);
  std::memset(wait.peers(), 0, static_cast<size_t>(worldSize));
  for (int32_t peer : peers)
    wait.peers()[peer] = 1;
  wait.version.fetch_add(1);
}

void MpiWaits::end(int index) {
  if (index < 0)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (!pages[rank]->over.load())
    getWait(*pages[rank], index).isUsed.store(0);
}

void MpiWaits::setOver() {
  if (pages[rank])
    pages[rank]->over.store(1);
}

void MpiWaits::leave() {
  if (pages[rank])
    pages[rank]->left.store(1);
}

bool MpiWaits::hasLeft(int32_t peer) const {
  return pages[peer] && pages[peer]->left.load();
}

std::vector<MpiWaits::Snapshot> MpiWaits::read(Page &page) const {
  std::vector<Snapshot> found;
  for (int i = 0; i < kMostWaits; ++i) {
    Wait &wait = getWait(page, i);
    // Try a limited number of times, because the owner may be stopped during a
    // write.
    for (int tries = 0; tries < 100; ++tries) {
      uint32_t version = wait.version.load();
      if (!wait.isUsed.load())
        break;
      Snapshot copy;
      copy.what.assign(wait.what, strnlen(wait.what, sizeof(wait.what)));
      copy.tag = wait.tag;
      for (int32_t peer = 0; peer < worldSize; ++peer)
        if (wait.peers()[peer])
          copy.peers.push_back(peer);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      if (version % 2 != 0 || wait.version.load() != version)
        continue;
      found.push_back(std::move(copy));
      break;
    }
  }
  return found;
}

bool MpiWaits::findOwn(int tag, std::string &what,
                       std::vector<int32_t> &peers) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!pages[rank])
    return false;
  for (Snapshot &own : read(*pages[rank]))
    if (own.tag == tag && !own.peers.empty()) {
      what = own.what;
      peers = own.peers;
      return true;
    }
  return false;
}

std::string MpiWaits::findEnded(const std::vector<int32_t> &ranks) const {
  std::string ended;
  for (int32_t peer : ranks)
    if (peer != rank && pages[peer] && !hasLeft(peer) &&
        !processes[peer].isThere())
      ended += format("%s%d (process %lld)", ended.empty() ? "" : ", ", peer,
                      static_cast<long long>(processes[peer].pid));
  return ended;
}

Whereabouts MpiWaits::find(int32_t peer) {
  if (!pages[peer])
    return {"cannot be seen from here: whether it waits itself is not known",
            {}};
  if (hasLeft(peer))
    return {"has left the job", {}};
  const ProcessName &process = processes[peer];
  auto pid = static_cast<long long>(process.pid);
  if (peer != rank && !process.isThere())
    return {format("has ended (process %lld)", pid), {}};
  if (peer != rank && process.isStopped())
    return {format("is stopped by a signal (process %lld)", pid), {}};
  std::vector<Snapshot> now;
  {
    std::lock_guard<std::mutex> lock(mutex);
    now = read(*pages[peer]);
  }
  Whereabouts found;
  for (const Snapshot &wait : now) {
    if (wait.peers.empty())
      continue;
    found.words += found.words.empty() ? "" : " and ";
    found.words += "waits in " + wait.what + " for ranks " +
                   printRanks(wait.peers.data(), wait.peers.size());
    found.waitsFor.insert(found.waitsFor.end(), wait.peers.begin(),
                          wait.peers.end());
  }
  if (found.words.empty())
    found.words = "waits in no collective";
  return found;
}

std::string MpiWaits::describe(const std::vector<int32_t> &peers) {
  return describeBlame(peers, [&](int32_t peer) { return find(peer); });
}
