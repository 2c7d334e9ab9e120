// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An all-gather of bytes between threads.

#ifndef MOERT_TEST_UNIT_GATHERER_H
#define MOERT_TEST_UNIT_GATHERER_H

#include "Ranks.h"
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace moert::test {

/// The functions that a caller's job provides: an all-gather between its ranks,
/// which are threads here, and a flag that ends the job. Tests can make them
/// fail.
class Gatherer {
public:
  explicit Gatherer(int32_t size) : size(size), places(size) {
    for (int32_t rank = 0; rank < size; ++rank) {
      places[rank].gatherer = this;
      places[rank].rank = rank;
    }
  }

  /// Waits for calls that their ranks have abandoned.
  ~Gatherer() {
    release();
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return numUnderWay == 0; });
  }

  /// Returns the configuration of `rank`, with all three functions.
  moert_config getConfig(int32_t rank, const char *backend = "nccl") {
    moert_config config;
    moert_config_default(&config);
    config.backend = backend;
    config.rank = rank;
    config.world_size = size;
    config.deadline_us = kPatienceUs;
    config.all_gather = gather;
    config.must_abort = mustAbort;
    config.aborted = aborted;
    config.bootstrap_user = &places[rank];
    return config;
  }

  /// Lets calls return although other ranks will not arrive.
  void release() {
    std::lock_guard<std::mutex> lock(mutex);
    isReleased = true;
    changed.notify_all();
  }

  int getNumCalls(int32_t rank) {
    std::lock_guard<std::mutex> lock(mutex);
    return places[rank].numCalls;
  }
  std::vector<std::string> getReasons(int32_t rank) {
    std::lock_guard<std::mutex> lock(mutex);
    return places[rank].reasons;
  }
  /// Returns the threads of all_gather, or of the other two functions.
  std::vector<std::thread::id> getThreads(int32_t rank, bool ofGather) {
    std::lock_guard<std::mutex> lock(mutex);
    return ofGather ? places[rank].gathering : places[rank].watching;
  }

  /// Called with the bytes of all ranks, which it may change. Its result, if
  /// not 0, is the result of the call.
  std::function<int(int32_t rank, int call, char *all, size_t bytes)> spoil;
  std::atomic<bool> hasToEnd{false};
  /// Propagates the failure of one rank to the others.
  std::atomic<bool> carries{false};

private:
  struct Place {
    Gatherer *gatherer;
    int32_t rank;
    int numCalls = 0;
    std::vector<std::string> reasons;
    std::vector<std::thread::id> gathering, watching;
  };
  static void note(std::vector<std::thread::id> &threads) {
    if (threads.empty() || threads.back() != std::this_thread::get_id())
      threads.push_back(std::this_thread::get_id());
  }

  static int gather(void *user, const void *mine, void *all, size_t bytes) {
    auto &place = *static_cast<Place *>(user);
    Gatherer &self = *place.gatherer;
    ++self.numUnderWay;
    struct End {
      ~End() {
        std::lock_guard<std::mutex> lock(self.mutex);
        --self.numUnderWay;
        self.changed.notify_all();
      }
      Gatherer &self;
    } end{self};
    int call = 0;
    if (!self.exchange(place, mine, all, bytes, call))
      return 9;
    return self.spoil
               ? self.spoil(place.rank, call, static_cast<char *>(all), bytes)
               : 0;
  }
  /// Returns false if other ranks did not arrive and were released.
  bool exchange(Place &place, const void *mine, void *all, size_t bytes,
                int &call) {
    std::unique_lock<std::mutex> lock(mutex);
    note(place.gathering);
    call = place.numCalls++;
    std::map<int32_t, std::string> &given = rounds[call];
    given[place.rank].assign(static_cast<const char *>(mine), bytes);
    changed.notify_all();
    auto isWhole = [&] { return given.size() == static_cast<size_t>(size); };
    changed.wait(lock, [&] { return isWhole() || isReleased; });
    if (!isWhole())
      return false;
    for (const auto &[rank, from] : given)
      std::memcpy(static_cast<char *>(all) + bytes * rank, from.data(),
                  std::min(bytes, from.size()));
    return true;
  }
  static int mustAbort(void *user) {
    auto &place = *static_cast<Place *>(user);
    std::lock_guard<std::mutex> lock(place.gatherer->mutex);
    note(place.watching);
    return place.gatherer->hasToEnd ? 1 : 0;
  }
  static void aborted(void *user, const char *reason) {
    auto &place = *static_cast<Place *>(user);
    std::lock_guard<std::mutex> lock(place.gatherer->mutex);
    note(place.watching);
    place.reasons.push_back(reason);
    if (place.gatherer->carries)
      place.gatherer->hasToEnd = true;
  }

  const int32_t size;
  std::mutex mutex;
  std::condition_variable changed;
  /// The data of the ranks, by the number of the call.
  std::map<int, std::map<int32_t, std::string>> rounds;
  std::atomic<int> numUnderWay{0};
  bool isReleased = false;
  std::vector<Place> places;
};

} // namespace moert::test

#endif // MOERT_TEST_UNIT_GATHERER_H
