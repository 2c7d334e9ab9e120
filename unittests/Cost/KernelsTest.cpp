// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of kernels and of dispatchers.

#include "moe/Cost/Kernels.h"
#include "moe/Cost/Dispatchers.h"
#include "moe/Cost/ExpectedNodes.h"
#include "gtest/gtest.h"

using namespace moe::cost;

namespace {

/// Returns rates of 10 SMs that compute 100 TFLOP/s together in tiles of 10 x
/// 20.
ProductRates makeRates(double partialWave) {
  ProductRates rates;
  rates.tflops = 100;
  rates.tileRows = 10;
  rates.tileColumns = 20;
  rates.fill = 5;
  rates.partialWave = partialWave;
  rates.start = Microseconds(3);
  return rates;
}

TEST(KernelsTest, ProductsTakeWavesOfTiles) {
  // A wave of 10 tiles at k = 95: 2 * 10 * 200 * 100 FLOP at 100 TFLOP/s.
  double waveUs = 2.0 * 10 * 200 * 100 / 100e6;
  auto us = [&](double partial, double count, double m, double n) {
    return makeRates(partial).getTime(count, m, n, 95, 10).value();
  };
  EXPECT_DOUBLE_EQ(us(1, 1, 50, 40), 3 + waveUs);
  // One tile takes as long as a wave of them.
  EXPECT_DOUBLE_EQ(us(0, 1, 1, 1), 3 + waveUs);
  // 15 tiles take two waves, or one and a half.
  EXPECT_DOUBLE_EQ(us(1, 1, 50, 60), 3 + 2 * waveUs);
  EXPECT_DOUBLE_EQ(us(0, 1, 50, 60), 3 + 1.5 * waveUs);
  EXPECT_DOUBLE_EQ(us(0.5, 1, 50, 60), 3 + 1.75 * waveUs);
  // Each expert's rows fill tiles of their own: 11 rows take two tiles.
  EXPECT_DOUBLE_EQ(us(0, 8, 11, 20), 3 + 1.6 * waveUs);
}

TEST(KernelsTest, OneExpertHasAProductOfItsOwn) {
  Kernels kernels;
  kernels.sms = 10;
  kernels.products = makeRates(0);
  kernels.groupedProducts = makeRates(0);
  kernels.groupedProducts.start = Microseconds(40);
  EXPECT_EQ(kernels.getGroupedTime(1, 100, 100, 100),
            kernels.getProductTime(100, 100, 100));
  EXPECT_GT(kernels.getGroupedTime(2, 50, 100, 100),
            kernels.getProductTime(100, 100, 100));
}

TEST(KernelsTest, PrecisionsHaveProductsOfTheirOwn) {
  Kernels kernels;
  kernels.quantized.resize(2);
  kernels.quantized[0].precision = Precision::FP8Tensorwise;
  kernels.quantized[1].precision = Precision::MXFP8;
  EXPECT_EQ(kernels.findQuantized(Precision::MXFP8), &kernels.quantized[1]);
  EXPECT_EQ(kernels.findQuantized(Precision::FP8Delayed),
            &kernels.quantized[0]);
  EXPECT_EQ(kernels.findQuantized(Precision::FP8Blockwise), nullptr);
  EXPECT_EQ(kernels.findQuantized(Precision::SixteenBit), nullptr);
}

TEST(KernelsTest, QuantizingReadsAndWritesValues) {
  // Quantizing reads 16 bits and writes 8 bits into each copy; current scaling
  // reads twice.
  EXPECT_DOUBLE_EQ(getQuantizeBytes(Precision::FP8Delayed, 1), 3);
  EXPECT_DOUBLE_EQ(getQuantizeBytes(Precision::FP8Delayed, 2), 4);
  EXPECT_DOUBLE_EQ(getQuantizeBytes(Precision::FP8Tensorwise, 2), 6);
  EXPECT_EQ(countQuantizeKernels(Precision::FP8Tensorwise), 2);
  // Scales add 8 bits per 32 values, 32 bits per 128, or 8 bits per 16.
  EXPECT_DOUBLE_EQ(getQuantizeBytes(Precision::MXFP8, 2), 4 + 2.0 / 32);
  EXPECT_DOUBLE_EQ(getValueBytes(Precision::FP8Blockwise), 1 + 4.0 / 128);
  EXPECT_DOUBLE_EQ(getValueBytes(Precision::NVFP4), 0.5 + 1.0 / 16);
  EXPECT_DOUBLE_EQ(getQuantizeBytes(Precision::SixteenBit, 2), 0);
}

TEST(KernelsTest, PrecisionsAreReadByName) {
  for (unsigned i = 0; i < kNumPrecisions; ++i)
    EXPECT_EQ(parsePrecision(getName(Precision(i))), Precision(i));
  EXPECT_EQ(parsePrecision("fp9"), std::nullopt);
}

TEST(KernelsTest, OverlapCostsMoreOfProductsOfOneWave) {
  Kernels kernels;
  kernels.sms = 10;
  kernels.products = makeRates(0);
  kernels.overlapCost = 0.2;
  kernels.overlapCostOfOneWave = 0.5;
  EXPECT_EQ(kernels.getOverlapCost(100, 40), 0.2);
  EXPECT_EQ(kernels.getOverlapCost(100, 20), 0.5);
  // Grouped products have another tile size.
  kernels.groupedProducts = makeRates(0);
  kernels.groupedProducts.tileRows = 100;
  EXPECT_EQ(kernels.getOverlapCost(100, 40, 10), 0.2);
  EXPECT_EQ(kernels.getOverlapCost(100, 20, 10), 0.5);
}

TEST(KernelsTest, ProductsThatLeaveSmsTakeMoreWaves) {
  Kernels kernels;
  kernels.sms = 10;
  kernels.products = makeRates(1);
  kernels.products.start = Microseconds(0);
  // 10 tiles take one wave on 10 SMs and two on 8.
  EXPECT_DOUBLE_EQ(kernels.getSlowdown(1, 50, 40, 95, 2), 2);
  // 80 tiles take 8 waves and 10.
  EXPECT_DOUBLE_EQ(kernels.getSlowdown(1, 400, 40, 95, 2), 10.0 / 8);
  // 5 tiles need no more than 5 SMs.
  EXPECT_DOUBLE_EQ(kernels.getSlowdown(1, 25, 40, 95, 2), 1);
}

TEST(KernelsTest, AttentionLiesBetweenMeasuredLengths) {
  Kernels kernels;
  kernels.attention = {
      {64, 1024, 100, 50}, {128, 1024, 200, 100}, {128, 4096, 400, 300}};
  EXPECT_EQ(kernels.getAttention(128, 2048).forwardTflops, 300);
  EXPECT_EQ(kernels.getAttention(128, 2048).backwardTflops, 200);
  EXPECT_EQ(kernels.getAttention(192, 512).forwardTflops, 200);
  EXPECT_EQ(kernels.getAttention(192, 65536).forwardTflops, 400);
  EXPECT_EQ(kernels.getAttention(72, 4096).forwardTflops, 100);
}

Dispatcher makeDispatcher() {
  auto rate = [](double start, double GBpsOf) {
    return DispatchRate{Microseconds(start), GBps(GBpsOf)};
  };
  Dispatcher dispatcher;
  dispatcher.name = "kernel";
  dispatcher.lines = {{1, 20, rate(10, 100), rate(20, 100)},
                      {2, 20, rate(30, 1), rate(30, 50)},
                      {2, 4, rate(30, 0.5), rate(30, 50)}};
  dispatcher.maxRanks = 64;
  return dispatcher;
}

TEST(KernelsTest, LinesOfAMachineStandInForRatesBySize) {
  Machine machine;
  EXPECT_FALSE(makeKernels(machine));
  // 2 us and 1e-6 us per multiply-accumulate are 2 TFLOP/s at most.
  machine.gemm = GemmCost{Microseconds(2), MicrosecondsPerMac(1e-6), "made up"};
  EXPECT_FALSE(makeKernels(machine));
  machine.copy = CopyEngine{GBps(100), Microseconds(5), {}, "made up", ""};
  auto kernels = makeKernels(machine);
  ASSERT_TRUE(kernels);
  EXPECT_DOUBLE_EQ(kernels->getProductTime(10, 20, 30).value(), 2 + 6e-3);
  EXPECT_DOUBLE_EQ(kernels->getGroupedTime(4, 10, 20, 30).value(), 2 + 24e-3);
  AttentionRate rate = kernels->getAttention(128, 4096);
  EXPECT_DOUBLE_EQ(rate.forwardTflops, 2);
  EXPECT_DOUBLE_EQ(rate.backwardTflops, 2);
  // A copy of 100 GB/s reads and writes 200 GB/s.
  EXPECT_DOUBLE_EQ(kernels->getMemoryTime(Bytes(2e5)).value(), 5 + 1);
  EXPECT_DOUBLE_EQ(kernels->getOverlapCost(1, 1), 0);
}

TEST(DispatchersTest, TokensGoOnceToRanksAndNodes) {
  TokenExchange exchange{1000, 100, 64, 4, 1, 1, 8, 8};
  double ranks = getExpectedNodes(64, 4, 8);
  auto time = getDispatcherTime(makeDispatcher(), exchange, 200, 20);
  ASSERT_TRUE(bool(time));
  EXPECT_TRUE(time->isMeasured);
  EXPECT_DOUBLE_EQ(time->dispatch.value(), 10 + 1000 * 100 * ranks / 100e3);
  EXPECT_DOUBLE_EQ(time->combine.value(), 20 + 1000 * 200 * ranks / 100e3);
  // Between nodes, half of both nodes' tokens cross; the slower link counts.
  exchange.ranks = 16;
  double nodes = getExpectedNodes(64, 4, 2);
  time = getDispatcherTime(makeDispatcher(), exchange, 200, 20);
  EXPECT_DOUBLE_EQ(time->dispatch.value(), 30 + 1000 * 100 * nodes / 2 / 1e3);
  ranks = getExpectedNodes(64, 4, 16);
  EXPECT_DOUBLE_EQ(time->combine.value(), 30 + 1000 * 200 * ranks / 100e3);
  // The nearest measured number of SMs is used.
  time = getDispatcherTime(makeDispatcher(), exchange, 200, 8);
  EXPECT_DOUBLE_EQ(time->dispatch.value(), 30 + 1000 * 100 * nodes / 2 / 0.5e3);
}

TEST(DispatchersTest, GroupsLimitNodes) {
  // Two of four groups of 16 experts, placed on two of four nodes.
  TokenExchange exchange{1000, 100, 64, 4, 4, 2, 32, 8};
  EXPECT_DOUBLE_EQ(exchange.getNodesOfToken(), getExpectedNodes(32, 4, 2));
  auto time = getDispatcherTime(makeDispatcher(), exchange, 200, 20);
  ASSERT_TRUE(bool(time));
  EXPECT_FALSE(time->isMeasured);
  exchange.ranks = 128;
  EXPECT_FALSE(bool(getDispatcherTime(makeDispatcher(), exchange, 200, 20)));
}

} // namespace
