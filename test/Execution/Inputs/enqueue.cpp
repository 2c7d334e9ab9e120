// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps on the caller's stream.
//
// enqueue BACKEND [SWITCH]: enqueues steps on a stream of the caller, each
// between the copies of its inputs and of its results, and waits once at the
// end. The program is examples/embedded/step.mlir, or with -DSWAP one that
// changes circuits of the switch 'region', which rank 1 controls.

#ifdef SWAP
#include "swap.h"
#define PROGRAM(part) moe_swap##part
#else
#include "step.h"
#define PROGRAM(part) moe_step##part
#endif
#include "moert_ocs.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static constexpr int kRanks = PROGRAM(_NUM_RANKS), kSteps = 20;
static const size_t kInput = PROGRAM(_input_bytes)[0] / sizeof(float),
                    kResult = PROGRAM(_result_bytes)[0] / sizeof(float);

static void require(int32_t status, const char *what,
                    const moert_context *context = nullptr) {
  if (status == MOERT_OK)
    return;
  std::fprintf(stderr, "%s: %s: %s\n", what,
               moert_status_name(moert_status(status)),
               moert_last_error(context));
  std::exit(1);
}

static float getInput(int step, int rank, size_t i) {
  return float(1000 * step + 100 * rank) + float(i);
}

/// Columns are sent to the ranks, which then sum them; or halves are sent to
/// the ranks.
static float getExpected(int step, [[maybe_unused]] int rank, size_t i) {
#ifdef SWAP
  return getInput(step, int(i / 2), 2 * size_t(rank) + i % 2);
#else
  size_t from = i / 6, row = i / 3 % 2, column = i % 3;
  return getInput(step, int(from), 6 * row + column) +
         getInput(step, int(from), 6 * row + column + 3);
#endif
}

static moert_counts getCounts(const moert_context *context) {
  moert_counts counts;
  counts.size = sizeof(counts);
  require(moert_context_counts(context, &counts), "counts", context);
  return counts;
}

/// Returns the number of wrong results.
static int runRank(moert_config config, const char *address) {
  moert_context *context = nullptr;
  moert_stream *stream = nullptr;
  require(moert_init(&config, &context), "init");
  int rank = moert_rank(context);
  moert_ocs *ocs = nullptr;
  if (address && rank == 1) {
    moert_ocs_config how;
    require(moert_ocs_config_default(&how), "switch");
    how.address = address;
    how.user = "admin";
    how.password = "root";
    how.all_ports = 1;
    require(moert_ocs_open(&how, &ocs), "switch");
    require(moert_ocs_attach(context, "region", ocs), "switch", context);
  }
  require(moert_stream_create(context, "job", 0, &stream), "stream", context);
  // On these backends, streams use ordinary memory.
  size_t workspaceBytes = size_t(PROGRAM(_workspace_bytes)()) + 64;
  void *workspace = std::aligned_alloc(64, (workspaceBytes + 63) / 64 * 64);
  std::vector<float> x(kInput), y(kResult);
  std::vector<std::vector<float>> inputs(kSteps + 1), results(kSteps + 1);
  moert_counts before{};
  for (int step = 0; step <= kSteps; ++step) {
    // The first step creates the objects that all later ones use.
    if (step == 1)
      before = getCounts(context);
    inputs[step].resize(kInput);
    results[step].resize(kResult);
    for (size_t i = 0; i < kInput; ++i)
      inputs[step][i] = getInput(step, rank, i);
    void *in[] = {x.data()}, *out[] = {y.data()};
    require(moert_copy(stream, x.data(), inputs[step].data(),
                       kInput * sizeof(float)),
            "copy", context);
    require(PROGRAM(_enqueue)(context, stream, in, out, workspace), "step",
            context);
    require(moert_copy(stream, results[step].data(), y.data(),
                       kResult * sizeof(float)),
            "copy", context);
  }
  moert_counts after = getCounts(context);
  require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), "wait",
          context);
  int wrong = 0;
  for (int step = 0; step <= kSteps; ++step)
    for (size_t i = 0; i < kResult; ++i)
      wrong += results[step][i] != getExpected(step, rank, i);
  if (rank == 0)
    std::printf(
        "%s: %d steps made %lld objects and waited %lld times of at "
        "most %d a step\n",
        config.backend, kSteps,
        static_cast<long long>(after.buffers - before.buffers + after.streams -
                               before.streams + after.events - before.events +
                               after.communicators - before.communicators),
        static_cast<long long>(after.host_waits - before.host_waits),
        PROGRAM(_HOST_WAITS));
  require(moert_finalize(context, MOERT_DEADLINE_DEFAULT), "finalize");
  if (ocs)
    require(moert_ocs_close(ocs), "switch");
  std::free(workspace);
  return wrong;
}

int main(int, char **argv) {
  const char *backend = argv[1], *address = argv[2];
  moert_config config;
  require(moert_config_default(&config), "config");
  config.backend = backend;
  config.world_size = kRanks;
  int wrong = 0;
  if (std::strcmp(backend, "mpi") == 0) {
    require(moert_config_from_environment(&config), "environment");
    wrong = runRank(config, address);
  } else {
    std::vector<int> each(kRanks);
    std::vector<std::thread> ranks;
    for (config.rank = 0; config.rank < kRanks; ++config.rank)
      ranks.emplace_back(
          [=, &each] { each[size_t(config.rank)] = runRank(config, address); });
    for (std::thread &rank : ranks)
      rank.join();
    for (int number : each)
      wrong += number;
  }
  if (wrong)
    std::printf("%s: %d numbers are wrong\n", backend, wrong);
  return wrong != 0;
}
