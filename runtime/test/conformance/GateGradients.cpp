// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the gradient of the gates.

#include "GateFormulas.h"

using namespace conformance;

// Uses the formulas of the dialect's reference page, one element of a result at
// a time.

static void testGate(Rank &rank, Stream &stream, moert_type type,
                     moert_type routerType, moert_gate_kind kind,
                     bool normalize, double factor, size_t S, size_t M,
                     size_t E, size_t k, bool biased = false) {
  // Rows of the router; the last one may be a bias.
  size_t I = M + biased;
  // Logits are small, so that scores are not all 0 or 1.
  double scale = M > 1000 ? 0x1p-8 : 0.25;
  Operand x = makeCoarse(rank, stream, type, S * M, 91),
          router =
              makeCoarse(rank, stream, routerType, I * E, 92, 1, 0, {}, scale);
  Operand dw(rank, stream, MOERT_F32, S * k, 93);
  Bytes ids(S * k * moert_type_size(MOERT_I32));
  std::vector<size_t> chosen(S * k);
  for (size_t s = 0; s < S; ++s)
    for (size_t j = 0; j < k; ++j) {
      chosen[s * k + j] = (s * 5 + j) % E;
      storeInteger(MOERT_I32, ids, s * k + j, chosen[s * k + j]);
    }
  Array idArray(rank, stream, ids.size());
  idArray.write(ids);
  Result dx(rank, stream, type, S * M),
      drouter(rank, stream, routerType, I * E);
  moert_gate_grad_args args = {};
  args.size = sizeof(args);
  args.kind = kind;
  args.tokens = S;
  args.hidden = M;
  args.experts = E;
  args.top_k = k;
  args.normalize = normalize;
  args.scale = factor;
  args.x = x.data();
  args.router = router.data();
  args.ids = idArray.data();
  args.dw = dw.data();
  args.dx = dx.data();
  args.drouter = drouter.data();
  args.type = type;
  args.router_type = routerType;
  args.ids_type = MOERT_I32;
  args.dw_type = MOERT_F32;
  args.biased = biased;
  REQUIRE(rank, moert_gate_grad(stream, &args));

  std::vector<double> dlogits(S * E, 0);
  for (size_t s = 0; s < S; ++s) {
    std::vector<double> p(E, 0), dp(E, 0);
    for (size_t e = 0; e < E; ++e)
      for (size_t m = 0; m < I; ++m)
        p[e] += (m < M ? x[s * M + m] : 1) * router[m * E + e];
    double top = p[0], sum = 0;
    for (double logit : p)
      top = std::fmax(top, logit);
    // The derivatives of scores that depend on a single logit.
    std::vector<double> slope(E, 0);
    for (size_t e = 0; e < E; ++e) {
      double s = 1 / (1 + std::exp(-p[e]));
      double root = std::sqrt(p[e] > 0 ? p[e] + std::log1p(std::exp(-p[e]))
                                       : std::log1p(std::exp(p[e])));
      slope[e] = kind == MOERT_GATE_SIGMOID
                     ? s * (1 - s)
                     : -std::expm1(-(root * root)) / (2 * root);
      p[e] = kind == MOERT_GATE_SIGMOID         ? s
             : kind == MOERT_GATE_SQRT_SOFTPLUS ? root
                                                : std::exp(p[e] - top);
      sum += p[e];
    }
    bool isSoftmax = kind == MOERT_GATE_SOFTMAX;
    for (double &score : p)
      score = isSoftmax ? score / sum : score;
    double t = 0, mean = 0, dot = 0;
    for (size_t j = 0; j < k; ++j)
      t += p[chosen[s * k + j]];
    for (size_t j = 0; j < k; ++j)
      mean += dw[s * k + j] * p[chosen[s * k + j]] / t;
    for (size_t j = 0; j < k; ++j)
      dp[chosen[s * k + j]] = normalize ? factor * (dw[s * k + j] - mean) / t
                                        : factor * dw[s * k + j];
    for (size_t e = 0; e < E; ++e)
      dot += dp[e] * p[e];
    for (size_t e = 0; e < E; ++e)
      dlogits[s * E + e] = isSoftmax ? p[e] * (dp[e] - dot) : dp[e] * slope[e];
  }
  std::string name = kind == MOERT_GATE_SIGMOID   ? "gate_grad sigmoid"
                     : kind == MOERT_GATE_SOFTMAX ? "gate_grad softmax"
                                                  : "gate_grad sqrtsoftplus";
  name += biased ? " biased" : "";
  double tolerance = getSumTolerance(rank, type, routerType);
  dx.check(
      name + ": tokens",
      [&](size_t i) {
        double sum = 0;
        for (size_t e = 0; e < E; ++e)
          sum += dlogits[i / M * E + e] * router[i % M * E + e];
        return sum;
      },
      tolerance);
  drouter.check(
      name + ": router",
      [&](size_t i) {
        double sum = 0;
        for (size_t s = 0; s < S; ++s)
          sum += (i / E < M ? x[s * M + i / E] : 1) * dlogits[s * E + i % E];
        return sum;
      },
      tolerance);
}

void conformance::testGateGradients(Rank &rank, Stream &stream) {
  for (moert_gate_kind kind :
       {MOERT_GATE_SOFTMAX, MOERT_GATE_SIGMOID, MOERT_GATE_SQRT_SOFTPLUS}) {
    for (moert_type type : {MOERT_F64, MOERT_F32, MOERT_F16, MOERT_BF16}) {
      testGate(rank, stream, type, MOERT_F32, kind, true, 1, 70, 21, 6, 2);
      testGate(rank, stream, type, type, kind, false, 2.5, 70, 21, 6, 2);
      testGate(rank, stream, type, type, kind, true, 2.5, 5, 40, 67, 67);
      testGate(rank, stream, type, type, kind, false, 1, 1, 3, 4, 1);
      testGate(rank, stream, type, type, kind, true, 1, 0, 3, 2, 1);
      testGate(rank, stream, type, type, kind, false, 1, 3, 0, 2, 1);
      for (size_t hidden : {21, 0})
        for (size_t tokens : {70, 0})
          testGate(rank, stream, type, MOERT_F32, kind, true, 1, tokens, hidden,
                   6, 2, /*biased=*/true);
    }
    testGate(rank, stream, MOERT_F32, MOERT_F64, kind, true, 1, 9, 4, 256, 8);
    testGate(rank, stream, MOERT_BF16, MOERT_BF16, kind, true, 1, 600, 5, 3, 2);
    // Operands of different types are converted a few rows at a time.
    if (rank.number() == 0)
      testGate(rank, stream, MOERT_BF16, MOERT_F32, kind, true, 1, 40, 300000,
               3, 2);
  }
}
