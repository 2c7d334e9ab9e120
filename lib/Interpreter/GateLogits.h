// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gates score, in numbers.

#ifndef MOE_LIB_INTERPRETER_GATELOGITS_H
#define MOE_LIB_INTERPRETER_GATELOGITS_H

#include "Gates.h"
#include "moe/Interpreter/Rounding.h"

namespace moe {

/// The rounding to a value's element type.
Rounder getRounder(mlir::Value value);

/// NaN throughout when a NaN or plus infinity is among the values, or nothing
/// but minus infinity.
void softmax(llvm::MutableArrayRef<double> values);

/// True for gates that score an expert by its logit alone.
bool scoresAlone(GateKind kind);
/// The score of such a gate for a logit.
double scoreAlone(GateKind kind, double logit);
/// The derivative of that score, from the score. A score of 0 has none to speak
/// of; NaN stays.
double differentiateAlone(GateKind kind, double score);

/// The product of tokens [S, M] and a router [M, columns...].
std::vector<double> multiplyRows(const LocalTensor &tokens,
                                 const LocalTensor &router);

/// The logits of one token after the other, and what its gradient needs of how
/// they came about.
class GateLogits {
public:
  GateLogits(const GateOperands &operands, std::optional<llvm::APFloat> jitter,
             std::optional<llvm::APFloat> temperature);

  void compute(int64_t token, llvm::MutableArrayRef<double> logits);

  /// Of the token computed last: its row, jittered where the gate does so, and
  /// the factors of that (empty where not).
  llvm::ArrayRef<double> getRow() const { return row; }
  llvm::ArrayRef<double> getFactors() const { return factors; }
  /// Normal numbers, and the products that scale them: `tokens x noise`.
  llvm::ArrayRef<double> getNormals() const { return normals; }
  llvm::ArrayRef<double> getScales() const { return scales; }
  /// The projected token and its length, and the cosines.
  llvm::ArrayRef<double> getProjected() const { return projected; }
  double getProjectedLength() const { return projectedLength; }
  llvm::ArrayRef<double> getCosines() const { return cosines; }
  /// Lengths of the router's columns.
  llvm::ArrayRef<double> getLengths() const { return lengths; }

private:
  uint64_t getSeed() const { return operands.seed->getScalar(); }
  void computeCosines(llvm::MutableArrayRef<double> logits);

  const GateOperands &operands;
  double jitter, temperature, projectedLength = 0;
  llvm::SmallVector<double> row, factors, normals, scales, projected, cosines,
      lengths;
};

} // namespace moe

#endif // MOE_LIB_INTERPRETER_GATELOGITS_H
