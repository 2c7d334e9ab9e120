// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are processes without a launcher.

#include "Processes.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr size_t kMostBytes = 4096;

/// The data of one rank. It has the bytes of two rounds, because others may
/// still read the previous round when this rank begins the next.
struct Place {
  std::atomic<uint64_t> numGiven;
  char bytes[2][kMostBytes];
};

struct Gathering {
  Place *places;
  int32_t rank, count;
  uint64_t round = 0;
};

} // namespace

static int gather(void *user, const void *mine, void *all, size_t bytes) {
  auto &own = *static_cast<Gathering *>(user);
  if (bytes > kMostBytes)
    return 1;
  uint64_t round = own.round++;
  std::memcpy(own.places[own.rank].bytes[round % 2], mine, bytes);
  own.places[own.rank].numGiven = round + 1;
  constexpr std::chrono::minutes kPatience(2);
  auto end = std::chrono::steady_clock::now() + kPatience;
  for (int32_t from = 0; from < own.count; ++from) {
    while (own.places[from].numGiven <= round) {
      if (std::chrono::steady_clock::now() > end)
        return 2;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    std::memcpy(static_cast<char *>(all) + bytes * static_cast<size_t>(from),
                own.places[from].bytes[round % 2], bytes);
  }
  return 0;
}

void conformance::startProcesses(int32_t count, moert_config &config) {
  void *memory =
      mmap(nullptr, sizeof(Place) * static_cast<size_t>(count),
           PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("moert-conformance: no memory to share");
    std::exit(2);
  }
  static Gathering own;
  own = {static_cast<Place *>(memory), 0, count};
  for (int32_t rank = 0; rank < count; ++rank)
    new (&own.places[rank]) Place{};
  for (own.rank = 0; own.rank < count; ++own.rank) {
    pid_t child = fork();
    if (child < 0) {
      std::perror("moert-conformance: no process for a rank");
      std::exit(2);
    }
    if (child > 0)
      continue;
    config.rank = own.rank;
    config.world_size = count;
    config.all_gather = gather;
    config.bootstrap_user = &own;
    return;
  }
  int worst = 0, state = 0;
  while (wait(&state) > 0)
    worst = std::max(worst, WIFEXITED(state) ? WEXITSTATUS(state) : 1);
  std::exit(worst);
}
