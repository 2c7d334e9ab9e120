// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of ops, computed by hand.

#include "AnalysisTest.h"

using namespace moe;
using namespace mlir;

namespace {

struct TimingTest : public test::AnalysisTest {};

constexpr StringLiteral kOps = R"(
  moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
  func.func @f(%x: tensor<4x50x10xf32>, %w: tensor<4x10x30xf32>,
               %v: tensor<4x30x10xf32>, %d: tensor<?xf32>) {
    %0 = moe.transpose %x [0, 2, 1]
       : tensor<4x50x10xf32> -> tensor<4x10x50xf32>
    %1 = moe.experts gpt %x, %w, %v
       : tensor<4x50x10xf32>, tensor<4x10x30xf32>, tensor<4x30x10xf32>
       -> tensor<4x50x10xf32>
    %2 = arith.addf %x, %x : tensor<4x50x10xf32>
    %3 = moe.all_gather %x on <@mesh, ["tp"]> dim 1
       : tensor<4x50x10xf32> -> tensor<4x100x10xf32>
    %4 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
       : tensor<4x50x10xf32> -> tensor<4x50x10xf32>
    %5 = tensor.collapse_shape %x [[0, 1], [2]]
       : tensor<4x50x10xf32> into tensor<200x10xf32>
    %6 = arith.negf %d : tensor<?xf32>
    %7 = "index.sizeof"() : () -> index
    return
  }
)";

TEST_F(TimingTest, ByHand) {
  context.allowUnregisteredDialects();
  parse(kOps);
  // 8000 bytes at 50 GB/s.
  EXPECT_DOUBLE_EQ(getTime("moe.transpose"), 0.16);
  EXPECT_DOUBLE_EQ(getTime("arith.addf"), 0.16);
  // 200 rows, two GEMMs of 300 elements per expert.
  EXPECT_DOUBLE_EQ(getTime("moe.experts"), 2 + 200 * 600 * 1e-6);
  EXPECT_EQ(getTime("tensor.collapse_shape"), 0);
  // Three quarters of 8000 bytes leave the node; no packing is needed.
  EXPECT_DOUBLE_EQ(getTime("moe.all_to_all"), 6000 / 10e3);
  // Half of 16000 bytes inside the node, then the copy that unpacks them.
  EXPECT_DOUBLE_EQ(getTime("moe.all_gather"), 8000 / 100e3 + 16000 / 50e3);
}

TEST_F(TimingTest, Errors) {
  context.allowUnregisteredDialects();
  parse(kOps);
  EXPECT_EQ(getTime("arith.negf"), -1);
  EXPECT_EQ(error, "'arith.negf' op expected a static shape to time, got "
                   "'tensor<?xf32>'");
  EXPECT_EQ(getTime("index.sizeof"), -1);
  EXPECT_EQ(error, "'index.sizeof' op cannot be timed: it has no cost model; "
                   "state its time in microseconds, {moe.time_us = 1.0 : f64}");
  machine.gemm.reset();
  EXPECT_EQ(getTime("moe.experts"), -1);
  EXPECT_EQ(error, "'moe.experts' op cannot be timed: expected platform pairs "
                   "to state GEMM costs (gemm_alpha_us, "
                   "gemm_beta_us_per_mac)");
  machine.copy.reset();
  EXPECT_EQ(getTime("moe.transpose"), -1);
  EXPECT_EQ(error, "'moe.transpose' op cannot be timed: expected platform "
                   "pairs to state a copy bandwidth (copy_bandwidth_GBps)");
  machine.levels.pop_back();
  EXPECT_EQ(getTime("moe.all_to_all"), -1);
  EXPECT_EQ(error,
            "'moe.all_to_all' op cannot be timed on platform pairs: platform "
            "'pairs': expected at most 2 ranks, which the outermost level "
            "spans, got 8");
}

TEST_F(TimingTest, Extrapolated) {
  context.allowUnregisteredDialects();
  parse(kOps);
  auto count = [&](llvm::StringRef name) {
    OpTimer timer(machine);
    EXPECT_TRUE(succeeded(timer.getTime(find(name)))) << name.str();
    return timer.getNumExtrapolated();
  };
  EXPECT_EQ(count("moe.transpose"), 0);
  EXPECT_EQ(count("moe.all_gather"), 0);
  // 8000 bytes, and 16000 gathered and unpacked, are more than the curves have.
  cost::EfficiencyCurve curve({{100, 0.5}, {1000, 1}});
  machine.copy->efficiency = curve;
  EXPECT_EQ(count("moe.transpose"), 1);
  EXPECT_EQ(count("arith.addf"), 1);
  EXPECT_EQ(count("moe.all_gather"), 1);
  EXPECT_EQ(count("tensor.collapse_shape"), 0);
  machine.levels.front().efficiency = curve;
  EXPECT_EQ(count("moe.all_gather"), 2);
}

} // namespace
