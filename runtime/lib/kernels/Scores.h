// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computation and comparison of scores.

#ifndef MOERT_KERNELS_SCORES_H
#define MOERT_KERNELS_SCORES_H

#include "moert.h"
#include <cmath>
#include <cstdint>

// CPUs and devices share this code, so that both choose the same experts;
// scores are 64-bit floats on both.
#ifdef __CUDACC__
#define MOERT_ANYWHERE __host__ __device__
#else
#define MOERT_ANYWHERE
#endif

namespace moert {

/// Compares scores; NaN loses against every number.
MOERT_ANYWHERE inline bool isBetter(double a, double b) {
  return !std::isnan(a) && (std::isnan(b) || a > b);
}

/// Returns true for a better score, or an equal score with a lower number. This
/// is a total order, including infinity and NaN.
MOERT_ANYWHERE inline bool comesBefore(double a, int64_t numberOfA, double b,
                                       int64_t numberOfB) {
  return isBetter(a, b) || (!isBetter(b, a) && numberOfA < numberOfB);
}

MOERT_ANYWHERE inline double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

MOERT_ANYWHERE inline double softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

/// Returns true for gates that score experts only by their logits.
MOERT_ANYWHERE inline bool scoresAlone(moert_gate_kind kind) {
  return kind == MOERT_GATE_SIGMOID || kind == MOERT_GATE_SQRT_SOFTPLUS;
}

/// Returns the score of such a gate for a logit.
MOERT_ANYWHERE inline double scoreAlone(moert_gate_kind kind, double logit) {
  return kind == MOERT_GATE_SIGMOID ? sigmoid(logit)
                                    : std::sqrt(softplus(logit));
}

/// Returns the derivative of this score, computed from the score. It is 0 for a
/// score of 0; NaN stays NaN.
MOERT_ANYWHERE inline double differentiateAlone(moert_gate_kind kind,
                                                double score) {
  if (kind == MOERT_GATE_SIGMOID)
    return score * (1.0 - score);
  return score == 0 ? 0.0 : -std::expm1(-(score * score)) / (2.0 * score);
}

} // namespace moert

#endif // MOERT_KERNELS_SCORES_H
