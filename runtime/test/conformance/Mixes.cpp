// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests gates with experts that choose or mix tokens.

#include "GateFormulas.h"

using namespace conformance;

// Uses the formulas of the dialect's reference page.

static void testExpertChoice(Rank &rank, Stream &stream, moert_type type,
                             moert_type routerType, moert_choice_scores kind,
                             size_t S, size_t E, size_t C,
                             const std::vector<double> &special = {}) {
  constexpr size_t M = 9;
  moert_type slotsType = S % 2 ? MOERT_I32 : MOERT_I64;
  Operand x = makeCoarse(rank, stream, type, S * M, 104, M + 1, 0, special),
          router = makeCoarse(rank, stream, routerType, M * E, 105);
  Bytes slots(S * E * moert_type_size(slotsType));
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
  args.router_type = routerType;
  args.weights_type = MOERT_F32;
  args.slots_type = slotsType;
  REQUIRE(rank, moert_expert_choice(stream, &args));
  std::vector<double> scores = multiply(x, router, S, M, E), expected(S * E, 0);
  for (size_t s = 0; kind == MOERT_CHOICE_EXPERTS && s < S; ++s) {
    std::vector<double> row(scores.begin() + s * E,
                            scores.begin() + (s + 1) * E);
    softmax(row);
    std::copy(row.begin(), row.end(), scores.begin() + s * E);
  }
  for (size_t i = 0; i < S * E; ++i)
    storeInteger(slotsType, slots, i, -1);
  for (size_t e = 0; e < E && C > 0; ++e) {
    std::vector<double> column(S);
    std::vector<size_t> best(S);
    for (size_t s = 0; s < S; ++s) {
      column[s] = scores[s * E + e];
      best[s] = s;
    }
    sortByScore(best, column);
    best.resize(std::min(C, S));
    std::vector<double> chosen;
    for (size_t token : best)
      chosen.push_back(column[token]);
    if (kind == MOERT_CHOICE_TOKENS)
      softmax(chosen);
    for (size_t c = 0; c < best.size(); ++c) {
      storeInteger(slotsType, slots, best[c] * E + e, e * C + c);
      expected[best[c] * E + e] = chosen[c];
    }
  }
  std::string name = "expert_choice of " + std::to_string(C) + " of " +
                     std::to_string(S) + " of " + nameOf(type);
  rank.check(name + ": slots", slotsType, slots, slotArray.read());
  weights.check(
      name, [&](size_t i) { return expected[i]; },
      getSumTolerance(rank, type, routerType));
}

static void testSoft(Rank &rank, Stream &stream, moert_type type,
                     moert_type routerType, size_t S, size_t M, size_t N,
                     const std::vector<double> &special = {}) {
  Operand x = makeCoarse(rank, stream, type, S * M, 106, M + 1, 0, special),
          router = makeCoarse(rank, stream, routerType, M * N, 107);
  Operand w(rank, stream, routerType, S * N, 108),
      b(rank, stream, type, N * M, 109);
  Result dispatch(rank, stream, MOERT_F32, S * N),
      combine(rank, stream, type, S * N), buffer(rank, stream, type, N * M),
      y(rank, stream, type, S * M);
  double tolerance = getSumTolerance(rank, type, routerType);
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
  args.router_type = routerType;
  args.dispatch_type = MOERT_F32;
  REQUIRE(rank, moert_soft_gate(stream, &args));
  std::vector<double> ofRows = multiply(x, router, S, M, N), ofColumns(S * N);
  for (size_t n = 0; n < N; ++n) {
    std::vector<double> column(S);
    for (size_t s = 0; s < S; ++s)
      column[s] = ofRows[s * N + n];
    softmax(column);
    for (size_t s = 0; s < S; ++s)
      ofColumns[s * N + n] = column[s];
  }
  for (size_t s = 0; s < S; ++s) {
    std::vector<double> row(ofRows.begin() + s * N,
                            ofRows.begin() + (s + 1) * N);
    softmax(row);
    std::copy(row.begin(), row.end(), ofRows.begin() + s * N);
  }
  std::string of = " of " + nameOf(type);
  dispatch.check(
      "soft_gate: dispatch" + of, [&](size_t i) { return ofColumns[i]; },
      tolerance);
  combine.check(
      "soft_gate: combine" + of, [&](size_t i) { return ofRows[i]; },
      tolerance);
  moert_soft_mix_args mix = {};
  mix.size = sizeof(mix);
  mix.tokens = S;
  mix.hidden = M;
  mix.slots = N;
  mix.x = x.data();
  mix.weights = w.data();
  mix.result = buffer.data();
  mix.type = type;
  mix.weights_type = routerType;
  REQUIRE(rank, moert_soft_order(stream, &mix));
  buffer.check(
      "soft_order",
      [&](size_t i) {
        double sum = 0;
        for (size_t s = 0; s < S; ++s)
          sum += w[s * N + i / M] * x[s * M + i % M];
        return sum;
      },
      tolerance);
  mix.x = b.data();
  mix.result = y.data();
  REQUIRE(rank, moert_soft_unorder(stream, &mix));
  y.check(
      "soft_unorder",
      [&](size_t i) {
        double sum = 0;
        for (size_t n = 0; n < N; ++n)
          sum += w[i / M * N + n] * b[n * M + i % M];
        return sum;
      },
      tolerance);
}

void conformance::testMixes(Rank &rank) {
  Stream stream(rank, "mixes");
  const std::vector<double> special = {kNaN, kInf, -kInf, 1, kNaN};
  for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16}) {
    for (moert_choice_scores kind :
         {MOERT_CHOICE_EXPERTS, MOERT_CHOICE_TOKENS}) {
      for (size_t C : {0, 3, 20})
        testExpertChoice(rank, stream, type, MOERT_F32, kind, 17, 5, C);
      testExpertChoice(rank, stream, type, type, kind, 1, 1, 1);
      testExpertChoice(rank, stream, type, type, kind, 0, 3, 2);
      testExpertChoice(rank, stream, type, type, kind, 33, 40, 7, special);
      testExpertChoice(rank, stream, type, type, kind, 6, 3, 6, special);
    }
    testSoft(rank, stream, type, MOERT_F32, 17, 9, 12);
    testSoft(rank, stream, type, type, 70, 33, 65);
    testSoft(rank, stream, type, type, 1, 1, 1);
    testSoft(rank, stream, type, type, 0, 3, 2);
    testSoft(rank, stream, type, type, 3, 0, 2);
    testSoft(rank, stream, type, type, 3, 2, 0);
    testSoft(rank, stream, type, MOERT_F32, 9, 5, 40, special);
  }
  // More tokens than a block has threads, and columns in several slabs.
  testExpertChoice(rank, stream, MOERT_BF16, MOERT_F32, MOERT_CHOICE_TOKENS,
                   1100, 3, 700);
  testExpertChoice(rank, stream, MOERT_F32, MOERT_F64, MOERT_CHOICE_EXPERTS,
                   1025, 2, 9);
  testSoft(rank, stream, MOERT_BF16, MOERT_BF16, 1100, 4, 33);
  testSoft(rank, stream, MOERT_F32, MOERT_F64, 700, 3, 5, special);
  if (rank.number() != 0)
    return;
  // Operands of different types are converted a few rows at a time.
  testSoft(rank, stream, MOERT_BF16, MOERT_F32, 40, 300000, 3);
}
