//===- Mixes.cpp - Gates that choose or mix tokens --------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include <algorithm>
#include <cmath>

using namespace conformance;

// The formulas of the dialect's reference page.

static void softmax(std::vector<double> &values) {
  double top = *std::max_element(values.begin(), values.end()), sum = 0;
  for (double &value : values)
    sum += value = std::exp(value - top);
  for (double &value : values)
    value /= sum;
}

/// Tokens [S, M] times a router [M, columns].
static std::vector<double> multiply(const Operand &x, const Operand &router,
                                    size_t S, size_t M, size_t columns) {
  std::vector<double> products(S * columns, 0);
  for (size_t i = 0; i < products.size(); ++i)
    for (size_t m = 0; m < M; ++m)
      products[i] += x[i / columns * M + m] * router[m * columns + i % columns];
  return products;
}

/// `[0, count)` by falling score, ties by number.
static std::vector<size_t> rankScores(const std::vector<double> &scores) {
  std::vector<size_t> order(scores.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
  });
  return order;
}

static void testChosen(Rank &rank, Stream &stream, moert_type type,
                       bool isCosine) {
  constexpr size_t S = 70, M = 21, D = 8, E = 6, k = 2;
  size_t routed = isCosine ? D : M;
  Operand x(rank, stream, type, S * M, 101),
      router(rank, stream, MOERT_F32, routed * E, 102),
      projection(rank, stream, type, M * D, 103);
  Bytes ids(S * k * 4);
  Array idArray(rank, stream, ids.size());
  Result weights(rank, stream, MOERT_F32, S * k);
  moert_gate_args args = {};
  args.size = sizeof(args);
  args.kind = isCosine ? MOERT_GATE_SOFTMAX : MOERT_GATE_GSHARD;
  args.tokens = S;
  args.hidden = M;
  args.experts = E;
  args.top_k = k;
  args.num_groups = args.top_groups = 1;
  args.scale = 1;
  args.x = x.data();
  args.router = router.data();
  args.ids = idArray.data();
  args.weights = weights.data();
  args.type = args.projection_type = type;
  args.router_type = args.weights_type = MOERT_F32;
  args.ids_type = MOERT_I32;
  if (isCosine) {
    args.projection = projection.data();
    args.projected = D;
    args.temperature = 0.25;
  }
  REQUIRE(rank, moert_gate(stream, &args));
  std::vector<double> expected(S * k);
  for (size_t s = 0; s < S; ++s) {
    std::vector<double> row(routed), logits(E, 0);
    for (size_t d = 0; d < routed; ++d) {
      row[d] = isCosine ? 0 : x[s * M + d];
      for (size_t m = 0; isCosine && m < M; ++m)
        row[d] += x[s * M + m] * projection[m * D + d];
    }
    double length = 0;
    for (double value : row)
      length += value * value;
    for (size_t e = 0; e < E; ++e) {
      double own = 0;
      for (size_t d = 0; d < routed; ++d) {
        logits[e] += row[d] * router[d * E + e];
        own += router[d * E + e] * router[d * E + e];
      }
      if (isCosine)
        logits[e] = logits[e] / (std::sqrt(length) * std::sqrt(own)) / 0.25;
    }
    if (isCosine)
      softmax(logits);
    std::vector<size_t> best = rankScores(logits);
    std::vector<double> chosen(k);
    for (size_t j = 0; j < k; ++j) {
      chosen[j] = logits[best[j]];
      storeInteger(MOERT_I32, ids, s * k + j, best[j]);
    }
    if (!isCosine)
      softmax(chosen);
    std::copy(chosen.begin(), chosen.end(), expected.begin() + s * k);
  }
  std::string name = isCosine ? "gate by cosines" : "gate gshard";
  rank.check(name + ": ids", MOERT_I32, ids, idArray.read());
  weights.check(name, [&](size_t i) { return expected[i]; });
}

static void testExpertChoice(Rank &rank, Stream &stream, moert_type type,
                             moert_choice_scores kind, size_t C) {
  constexpr size_t S = 17, M = 9, E = 5;
  Operand x(rank, stream, type, S * M, 104),
      router(rank, stream, MOERT_F32, M * E, 105);
  Bytes slots(S * E * 4);
  Array slotArray(rank, stream, slots.size());
  Result weights(rank, stream, MOERT_F32, S * E);
  moert_expert_choice_args args = {};
  args.size = sizeof(args);
  args.scores = kind;
  args.tokens = S;
  args.hidden = M;
  args.experts = E;
  args.capacity = C;
  args.x = x.data();
  args.router = router.data();
  args.slots = slotArray.data();
  args.weights = weights.data();
  args.type = type;
  args.router_type = args.weights_type = MOERT_F32;
  args.slots_type = MOERT_I32;
  REQUIRE(rank, moert_expert_choice(stream, &args));
  std::vector<double> scores = multiply(x, router, S, M, E), expected(S * E, 0);
  for (size_t s = 0; kind == MOERT_CHOICE_EXPERTS && s < S; ++s) {
    std::vector<double> row(scores.begin() + s * E,
                            scores.begin() + (s + 1) * E);
    softmax(row);
    std::copy(row.begin(), row.end(), scores.begin() + s * E);
  }
  for (size_t i = 0; i < S * E; ++i)
    storeInteger(MOERT_I32, slots, i, -1);
  for (size_t e = 0; e < E && C > 0; ++e) {
    std::vector<double> column(S);
    for (size_t s = 0; s < S; ++s)
      column[s] = scores[s * E + e];
    std::vector<size_t> best = rankScores(column);
    best.resize(std::min(C, S));
    std::vector<double> chosen;
    for (size_t token : best)
      chosen.push_back(column[token]);
    if (kind == MOERT_CHOICE_TOKENS)
      softmax(chosen);
    for (size_t c = 0; c < best.size(); ++c) {
      storeInteger(MOERT_I32, slots, best[c] * E + e, e * C + c);
      expected[best[c] * E + e] = chosen[c];
    }
  }
  std::string name = "expert_choice of " + std::to_string(C);
  rank.check(name + ": slots", MOERT_I32, slots, slotArray.read());
  weights.check(name, [&](size_t i) { return expected[i]; });
}

static void testSoft(Rank &rank, Stream &stream, moert_type type) {
  constexpr size_t S = 17, M = 9, N = 12;
  Operand x(rank, stream, type, S * M, 106),
      router(rank, stream, MOERT_F32, M * N, 107),
      w(rank, stream, MOERT_F32, S * N, 108), b(rank, stream, type, N * M, 109);
  Result dispatch(rank, stream, MOERT_F32, S * N),
      combine(rank, stream, type, S * N), buffer(rank, stream, type, N * M),
      y(rank, stream, type, S * M);
  moert_soft_gate_args args = {};
  args.size = sizeof(args);
  args.tokens = S;
  args.hidden = M;
  args.slots = N;
  args.x = x.data();
  args.router = router.data();
  args.dispatch = dispatch.data();
  args.combine = combine.data();
  args.type = args.combine_type = type;
  args.router_type = args.dispatch_type = MOERT_F32;
  REQUIRE(rank, moert_soft_gate(stream, &args));
  std::vector<double> logits = multiply(x, router, S, M, N);
  dispatch.check("soft_gate: dispatch", [&](size_t i) {
    std::vector<double> column(S);
    for (size_t s = 0; s < S; ++s)
      column[s] = logits[s * N + i % N];
    softmax(column);
    return column[i / N];
  });
  combine.check("soft_gate: combine", [&](size_t i) {
    std::vector<double> row(logits.begin() + i / N * N,
                            logits.begin() + (i / N + 1) * N);
    softmax(row);
    return row[i % N];
  });
  moert_soft_mix_args mix = {};
  mix.size = sizeof(mix);
  mix.tokens = S;
  mix.hidden = M;
  mix.slots = N;
  mix.x = x.data();
  mix.weights = w.data();
  mix.result = buffer.data();
  mix.type = type;
  mix.weights_type = MOERT_F32;
  REQUIRE(rank, moert_soft_order(stream, &mix));
  buffer.check("soft_order", [&](size_t i) {
    double sum = 0;
    for (size_t s = 0; s < S; ++s)
      sum += w[s * N + i / M] * x[s * M + i % M];
    return sum;
  });
  mix.x = b.data();
  mix.result = y.data();
  REQUIRE(rank, moert_soft_unorder(stream, &mix));
  y.check("soft_unorder", [&](size_t i) {
    double sum = 0;
    for (size_t n = 0; n < N; ++n)
      sum += w[i / M * N + n] * b[n * M + i % M];
    return sum;
  });
}

void conformance::testMixes(Rank &rank) {
  Stream stream(rank, "mixes");
  if (rank.onDevice())
    return; // testGradients sees what devices say of such kernels.
  for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16}) {
    for (bool isCosine : {false, true})
      testChosen(rank, stream, type, isCosine);
    for (moert_choice_scores kind : {MOERT_CHOICE_EXPERTS, MOERT_CHOICE_TOKENS})
      for (size_t capacity : {0, 3, 20})
        testExpertChoice(rank, stream, type, kind, capacity);
    testSoft(rank, stream, type);
  }
}
