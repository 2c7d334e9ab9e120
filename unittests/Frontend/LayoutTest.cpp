// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes per rank.

#include "moe/Frontend/ImportOptions.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace moe;

namespace {

int64_t capacity(StringRef factor, int64_t topK, int64_t tokens,
                 int64_t experts) {
  Expected<CapacityFactor> parsed =
      CapacityFactor::parse(factor, "capacity-factor");
  if (!parsed) {
    ADD_FAILURE() << toString(parsed.takeError());
    return -1;
  }
  Expected<int64_t> result = parsed->getCapacity(topK, tokens, experts);
  if (!result) {
    ADD_FAILURE() << toString(result.takeError());
    return -1;
  }
  return *result;
}

/// Checks that the capacity is the least C with C * E * 100 >= k * S * (100 f),
/// by counting.
TEST(CapacityTest, IsTheLeastThatHoldsItsShare) {
  for (int64_t percent : {5, 50, 99, 100, 110, 125, 240})
    for (int64_t topK : {1, 2, 3})
      for (int64_t tokens : {1, 7, 50, 100})
        for (int64_t experts : {3, 5, 8}) {
          int64_t expected = 0;
          while (expected * experts * 100 < topK * tokens * percent)
            ++expected;
          std::string factor = std::to_string(percent / 100) + "." +
                               (percent % 100 < 10 ? "0" : "") +
                               std::to_string(percent % 100);
          EXPECT_EQ(capacity(factor, topK, tokens, experts), expected)
              << factor << " " << topK << " " << tokens << " " << experts;
        }
}

TEST(CapacityTest, Spellings) {
  EXPECT_EQ(capacity("2", 1, 4, 4), 2);
  EXPECT_EQ(capacity("2.", 1, 4, 4), 2);
  EXPECT_EQ(capacity(".5", 1, 4, 4), 1);
  EXPECT_EQ(capacity("0002.000", 1, 4, 4), 2);
  EXPECT_EQ(capacity("0.000000001", 1, 4, 4), 1);
}

TEST(CapacityTest, RowsAreRoundedUpAndBounded) {
  Expected<CapacityFactor> factor = CapacityFactor::parse("1.1", "x");
  ASSERT_TRUE(bool(factor));
  EXPECT_EQ(factor->getRows(10, 100), 11);
  EXPECT_EQ(factor->getRows(11, 100), 13);
  EXPECT_EQ(factor->getRows(11, 12), 12);
  EXPECT_EQ(factor->getRows(0, 12), 0);
  EXPECT_EQ(factor->getRows(int64_t(1) << 62, INT64_MAX),
            int64_t(5072854620270126695));
}

TEST(CapacityTest, MultiplesAddLittleAndOnlyWhereChunksAreEqual) {
  for (int64_t capacity = 1; capacity <= 2000; ++capacity) {
    EXPECT_EQ(getCapacityMultiple(capacity, /*wantsEqualChunks=*/false), 1);
    int64_t multiple = getCapacityMultiple(capacity, true);
    int64_t rounded = (capacity + multiple - 1) / multiple * multiple;
    EXPECT_LE((rounded - capacity) * 16, capacity);
    // Enough slots always get degrees up to 8.
    if (capacity >= 16 * 7)
      EXPECT_EQ(multiple, 8);
    if (capacity % 8 == 0)
      EXPECT_EQ(rounded, capacity);
  }
  EXPECT_EQ(getCapacityMultiple(103, true), 8);
  EXPECT_EQ(getCapacityMultiple(77, true), 8);
  EXPECT_EQ(getCapacityMultiple(52, true), 4);
  EXPECT_EQ(getCapacityMultiple(5, true), 1);
}

ModelConfig smallModel() {
  ModelConfig config;
  config.modelType = "mixtral";
  config.hiddenSize = 16;
  config.expertFFNSize = 24;
  config.numExperts = 8;
  config.topK = 2;
  config.moeLayers = {0, 1, 2};
  return config;
}

TEST(LayoutTest, TheTensorParallelGroupKeepsItsSize) {
  ModelConfig config = smallModel();
  for (int64_t esp : {1, 2, 4, 8}) {
    ImportOptions options;
    options.dp = 3;
    options.ep = 2;
    options.tp = 8;
    options.esp = esp;
    options.seqLen = 8;
    Expected<Layout> layout = computeLayout(config, options);
    ASSERT_TRUE(!!layout);
    int64_t ranks = 1, tpRanks = 1, espRanks = 1;
    for (auto [axis, size] : zip_equal(layout->axes, layout->shape)) {
      ranks *= size;
      if (is_contained(layout->tpAxes, axis))
        tpRanks *= size;
      if (is_contained(layout->espAxes, axis))
        espRanks *= size;
    }
    EXPECT_EQ(ranks, 3 * 2 * 8);
    EXPECT_EQ(tpRanks, 8);
    EXPECT_EQ(espRanks, esp);
    EXPECT_EQ(layout->localFFNSize * esp, 24);
  }
}

TEST(LayoutTest, SequenceParallelismSplitsTokensNotBatches) {
  ModelConfig config = smallModel();
  ImportOptions options;
  options.tp = 4;
  options.microBatch = 3;
  options.seqLen = 8;
  options.sequenceParallel = true;
  Expected<Layout> layout = computeLayout(config, options);
  ASSERT_TRUE(!!layout);
  EXPECT_EQ(layout->tokens, 6);
  EXPECT_EQ(layout->capacity, 2);
}

} // namespace
