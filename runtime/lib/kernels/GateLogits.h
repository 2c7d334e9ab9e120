// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logits of gates.

#ifndef MOERT_KERNELS_GATELOGITS_H
#define MOERT_KERNELS_GATELOGITS_H

#include "core/Status.h"
#include "kernels/BiasedRows.h"
#include "kernels/Gemm.h"

namespace moert {

/// Checks the arguments of noise, projection and jitter.
Status verifyGateLogits(const moert_gate_args &args);

/// Computes the logits of a gate, one block of tokens at a time, so that
/// matrices are converted once per block.
class GateLogits {
public:
  static constexpr int64_t kTokens = 64;

  explicit GateLogits(const moert_gate_args &args);
  /// Writes `[count, experts]` logits for `count` tokens, at most `kTokens`.
  void compute(int64_t begin, int64_t count, double *logits);

  /// Values of the most recent tokens for the gradient: the rows `[count,
  /// hidden]`, with jitter if the gate has it, and the jitter factors. With a
  /// biased router, rows have one more number, `getWidth()` in total.
  const double *getRows() const { return rows.data(); }
  int64_t getWidth() const { return rows.width(); }
  const double *getFactors() const { return factors.data(); }
  /// `[count, experts]`: normal numbers and their scales.
  const double *getNormals() const { return normals.data(); }
  const double *getScales() const { return scales.data(); }
  /// `[count, projected]`, `[count]` and `[count, experts]`.
  const double *getProjected() const { return projected.data(); }
  const double *getProjectedLengths() const { return ownLengths.data(); }
  const double *getCosines() const { return cosines.data(); }
  /// `[experts]`: lengths of the router's columns.
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
