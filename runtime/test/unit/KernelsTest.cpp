// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests random numbers and wrong arguments.

#include "kernels/Kernels.h"
#include "kernels/CounterNoise.h"
#include "kernels/E4M3.h"
#include <gtest/gtest.h>
#include <string>

using namespace moert;

static void expectError(const Status &status, const std::string &part) {
  EXPECT_EQ(status.getCode(), MOERT_INVALID_ARGUMENT);
  EXPECT_NE(status.getMessage().find(part), std::string::npos)
      << status.getMessage();
}

TEST(KernelsTest, NoiseIsPhilox) {
  // For counter and key 0, the authors give 16554d9eca36314c and
  // db20fe9d672d0fdc as the first numbers.
  double u = (double(0x16554d9eca36314c >> 11) + 0.5) * 0x1p-53;
  double v = double(0xdb20fe9d672d0fdc >> 11) * 0x1p-53;
  EXPECT_EQ(CounterNoise::normal(0, 0, 0),
            std::sqrt(-2.0 * std::log(u)) *
                std::cos(6.283185307179586476925 * v));
  // Mean and variance of uniform and normal numbers.
  double uniform = 0, mean = 0, square = 0;
  constexpr int kCount = 40000;
  for (int i = 0; i < kCount; ++i) {
    double x = CounterNoise::uniform(5, i / 7, i % 7);
    ASSERT_TRUE(x >= 0 && x < 1);
    uniform += x;
    double y = CounterNoise::normal(5, i / 7, i % 7);
    mean += y;
    square += y * y;
  }
  EXPECT_NEAR(uniform / kCount, 0.5, 0.01);
  EXPECT_NEAR(mean / kCount, 0.0, 0.02);
  EXPECT_NEAR(square / kCount, 1.0, 0.03);
}

TEST(KernelsTest, RefusesWrongGates) {
  float data[4] = {};
  int32_t ids[4] = {};
  int64_t seed = 0;
  moert_gate_args good = {};
  good.size = sizeof(good);
  good.type = good.router_type = good.weights_type = MOERT_F32;
  good.noise_type = good.projection_type = MOERT_F32;
  good.ids_type = MOERT_I32;
  good.tokens = good.hidden = good.num_groups = good.top_groups = 1;
  good.experts = good.top_k = 1;
  good.scale = 1;
  good.x = good.router = good.weights = data;
  good.ids = ids;
  EXPECT_TRUE(verifyGate(good).ok());
  moert_gate_args args = good;
  args.noise = data;
  expectError(verifyGate(args), "noise with the gshard gate only");
  args.kind = MOERT_GATE_GSHARD;
  expectError(verifyGate(args), "a seed for noise or jitter");
  args.seed = &seed;
  EXPECT_TRUE(verifyGate(args).ok());
  args.noise_type = MOERT_I32;
  expectError(verifyGate(args), "noise of a float type, got i32");
  args = good;
  args.jitter = 1;
  args.seed = &seed;
  expectError(verifyGate(args), "jitter in [0, 1), got 1");
  args.jitter = 0.5;
  EXPECT_TRUE(verifyGate(args).ok());
  args.kind = MOERT_GATE_SIGMOID;
  expectError(verifyGate(args), "jitter with the softmax gate only");
  args = good;
  args.projection = data;
  args.projected = 1;
  expectError(verifyGate(args), "temperature that is finite and positive");
  args.temperature = 1;
  EXPECT_TRUE(verifyGate(args).ok());
  args.biased = 1;
  expectError(verifyGate(args), "a biased router with plain softmax");
  args = good;
  args.biased = 1;
  EXPECT_TRUE(verifyGate(args).ok());
  // If tokens have no elements, only the bias remains.
  args.hidden = 0;
  args.router = nullptr;
  expectError(verifyGate(args), "the router, got NULL");
}

TEST(KernelsTest, RefusesWrongGradients) {
  float data[4] = {};
  int32_t ids[4] = {};
  moert_experts_grad_args experts = {};
  experts.size = sizeof(experts);
  experts.experts = experts.rows = experts.hidden = experts.ffn = 1;
  experts.x = experts.w1 = experts.w3 = data;
  experts.type = MOERT_F32;
  expectError(verifyExpertsDgrad(experts), "the result's gradient, got NULL");
  experts.dy = data;
  expectError(verifyExpertsDgrad(experts), "the tokens' gradient, got NULL");
  experts.dx = data;
  EXPECT_TRUE(verifyExpertsDgrad(experts).ok());
  expectError(verifyExpertsWgrad(experts), "the gradient of w1, got NULL");
  experts.dw1 = data;
  expectError(verifyExpertsWgrad(experts), "the gradient of w3, got NULL");
  experts.type = MOERT_I8;
  expectError(verifyExpertsDgrad(experts), "of a float type, got i8");
  experts.type = MOERT_F32;
  experts.kind = MOERT_EXPERTS_CLAMPED_SWIGLU;
  expectError(verifyExpertsDgrad(experts), "w2, got NULL");
  experts.kind = static_cast<moert_experts_kind>(4);
  expectError(verifyExpertsDgrad(experts), "a known kind of experts, got 4");
  experts.kind = MOERT_EXPERTS_GPT;
  experts.activation = static_cast<moert_activation>(5);
  expectError(verifyExpertsDgrad(experts), "a known activation, got 5");
  experts.activation = MOERT_QUICK_GELU;
  EXPECT_TRUE(verifyExpertsDgrad(experts).ok());
  // If experts have an FFN size of 0, only the last bias and its gradient
  // remain.
  experts.ffn = 0;
  experts.w1 = experts.w3 = experts.dw1 = nullptr;
  EXPECT_TRUE(verifyExpertsWgrad(experts).ok());
  experts.biased = 1;
  expectError(verifyExpertsDgrad(experts), "w3, got NULL");
  experts.w3 = data;
  expectError(verifyExpertsWgrad(experts), "the gradient of w3, got NULL");

  moert_scatter_args scatter = {};
  scatter.size = sizeof(scatter);
  scatter.tokens = scatter.hidden = scatter.top_k = scatter.rows = 1;
  scatter.x = scatter.buffer = data;
  scatter.slots = ids;
  scatter.type = MOERT_F32;
  scatter.slots_type = MOERT_F32;
  expectError(verifyScatter(scatter), "slots of an integer type, got f32");
  scatter.slots_type = MOERT_I32;
  EXPECT_TRUE(verifyScatter(scatter).ok());
  ids[0] = 1;
  expectError(runScatter(scatter), "slots in [-1, 1), got 1 as copy 0");
  scatter.rows = -1;
  expectError(verifyScatter(scatter), "rows of at least 0, got -1");

  moert_gate_grad_args gate = {};
  gate.size = sizeof(gate);
  gate.tokens = gate.hidden = gate.experts = 1;
  gate.top_k = 2;
  gate.scale = 1;
  gate.ids_type = MOERT_I32;
  gate.type = gate.router_type = gate.dw_type = MOERT_F32;
  expectError(verifyGateGrad(gate), "top_k in [1, 1], got 2");
  gate.kind = static_cast<moert_gate_kind>(4);
  expectError(verifyGateGrad(gate), "expected a known kind of gate, got 4");
  gate.kind = MOERT_GATE_GSHARD;
  gate.top_k = 1;
  gate.noise = data;
  gate.further_type = MOERT_F32;
  expectError(verifyGateGrad(gate), "expected a seed for noise or jitter");

  moert_dense_args dense = {sizeof(dense), 1, 0, data, data, MOERT_F32};
  expectError(verifyDense(dense), "parts of at least 1, got 0");

  moert_expert_choice_args choice = {};
  choice.size = sizeof(choice);
  choice.tokens = choice.hidden = 1;
  choice.experts = 2;
  choice.capacity = 65;
  choice.x = choice.router = choice.weights = data;
  choice.slots = ids;
  choice.type = choice.router_type = choice.weights_type = MOERT_F32;
  choice.slots_type = MOERT_I8;
  expectError(verifyExpertChoice(choice), "130 slots to fit i8");
}

TEST(KernelsTest, RefusesWrongRuns) {
  float data[64] = {};
  int64_t offsets[4] = {0, 3, 5, 6}, sizes[4] = {2, 2, 0, 1};
  moert_experts_args args = {};
  args.size = sizeof(args);
  args.experts = args.runs = 2;
  args.rows = 7;
  args.hidden = args.ffn = 1;
  args.x = args.w1 = args.w3 = args.result = data;
  args.type = MOERT_F32;
  args.run_offsets = offsets;
  expectError(verifyExperts(args), "or neither, got offsets only");
  args.run_sizes = sizes;
  EXPECT_TRUE(verifyExperts(args).ok());
  args.runs = 0;
  expectError(verifyExperts(args), "runs of an expert of at least 1, got 0");
  args.runs = 2;
  sizes[3] = 2;
  expectError(verifyExperts(args), "inside of 7 rows, got 2 rows from row 6 on "
                                   "as run 1 of expert 1");
  sizes[3] = -1;
  expectError(verifyExperts(args), "got -1 rows from row 6");
  sizes[3] = INT64_MAX;
  expectError(verifyExperts(args), "inside of 7 rows");
  sizes[3] = 1;
  offsets[2] = -1;
  expectError(verifyExperts(args), "from row -1 on as run 1 of expert 0");
  offsets[2] = 4;
  sizes[2] = 1;
  expectError(verifyExperts(args), "got row 4 in run 0 of expert 1 and in run "
                                   "1 of expert 0");
}

TEST(KernelsTest, RefusesWrongSorts) {
  float data[4] = {};
  int32_t ids[4] = {};
  moert_expert_counts_args counts = {};
  counts.size = sizeof(counts);
  counts.parts = counts.experts = 1;
  counts.tokens = 64;
  counts.top_k = 2;
  counts.ids = counts.counts = ids;
  counts.ids_type = MOERT_I32;
  counts.counts_type = MOERT_I8;
  expectError(verifyExpertCounts(counts), "counts up to 128 to fit i8");
  counts.counts_type = MOERT_F32;
  expectError(verifyExpertCounts(counts), "counts of an integer type, got f32");

  moert_order_rows_args rows = {};
  rows.size = sizeof(rows);
  rows.tokens = 129;
  rows.top_k = rows.experts = 1;
  rows.ids = rows.slots = ids;
  rows.x = rows.rows = data;
  rows.type = MOERT_F32;
  rows.ids_type = MOERT_I8;
  expectError(verifyPermuteRows(rows), "rows up to 128 to fit i8");
  rows.tokens = 128;
  EXPECT_TRUE(verifyPermuteRows(rows).ok());
  rows.kind = static_cast<moert_order_kind>(2);
  expectError(verifyPermuteRows(rows), "a known kind of order, got 2");

  moert_distinct_nodes_args nodes = {};
  nodes.size = sizeof(nodes);
  nodes.tokens = 2;
  nodes.top_k = 2;
  nodes.experts = 8;
  nodes.nodes = 4;
  nodes.width = 2;
  nodes.ids = nodes.result = ids;
  nodes.ids_type = MOERT_I32;
  EXPECT_TRUE(verifyDistinctNodes(nodes).ok());
  nodes.width = 3;
  expectError(verifyDistinctNodes(nodes), "a width in [1, 2], got 3");
  nodes.width = 1;
  nodes.nodes = 3;
  expectError(verifyDistinctNodes(nodes),
              "experts that divide by the 3 nodes, got 8");

  moert_limit_choices_args limit = {};
  limit.size = sizeof(limit);
  limit.tokens = limit.top_k = 2;
  limit.experts = 8;
  limit.groups = 4;
  limit.ids = limit.limits = limit.result = ids;
  limit.ids_type = limit.limits_type = MOERT_I32;
  EXPECT_TRUE(verifyLimitChoices(limit).ok());
  limit.groups = 3;
  expectError(verifyLimitChoices(limit),
              "experts that divide by the 3 limits, got 8");
  limit.groups = 4;
  limit.limits_type = MOERT_F32;
  expectError(verifyLimitChoices(limit), "limits of an integer type, got f32");
  limit.limits_type = MOERT_I32;
  limit.kind = static_cast<moert_order_kind>(2);
  expectError(verifyLimitChoices(limit), "a known kind of order, got 2");
}

TEST(KernelsTest, RefusesWrongBlocks) {
  float data[4] = {};
  uint8_t values[4] = {};
  moert_quantize_args narrow = {};
  narrow.size = sizeof(narrow);
  narrow.rows = narrow.hidden = narrow.block = 2;
  narrow.x = narrow.scales = data;
  narrow.values = values;
  narrow.type = MOERT_F32;
  EXPECT_TRUE(verifyQuantize(narrow).ok());
  narrow.type = MOERT_F64;
  expectError(verifyQuantize(narrow), "rows of f32, f16 or bf16, got f64");
  narrow.type = MOERT_I32;
  expectError(verifyQuantize(narrow), "rows of a float type, got i32");
  narrow.type = MOERT_BF16;
  narrow.block = 0;
  expectError(verifyQuantize(narrow), "a block of at least 1, got 0");

  moert_dequantize_args wide = {};
  wide.size = sizeof(wide);
  wide.rows = wide.hidden = wide.block = 2;
  wide.values = values;
  wide.scales = wide.result = data;
  wide.type = MOERT_F16;
  EXPECT_TRUE(verifyDequantize(wide).ok());
  wide.result = nullptr;
  expectError(verifyDequantize(wide), "the result");
  wide.rows = 0;
  EXPECT_TRUE(verifyDequantize(wide).ok());
  wide.rows = INT64_MAX;
  expectError(verifyDequantize(wide), "the rows");
}

TEST(KernelsTest, NumbersOfEightBits) {
  // Each number converts to itself, and ties round to even.
  for (int bits = 0; bits < 0x7f; ++bits) {
    float value = fromE4M3(static_cast<uint8_t>(bits));
    EXPECT_EQ(toE4M3(value, 1), bits);
    EXPECT_EQ(toE4M3(-value, 1), bits | 0x80);
    EXPECT_EQ(fromE4M3(static_cast<uint8_t>(bits | 0x80)), -value);
    if (bits == 0x7e)
      break;
    float next = fromE4M3(static_cast<uint8_t>(bits + 1));
    EXPECT_LT(value, next);
    float half = value + (next - value) / 2;
    EXPECT_EQ(toE4M3(half, 1), bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(toE4M3(std::nextafter(half, 0.0f), 1), bits);
    EXPECT_EQ(toE4M3(std::nextafter(half, 500.0f), 1), bits + 1);
  }
  EXPECT_EQ(fromE4M3(0x7e), 448);
  EXPECT_TRUE(std::isnan(fromE4M3(0x7f)));
  EXPECT_EQ(toE4M3(1e30f, 1), 0x7e);
  EXPECT_EQ(toE4M3(-INFINITY, 1), 0xfe);
  EXPECT_EQ(toE4M3(NAN, 1), 0x7f);
  EXPECT_EQ(getE4M3Scale(0), 0x1p-126f);
  EXPECT_EQ(getE4M3Scale(getMagnitude(-896)), 2);
  EXPECT_TRUE(std::isnan(getE4M3Scale(getMagnitude(INFINITY))));
}
