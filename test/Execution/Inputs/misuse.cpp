// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls compiled programs incorrectly.
//
// Prints rank 0's error for each call that violates the header. A mistake made
// by all ranks alike leaves the job unchanged.

#include "empty.h"
#include "free.h"
#include "half.h"
#include "single.h"
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex printing;

static void print(moert_context *context, const char *what, int32_t status) {
  if (context && moert_rank(context) != 0)
    return;
  std::lock_guard<std::mutex> lock(printing);
  std::printf("%s: %s: %s\n", what,
              moert_status_name(static_cast<moert_status>(status)),
              status == MOERT_OK ? "" : moert_last_error(context));
}

static void runRanks(int count,
                     const std::function<void(moert_context *)> &body) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([=, &body] {
      moert_config config;
      moert_config_default(&config);
      config.address = "misuse";
      config.rank = rank;
      config.world_size = count;
      moert_context *context = nullptr;
      if (moert_init(&config, &context) != MOERT_OK)
        std::exit(1);
      body(context);
      moert_finalize(context, MOERT_DEADLINE_DEFAULT);
    });
  for (std::thread &thread : threads)
    thread.join();
}

int main() {
  float in[4] = {1, 2, 3, 4}, some[2] = {5, 6}, out[4] = {}, other[2] = {};
  void *inputs[] = {in, some}, *results[] = {out, other};
  void *hole[] = {in, nullptr}, *none[] = {nullptr};
  print(nullptr, "no context", moe_half(nullptr, inputs, results));
  for (int ranks : {1, 3})
    runRanks(ranks, [&](moert_context *context) {
      print(context, "job", moe_single(context, inputs, results));
      float own[2];
      void *ownResults[] = {own};
      print(context, "any job", moe_free(context, inputs, ownResults));
    });
  runRanks(2, [&](moert_context *context) {
    float x[4] = {1, 2, 3, 4}, y[4] = {};
    void *ownInputs[] = {x, x}, *ownResults[] = {y, y};
    print(context, "no inputs", moe_half(context, nullptr, ownResults));
    print(context, "no results", moe_half(context, ownInputs, nullptr));
    print(context, "no input 1", moe_half(context, hole, ownResults));
    print(context, "no result 1", moe_half(context, ownInputs, hole));
    print(context, "empty", moe_empty(context, none, none));
    print(context, "no pointers", moe_empty(context, none, nullptr));
    print(context, "afterwards", moe_single(context, ownInputs, ownResults));
    if (y[3] != (moert_rank(context) == 0 ? 2.0f : 4.0f))
      std::exit(1);
  });
  // Two ranks that disagree on the type and size of the data.
  runRanks(2, [&](moert_context *context) {
    float x[4] = {}, y[4] = {};
    void *ownInputs[] = {x, x}, *ownResults[] = {y, y + 2};
    bool isFirst = moert_rank(context) == 0;
    int32_t status = isFirst ? moe_half(context, ownInputs, ownResults)
                             : moe_single(context, ownInputs, ownResults);
    print(context, "types", status);
  });
}
