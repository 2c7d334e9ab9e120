// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests gates that choose experts.

#include "GateFormulas.h"
#include <algorithm>
#include <cmath>

using namespace conformance;

// Uses the formulas of the dialect's reference page. Operands are coarse, so
// that devices make the same choice. With jitter, logits are not exact, but
// they have no ties either.

namespace {

/// The arguments of a gate, and the special values of its operands.
struct Case {
  const char *name;
  moert_gate_kind kind = MOERT_GATE_SOFTMAX;
  size_t S = 20, M = 33, E = 16, k = 2, top = 1, groups = 1;
  bool normalize = false;
  double scale = 1;
  bool hasBias = false, hasNoise = false;
  size_t projected = 0;
  double jitter = 0;
  /// Special values for every second element of the bias.
  std::vector<double> biases = {};
  /// Special values for rows 0, 1, ... of the tokens, and for column 1 of the
  /// router.
  std::vector<double> ofTokens = {};
  std::vector<double> ofRouter = {};
  /// The router's elements are not coarse.
  bool isFine = false;
  /// The router's last row is added to the logits.
  bool isBiased = false;
};

/// Philox4x64-10 of the counter (a, b, 0, 0) and the key (seed, stream).
std::pair<uint64_t, uint64_t> draw(uint64_t seed, uint64_t stream, uint64_t a,
                                   uint64_t b) {
  uint64_t c[4] = {a, b, 0, 0};
  for (uint64_t round = 0; round < 10; ++round) {
    unsigned __int128 first = c[0], second = c[2];
    first *= 0xD2E7470EE14C6C93;
    second *= 0xCA5A826395121157;
    uint64_t one = seed + round * 0x9E3779B97F4A7C15,
             two = stream + round * 0xBB67AE8584CAA73B;
    uint64_t next[] = {static_cast<uint64_t>(second >> 64) ^ c[1] ^ one,
                       static_cast<uint64_t>(second),
                       static_cast<uint64_t>(first >> 64) ^ c[3] ^ two,
                       static_cast<uint64_t>(first)};
    std::copy(next, next + 4, c);
  }
  return {c[0], c[1]};
}

double uniform(uint64_t word) {
  return std::ldexp(static_cast<double>(word >> 11), -53);
}

double normal(uint64_t seed, uint64_t token, uint64_t expert) {
  auto [first, second] = draw(seed, 0, token, expert);
  double u = std::ldexp(static_cast<double>(first >> 11) + 0.5, -53);
  return std::sqrt(-2.0 * std::log(u)) *
         std::cos(6.283185307179586476925 * uniform(second));
}

double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

/// Returns all experts that a token may choose, best first.
std::vector<size_t> rankExperts(const Case &c,
                                const std::vector<double> &choice) {
  size_t size = c.E / c.groups;
  std::vector<size_t> groups, experts;
  std::vector<double> scores;
  for (size_t g = 0; g < c.groups; ++g) {
    std::vector<size_t> own;
    for (size_t e = g * size; e < (g + 1) * size; ++e)
      own.push_back(e);
    sortByScore(own, choice);
    bool two =
        (c.kind == MOERT_GATE_SIGMOID || c.kind == MOERT_GATE_SQRT_SOFTPLUS) &&
        size > 1;
    scores.push_back(two ? choice[own[0]] + choice[own[1]] : choice[own[0]]);
    groups.push_back(g);
  }
  sortByScore(groups, scores);
  for (size_t i = 0; i < c.top; ++i)
    for (size_t e = groups[i] * size; e < (groups[i] + 1) * size; ++e)
      experts.push_back(e);
  sortByScore(experts, choice);
  return experts;
}

} // namespace

static void testGate(Rank &rank, Stream &stream, const Case &c, moert_type type,
                     moert_type routerType, moert_type idsType,
                     moert_type weightsType) {
  constexpr uint64_t kSeed = 0x123456789abcdef;
  size_t S = c.S, M = c.M, E = c.E, k = c.k, D = c.projected;
  size_t routed = (D ? D : M) + c.isBiased;
  Operand x = makeCoarse(rank, stream, type, S * M, 121, M + 1, 0, c.ofTokens);
  // Logits are small for sums of any length.
  Operand router =
      c.isFine ? makeFine(rank, stream, routerType, routed * E, 122)
               : makeCoarse(rank, stream, routerType, routed * E, 122, 3 * E,
                            1 % E, c.ofRouter, M > 1000 ? 0x1p-8 : 1);
  Operand bias = makeCoarse(rank, stream, MOERT_F32, E, 123, 2, 0, c.biases);
  Operand noise = makeCoarse(rank, stream, type, M * E, 124);
  Operand projection = makeCoarse(rank, stream, type, M * D, 125);
  Array seed(rank, stream, 8);
  Bytes seedBytes(8);
  storeInteger(MOERT_I64, seedBytes, 0, kSeed);
  seed.write(seedBytes);
  Bytes ids(S * k * moert_type_size(idsType));
  Array idArray(rank, stream, ids.size());
  Result weights(rank, stream, weightsType, S * k);

  moert_gate_args args = {};
  args.size = sizeof(args);
  args.kind = c.kind;
  args.tokens = S;
  args.hidden = M;
  args.experts = E;
  args.top_k = k;
  args.top_groups = c.top;
  args.num_groups = c.groups;
  args.normalize = c.normalize;
  args.scale = c.scale;
  args.x = x.data();
  args.router = router.data();
  args.bias = c.hasBias ? bias.data() : nullptr;
  args.ids = idArray.data();
  args.weights = weights.data();
  args.type = args.noise_type = args.projection_type = type;
  args.router_type = routerType;
  args.bias_type = MOERT_F32;
  args.ids_type = idsType;
  args.weights_type = weightsType;
  args.noise = c.hasNoise ? noise.data() : nullptr;
  args.projection = D ? projection.data() : nullptr;
  args.projected = D;
  args.temperature = D ? 0.25 : 0;
  args.jitter = c.jitter;
  args.biased = c.isBiased;
  args.seed = c.hasNoise || c.jitter != 0 ? seed.data() : nullptr;
  REQUIRE(rank, moert_gate(stream, &args));

  std::vector<double> expected(S * k), lengths(E, 0);
  for (size_t i = 0; i < D * E; ++i)
    lengths[i % E] += router[i] * router[i];
  for (size_t s = 0; s < S; ++s) {
    std::vector<double> row(M), scores(E, 0);
    for (size_t m = 0; m < M; ++m) {
      row[m] = x[s * M + m];
      if (c.jitter != 0)
        row[m] *=
            1.0 + c.jitter * (2.0 * uniform(draw(kSeed, 1, s, m).first) - 1.0);
    }
    std::vector<double> scales(E, 0), inner(D, 0);
    for (size_t m = 0; m < M && c.hasNoise; ++m)
      for (size_t e = 0; e < E; ++e)
        scales[e] += row[m] * noise[m * E + e];
    for (size_t i = 0; i < M * D; ++i)
      inner[i % D] += row[i / D] * projection[i];
    double length = 0;
    for (double value : inner)
      length += value * value;
    std::vector<double> factors = D ? inner : row;
    factors.resize(routed, 1);
    for (size_t d = 0; d < routed; ++d)
      for (size_t e = 0; e < E; ++e)
        scores[e] += factors[d] * router[d * E + e];
    for (size_t e = 0; e < E; ++e) {
      if (c.hasNoise)
        scores[e] += normal(kSeed, s, e) * softplus(scales[e]);
      double both = std::sqrt(length) * std::sqrt(lengths[e]);
      if (D)
        scores[e] = (both == 0 ? 0 : scores[e] / both) / 0.25;
      if (c.kind == MOERT_GATE_SIGMOID)
        scores[e] = 1 / (1 + std::exp(-scores[e]));
      if (c.kind == MOERT_GATE_SQRT_SOFTPLUS)
        scores[e] = std::sqrt(softplus(scores[e]));
    }
    if (c.kind == MOERT_GATE_SOFTMAX)
      softmax(scores);
    std::vector<double> choice = scores, chosen;
    for (size_t e = 0; e < E && c.hasBias; ++e)
      choice[e] += bias[e];
    std::vector<size_t> best = rankExperts(c, choice);
    double sum = 0;
    for (size_t j = 0; j < k; ++j) {
      storeInteger(idsType, ids, s * k + j, best[j]);
      chosen.push_back(scores[best[j]]);
      sum += scores[best[j]];
    }
    if (c.kind == MOERT_GATE_GSHARD)
      softmax(chosen);
    for (size_t j = 0; j < k; ++j)
      expected[s * k + j] =
          (c.normalize ? chosen[j] / sum : chosen[j]) * c.scale;
  }
  std::string name = std::string("gate ") + c.name + " of " + nameOf(type) +
                     " by " + nameOf(routerType);
  rank.check(name + ": ids", idsType, ids, idArray.read());
  // Only products with jitter are rounded; in long sums, these errors add up.
  bool isLong = M > 1000 && c.jitter != 0;
  weights.check(
      name, [&](size_t i) { return expected[i]; },
      getSumTolerance(rank, type, routerType) * (isLong ? 10 : 1));
}

static const Case cases[] = {
    {.name = "softmax"},
    {.name = "softmax of one expert", .E = 1, .k = 1, .normalize = true},
    {.name = "softmax of all experts", .E = 33, .k = 33, .normalize = true},
    {.name = "softmax of one token", .S = 1, .E = 67, .k = 5, .scale = 2.5},
    {.name = "softmax of no tokens", .S = 0},
    {.name = "softmax of nothing", .M = 0, .E = 40, .k = 3},
    {.name = "softmax in groups", .k = 6, .top = 2, .groups = 4},
    {.name = "softmax in groups of one",
     .E = 37,
     .k = 4,
     .top = 5,
     .groups = 37,
     .normalize = true},
    {.name = "softmax in groups of three",
     .E = 99,
     .k = 4,
     .top = 7,
     .groups = 33},
    {.name = "softmax in large groups",
     .E = 256,
     .k = 8,
     .top = 2,
     .groups = 4},
    {.name = "softmax of a long sum", .S = 5, .M = 700, .E = 40, .k = 3},
    // Long sums use other kernels than short ones, which may split a router of
    // f32.
    {.name = "softmax of a long sum, a fine router",
     .S = 5,
     .M = 700,
     .E = 40,
     .k = 3,
     .isFine = true},
    {.name = "sigmoid of a long sum, tokens of every kind",
     .kind = MOERT_GATE_SIGMOID,
     .S = 5,
     .M = 700,
     .E = 40,
     .k = 9,
     .hasBias = true,
     .ofTokens = {kNaN, kInf, -kInf}},
    {.name = "sigmoid of a long sum, a router of every kind",
     .kind = MOERT_GATE_SIGMOID,
     .S = 5,
     .M = 700,
     .E = 40,
     .k = 9,
     .ofRouter = {kInf, kInf, -kInf}},
    {.name = "softmax of many experts", .S = 3, .M = 5, .E = 4096, .k = 9},
    // More scores than fit in a block's shared memory.
    {.name = "softmax of very many experts",
     .S = 3,
     .M = 5,
     .E = 7000,
     .k = 5,
     .top = 30,
     .groups = 100},
    {.name = "softmax with biases",
     .E = 64,
     .k = 8,
     .normalize = true,
     .hasBias = true},
    {.name = "softmax with biases in groups",
     .E = 24,
     .k = 3,
     .top = 2,
     .groups = 4,
     .hasBias = true},
    {.name = "sigmoid", .kind = MOERT_GATE_SIGMOID, .scale = 2.5},
    {.name = "sqrtsoftplus", .kind = MOERT_GATE_SQRT_SOFTPLUS, .scale = 1.5},
    {.name = "sqrtsoftplus with biases",
     .kind = MOERT_GATE_SQRT_SOFTPLUS,
     .E = 256,
     .k = 6,
     .normalize = true,
     .scale = 1.5,
     .hasBias = true},
    {.name = "sqrtsoftplus in groups",
     .kind = MOERT_GATE_SQRT_SOFTPLUS,
     .E = 24,
     .k = 3,
     .top = 2,
     .groups = 4},
    {.name = "sigmoid with biases",
     .kind = MOERT_GATE_SIGMOID,
     .E = 256,
     .k = 8,
     .top = 4,
     .groups = 8,
     .normalize = true,
     .scale = 2.5,
     .hasBias = true},
    {.name = "sigmoid in groups of one",
     .kind = MOERT_GATE_SIGMOID,
     .E = 9,
     .k = 3,
     .top = 4,
     .groups = 9,
     .hasBias = true},
    {.name = "sigmoid in groups of two",
     .kind = MOERT_GATE_SIGMOID,
     .E = 70,
     .k = 9,
     .top = 5,
     .groups = 35},
    {.name = "sigmoid of very many experts",
     .kind = MOERT_GATE_SIGMOID,
     .S = 2,
     .M = 5,
     .E = 6200,
     .k = 3,
     .hasBias = true},
    // Minus infinity is a valid bias. Such experts are chosen if no others are
    // left, each once, by number.
    {.name = "sigmoid, infinite biases",
     .kind = MOERT_GATE_SIGMOID,
     .E = 7,
     .k = 6,
     .hasBias = true,
     .biases = {-kInf, -kInf, -kInf, -kInf}},
    {.name = "sigmoid, a group of infinite biases",
     .kind = MOERT_GATE_SIGMOID,
     .E = 12,
     .k = 7,
     .top = 3,
     .groups = 4,
     .normalize = true,
     .hasBias = true,
     .biases = {-kInf, -kInf, -kInf, -kInf, -kInf}},
    {.name = "sigmoid, only infinite biases",
     .kind = MOERT_GATE_SIGMOID,
     .E = 1,
     .k = 1,
     .hasBias = true,
     .biases = {-kInf}},
    {.name = "sigmoid, biases of every kind",
     .kind = MOERT_GATE_SIGMOID,
     .E = 12,
     .k = 8,
     .top = 3,
     .groups = 4,
     .hasBias = true,
     .biases = {kInf, kNaN, -kInf, kInf, kNaN, -kInf}},
    {.name = "sigmoid, tokens of every kind",
     .kind = MOERT_GATE_SIGMOID,
     .k = 16,
     .hasBias = true,
     .ofTokens = {kNaN, kInf, -kInf}},
    {.name = "sigmoid, a router of every kind",
     .kind = MOERT_GATE_SIGMOID,
     .E = 12,
     .k = 5,
     .top = 2,
     .groups = 4,
     .ofRouter = {kInf, kInf, -kInf}},
    {.name = "softmax, tokens of every kind",
     .k = 5,
     .normalize = true,
     .ofTokens = {kNaN, kInf, -kInf}},
    {.name = "softmax, groups, tokens of every kind",
     .k = 5,
     .top = 2,
     .groups = 4,
     .ofTokens = {kNaN, kInf, -kInf}},
    {.name = "softmax, a router of every kind",
     .k = 5,
     .ofRouter = {kNaN, -kInf}},
    {.name = "gshard", .kind = MOERT_GATE_GSHARD, .k = 5},
    {.name = "gshard of all experts",
     .kind = MOERT_GATE_GSHARD,
     .E = 45,
     .k = 45},
    {.name = "gshard with noise",
     .kind = MOERT_GATE_GSHARD,
     .S = 40,
     .E = 70,
     .k = 2,
     .hasNoise = true},
    {.name = "gshard, operands of every kind",
     .kind = MOERT_GATE_GSHARD,
     .k = 3,
     .ofTokens = {kNaN, kInf, -kInf},
     .ofRouter = {kInf}},
    {.name = "by cosines", .projected = 8},
    {.name = "by cosines of many",
     .S = 9,
     .E = 130,
     .k = 7,
     .normalize = true,
     .projected = 70},
    {.name = "by cosines of nothing", .M = 0, .k = 3, .projected = 8},
    {.name = "with jitter", .S = 40, .k = 1, .jitter = 0.1},
    {.name = "with jitter of many",
     .S = 7,
     .M = 70,
     .E = 90,
     .k = 1,
     .jitter = 0.9},
    {.name = "softmax of a biased router",
     .k = 5,
     .normalize = true,
     .isBiased = true},
    {.name = "softmax of a router's bias alone",
     .M = 0,
     .E = 40,
     .k = 3,
     .isBiased = true},
    {.name = "sigmoid of a biased router in groups",
     .kind = MOERT_GATE_SIGMOID,
     .E = 24,
     .k = 3,
     .top = 2,
     .groups = 4,
     .hasBias = true,
     .isBiased = true},
};

void conformance::testGates(Rank &rank) {
  Stream stream(rank, "gates");
  for (const Case &c : cases) {
    for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16})
      testGate(rank, stream, c, type, type, MOERT_I32, MOERT_F32);
    testGate(rank, stream, c, MOERT_BF16, MOERT_F32, MOERT_I64, MOERT_F64);
    testGate(rank, stream, c, MOERT_F32, MOERT_F64, MOERT_I16, MOERT_BF16);
    testGate(rank, stream, c, MOERT_F16, MOERT_BF16,
             c.E <= 128 ? MOERT_I8 : MOERT_I32, MOERT_F16);
  }
  testGateGradients(rank, stream);
  if (rank.number() != 0)
    return;
  // Operands of different types are converted a few rows at a time.
  Case large = {.name = "softmax of large operands"};
  large.S = 40;
  large.M = 300000;
  large.E = 3;
  testGate(rank, stream, large, MOERT_BF16, MOERT_F32, MOERT_I32, MOERT_F32);
  large.name = "with jitter of large operands";
  large.k = 1;
  large.jitter = 0.5;
  testGate(rank, stream, large, MOERT_BF16, MOERT_BF16, MOERT_I32, MOERT_F32);
}
