// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two imported models in one program.
//
// Calls both on the ranks of one job. A layer with weights of zero adds
// nothing, so the results equal the input tokens.

#include "mixtral.h"
#include "qwen.h"
#include <cstdio>
#include <thread>
#include <vector>

using Program = int32_t (*)(moert_context *, void **, void **);

/// Returns the number of elements of the first result that differ from the
/// first input; -1 if the program failed.
static int run(moert_context *context, Program program,
               const int64_t *inputBytes, int numInputs,
               const int64_t *resultBytes, int numResults) {
  std::vector<std::vector<float>> inputs, results;
  std::vector<void *> inputPointers, resultPointers;
  for (int i = 0; i < numInputs; ++i) {
    inputs.emplace_back(static_cast<size_t>(inputBytes[i]) / sizeof(float));
    inputPointers.push_back(inputs.back().data());
  }
  for (int i = 0; i < numResults; ++i) {
    results.emplace_back(static_cast<size_t>(resultBytes[i]) / sizeof(float));
    resultPointers.push_back(results.back().data());
  }
  for (size_t i = 0; i < inputs[0].size(); ++i)
    inputs[0][i] = static_cast<float>(i + 1);
  if (program(context, inputPointers.data(), resultPointers.data()) !=
      MOERT_OK) {
    std::fprintf(stderr, "%s\n", moert_last_error(context));
    return -1;
  }
  int wrong = 0;
  for (size_t i = 0; i < inputs[0].size(); ++i)
    wrong += results[0][i] != inputs[0][i];
  return wrong;
}

int main() {
  static_assert(moe_mixtral_NUM_RANKS == moe_qwen_1_NUM_RANKS, "one job");
  std::vector<int> wrong(moe_mixtral_NUM_RANKS);
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < moe_mixtral_NUM_RANKS; ++rank)
    ranks.emplace_back([&, rank] {
      moert_config config;
      moert_config_default(&config);
      config.rank = rank;
      config.world_size = moe_mixtral_NUM_RANKS;
      moert_context *context = nullptr;
      if (moert_init(&config, &context) != MOERT_OK) {
        wrong[rank] = -1;
        return;
      }
      wrong[rank] = run(context, moe_mixtral, moe_mixtral_input_bytes,
                        moe_mixtral_NUM_INPUTS, moe_mixtral_result_bytes,
                        moe_mixtral_NUM_RESULTS);
      if (wrong[rank] == 0)
        wrong[rank] = run(context, moe_qwen_1, moe_qwen_1_input_bytes,
                          moe_qwen_1_NUM_INPUTS, moe_qwen_1_result_bytes,
                          moe_qwen_1_NUM_RESULTS);
      moert_finalize(context, MOERT_DEADLINE_DEFAULT);
    });
  for (std::thread &rank : ranks)
    rank.join();
  for (int count : wrong)
    if (count != 0) {
      std::printf("%d wrong\n", count);
      return 1;
    }
  std::printf("both as expected\n");
}
