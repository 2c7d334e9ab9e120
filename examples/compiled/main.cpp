// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that calls a compiled one.
//
// Links exchange.mlir, compiled to an object file, with libmoert and runs it:
// the ranks are threads of this process, on CPUs or on the GPUs of this
// machine. README.md has the commands.

#include "exchange.h"
#include <cstdio>
#include <thread>
#include <vector>

/// Elements of the input and of the result: 2 x 3 x 4.
static constexpr int kElements = 24;
/// Those that go to one rank along "ep".
static constexpr int kBlock = 12;

/// Ends the rank, with the words of the call that failed.
static int fail(moert_context *context, int rank) {
  std::fprintf(stderr, "rank %d: %s\n", rank, moert_last_error(context));
  if (context)
    moert_finalize(context, MOERT_DEADLINE_DEFAULT);
  return -1;
}

/// Runs one rank and counts the elements that are not what they should be; -1
/// when the rank failed.
static int runRank(int rank, const char *backend, const char *address) {
  moert_config config;
  moert_config_default(&config);
  config.backend = backend;
  config.address = address;
  config.rank = rank;
  config.world_size = moe_exchange_NUM_RANKS;
  moert_context *context = nullptr;
  if (moert_init(&config, &context) != MOERT_OK)
    return fail(nullptr, rank);

  // Both ranks along "tp" hold the same; mesh axes [ep, tp], tp fastest.
  int ep = rank / 2;
  std::vector<float> tokens(kElements), scale(kElements), result(kElements);
  for (int i = 0; i < kElements; ++i) {
    tokens[i] = float(100 * ep + i);
    scale[i] = float(ep + 1);
  }
  // Programs read and write the memory that streams work on.
  constexpr size_t bytes = kElements * sizeof(float);
  moert_stream *stream = nullptr;
  moert_status status = moert_stream_create(context, "main", 0, &stream);
  moert_buffer *buffers[3] = {};
  for (moert_buffer *&buffer : buffers)
    if (status == MOERT_OK)
      status =
          moert_buffer_create(context, bytes, MOERT_MEMORY_DEVICE, &buffer);
  if (status != MOERT_OK)
    return fail(context, rank);
  void *inputs[moe_exchange_NUM_INPUTS] = {moert_buffer_data(buffers[0]),
                                           moert_buffer_data(buffers[1])};
  void *results[moe_exchange_NUM_RESULTS] = {moert_buffer_data(buffers[2])};
  status = moert_copy(stream, inputs[0], tokens.data(), bytes);
  if (status == MOERT_OK)
    status = moert_copy(stream, inputs[1], scale.data(), bytes);
  if (status == MOERT_OK)
    status = moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT);
  if (status != MOERT_OK)
    return fail(context, rank);

  int failed = 0;
  // A program may run as often as one likes.
  for (int step = 0; step < 3 && failed == 0; ++step) {
    if (moe_exchange(context, inputs, results) != MOERT_OK)
      return fail(context, rank);
    status = moert_copy(stream, result.data(), results[0], bytes);
    if (status == MOERT_OK)
      status = moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT);
    if (status != MOERT_OK)
      return fail(context, rank);
    // Block b was scaled by the rank that owns it.
    for (int i = 0; i < kElements; ++i)
      failed += result[i] != tokens[i] * float(i / kBlock + 1);
  }
  if (moert_finalize(context, MOERT_DEADLINE_DEFAULT) != MOERT_OK)
    failed = -1;
  return failed;
}

int main(int argc, char **argv) {
  // On GPUs: nccl, and the address of this machine where the ranks meet.
  const char *backend = argc > 1 ? argv[1] : "host";
  const char *address = argc > 2 ? argv[2] : "local";
  std::vector<int> wrong(moe_exchange_NUM_RANKS);
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < moe_exchange_NUM_RANKS; ++rank)
    ranks.emplace_back([&wrong, rank, backend, address] {
      wrong[rank] = runRank(rank, backend, address);
    });
  for (std::thread &thread : ranks)
    thread.join();
  int exitCode = 0;
  for (int rank = 0; rank < moe_exchange_NUM_RANKS; ++rank) {
    if (wrong[rank] != 0)
      exitCode = 1;
    std::printf("rank %d: %s\n", rank,
                wrong[rank] == 0 ? "as expected" : "wrong");
  }
  return exitCode;
}
