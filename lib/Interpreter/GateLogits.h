// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of gates on numbers.

#ifndef MOE_LIB_INTERPRETER_GATELOGITS_H
#define MOE_LIB_INTERPRETER_GATELOGITS_H

#include "Gates.h"
#include "moe/Interpreter/Rounding.h"

namespace moe {

Rounder getRounder(mlir::Value value);

/// Sets all values to NaN if one is NaN or plus infinity, or if all are minus
/// infinity.
void softmax(llvm::MutableArrayRef<double> values);

/// Returns true for gates that score an expert by its own logit only.
bool scoresAlone(GateKind kind);
/// Returns the score of such a gate for a logit.
double scoreAlone(GateKind kind, double logit);
/// Returns the derivative of this score as a function of the score; 0 for a
/// score of 0, and NaN for NaN.
double differentiateAlone(GateKind kind, double score);

/// Returns the product of tokens [S, M] and a router [M, columns...].
std::vector<double> multiplyRows(const LocalTensor &tokens,
                                 const LocalTensor &router);

/// Computes the logits of one token at a time, and keeps the intermediate
/// values that the gradient needs.
class GateLogits {
public:
  GateLogits(const GateOperands &operands, std::optional<llvm::APFloat> jitter,
             std::optional<llvm::APFloat> temperature);

  void compute(int64_t token, llvm::MutableArrayRef<double> logits);

  /// The row of the last token, jittered if the gate does that, and the jitter
  /// factors (empty without jitter).
  llvm::ArrayRef<double> getRow() const { return row; }
  llvm::ArrayRef<double> getFactors() const { return factors; }
  /// Normal numbers, and their scales: the products `tokens x noise`.
  llvm::ArrayRef<double> getNormals() const { return normals; }
  llvm::ArrayRef<double> getScales() const { return scales; }
  /// The projected token and its length, and the cosines.
  llvm::ArrayRef<double> getProjected() const { return projected; }
  double getProjectedLength() const { return projectedLength; }
  llvm::ArrayRef<double> getCosines() const { return cosines; }
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
