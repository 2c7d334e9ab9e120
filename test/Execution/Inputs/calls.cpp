// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls two compiled programs many times.
//
//   calls BACKEND CALLS JOBS
//
// Links the programs of calls.mlir and calls both in turn, CALLS times in each
// of JOBS successive jobs. Checks all results, and that threads, files and
// memory do not grow with calls or jobs.

#include "first.h"
#include "second.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

static constexpr int kRanks = moe_first_NUM_RANKS;
static_assert(kRanks == moe_second_NUM_RANKS, "one job runs both");

struct Usage {
  long threads = 0, files = 0, kilobytes = 0;
};

static long countEntries(const char *path) {
  long count = 0;
  if (DIR *folder = opendir(path)) {
    while (readdir(folder))
      ++count;
    closedir(folder);
  }
  return count;
}

static Usage getUsage() {
  Usage usage{countEntries("/proc/self/task"), countEntries("/proc/self/fd"),
              0};
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:")
      status >> usage.kilobytes;
  return usage;
}

/// One rank; every failing call exits the process from here.
class Rank {
public:
  Rank(const char *backend, int number) : number(number) {
    moert_config config;
    moert_config_default(&config);
    moert_config_from_environment(&config);
    config.backend = backend;
    config.rank = number;
    config.world_size = kRanks;
    config.deadline_us = 20000000;
    require(moert_init(&config, &context), "moert_init");
    require(moert_stream_create(context, "copies", 0, &stream), "a stream");
  }
  ~Rank() { require(moert_finalize(context, -1), "moert_finalize"); }

  void require(int32_t status, const char *what) {
    if (status == MOERT_OK)
      return;
    std::fprintf(stderr, "rank %d: %s: %s\n", number, what,
                 moert_last_error(context));
    std::exit(1);
  }

  /// Copies numbers into the memory that streams use.
  void *put(const std::vector<int32_t> &values) {
    moert_buffer *buffer = nullptr;
    size_t bytes = values.size() * sizeof(int32_t);
    require(moert_buffer_create(context, bytes, MOERT_MEMORY_DEVICE, &buffer),
            "a buffer");
    void *data = moert_buffer_data(buffer);
    require(moert_copy(stream, data, values.data(), bytes), "moert_copy");
    require(moert_stream_synchronize(stream, -1), "a copy");
    return data;
  }
  void expect(const char *what, void *data,
              const std::vector<int32_t> &expected) {
    std::vector<int32_t> got(expected.size());
    require(moert_copy(stream, got.data(), data, got.size() * sizeof(int32_t)),
            "moert_copy");
    require(moert_stream_synchronize(stream, -1), "a copy");
    for (size_t i = 0; i < got.size(); ++i)
      if (got[i] != expected[i]) {
        std::fprintf(stderr, "rank %d: %s[%zu]: expected %d, got %d\n", number,
                     what, i, expected[i], got[i]);
        std::exit(1);
      }
  }

  moert_context *context = nullptr;
  moert_stream *stream = nullptr;
  const int number;
};

/// Returns an element of a rank's argument.
static int32_t at(int rank, int row, int column) {
  return 1000 * rank + 10 * row + column;
}

/// Appends row `row` of the result of the exchange over "ep" on a rank: the row
/// of the rank at place `row` with the same place along "tp".
static void appendExchanged(std::vector<int32_t> &values, int rank, int row) {
  int ep = rank / 2, tp = rank % 2;
  for (int column = 0; column < 3; ++column)
    values.push_back(at(2 * row + tp, ep, column));
}

/// Returns the number of host waits in this context.
static int64_t countWaits(Rank &rank) {
  moert_counts counts;
  counts.size = sizeof(counts);
  rank.require(moert_context_counts(rank.context, &counts), "counts");
  return counts.host_waits;
}

static void runRank(const char *backend, int number, long calls, Usage *before,
                    Usage *after) {
  Rank rank(backend, number);
  std::vector<int32_t> x, exchanged, sums, gathered, rows(15, -7), received;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      x.push_back(at(number, row, column));
  for (int row = 0; row < 2; ++row)
    appendExchanged(exchanged, number, row);
  for (size_t i = 0; i < exchanged.size(); ++i) {
    std::vector<int32_t> other;
    for (int row = 0; row < 2; ++row)
      appendExchanged(other, number ^ 1, row);
    sums.push_back(exchanged[i] + other[i]);
  }
  for (int member = 0; member < kRanks; ++member)
    for (int row = 0; row < 2; ++row)
      appendExchanged(gathered, member, row);
  // One row to and from each rank: the ragged exchange equals the all-to-all
  // and leaves the other rows.
  received = exchanged;
  received.insert(received.end(), rows.begin() + 6, rows.end());

  void *in = rank.put(x), *init = rank.put(rows);
  void *a = rank.put(exchanged), *s = rank.put(sums), *g = rank.put(gathered),
       *r = rank.put(rows);
  void *offsets = rank.put({0, 1}), *sizes = rank.put({1, 1});
  void *firstIn[] = {in}, *firstOut[] = {a, s};
  void *secondIn[] = {in, init, offsets, sizes}, *secondOut[] = {g, r};
  // The waits that the headers declare, and one for the end of each run.
  static_assert(moe_first_HOST_WAITS == 0, "all is known");
  static_assert(moe_second_HOST_WAITS == 1, "counts are copied together");
  int64_t waits = countWaits(rank) +
                  calls * (2 + moe_first_HOST_WAITS + moe_second_HOST_WAITS);
  for (long call = 0; call < calls; ++call) {
    rank.require(moe_first(rank.context, firstIn, firstOut), "moe_first");
    rank.require(moe_second(rank.context, secondIn, secondOut), "moe_second");
    // The first calls have created all objects.
    if (call == 20 && before)
      *before = getUsage();
  }
  if (int64_t waited = countWaits(rank); waited != waits) {
    std::fprintf(stderr, "rank %d: expected %lld waits, got %lld\n", number,
                 static_cast<long long>(waits), static_cast<long long>(waited));
    std::exit(1);
  }
  if (after)
    *after = getUsage();
  rank.expect("exchanged", a, exchanged);
  rank.expect("sums", s, sums);
  rank.expect("gathered", g, gathered);
  rank.expect("received", r, received);
}

/// The address sanitizer keeps freed memory, and finds leaks itself.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CALLS_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CALLS_SANITIZED
#endif
#ifdef CALLS_SANITIZED
static constexpr bool kLooksAtMemory = false;
#else
static constexpr bool kLooksAtMemory = true;
#endif

static void compare(const char *what, const Usage &before, const Usage &after) {
  // Other ranks start and end, with a stream or two each.
  constexpr long kSpare = 3 * kRanks, kKilobytes = 4096;
  if (after.threads <= before.threads + kSpare &&
      after.files <= before.files + kSpare &&
      (!kLooksAtMemory || after.kilobytes <= before.kilobytes + kKilobytes))
    return;
  std::fprintf(stderr,
               "%s leak: from %ld threads, %ld files, %ld KiB to %ld, %ld, "
               "%ld\n",
               what, before.threads, before.files, before.kilobytes,
               after.threads, after.files, after.kilobytes);
  std::exit(1);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  long calls = std::atol(argv[2]), jobs = std::atol(argv[3]);
  Usage first;
  for (long job = 0; job < jobs; ++job) {
    Usage before, after;
    std::vector<std::thread> threads;
    for (int rank = 0; rank < kRanks; ++rank)
      threads.emplace_back(runRank, argv[1], rank, calls,
                           rank ? nullptr : &before, rank ? nullptr : &after);
    for (std::thread &thread : threads)
      thread.join();
    if (calls > 21)
      compare("calls", before, after);
    if (job == jobs / 4)
      first = getUsage();
  }
  compare("jobs", first, getUsage());
  std::printf("%s: %ld jobs of %ld calls, as expected\n", argv[1], jobs, calls);
}
