// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a gate scores.

#ifndef MOERT_KERNELS_GATELOGITS_H
#define MOERT_KERNELS_GATELOGITS_H

#include "core/Status.h"
#include "kernels/BiasedRows.h"
#include "kernels/Gemm.h"

namespace moert {

/// Checks what goes with noise, a projection and jitter.
Status verifyGateLogits(const moert_gate_args &args);

/// The logits of a gate, a block of tokens at a time, so that matrices are
/// converted once for all of them.
class GateLogits {
public:
  static constexpr int64_t kTokens = 64;

  explicit GateLogits(const moert_gate_args &args);
  /// Writes `[count, experts]`, for `count` tokens up to `kTokens`.
  void compute(int64_t begin, int64_t count, double *logits);

  /// Of the tokens computed last, for the gradient: `[count, hidden]`, jittered
  /// where the gate does so, and the factors of that. A biased router
  /// multiplies one number more, `getWidth()` in all.
  const double *getRows() const { return rows.data(); }
  int64_t getWidth() const { return rows.width(); }
  const double *getFactors() const { return factors.data(); }
  /// `[count, experts]`: normal numbers, and what scales them.
  const double *getNormals() const { return normals.data(); }
  const double *getScales() const { return scales.data(); }
  /// `[count, projected]`, `[count]` and `[count, experts]`.
  const double *getProjected() const { return projected.data(); }
  const double *getProjectedLengths() const { return ownLengths.data(); }
  const double *getCosines() const { return cosines.data(); }
  /// `[experts]`: of the router's columns.
  const double *getLengths() const { return lengths.data(); }

private:
  void computeCosines(int64_t count, double *logits);

  const moert_gate_args &args;
  uint64_t seed = 0;
  BiasedRows rows;
  std::vector<double> factors, normals, scales, projected, ownLengths, cosines,
      lengths;
  RowTimesMatrix product;
};

} // namespace moert

#endif // MOERT_KERNELS_GATELOGITS_H
