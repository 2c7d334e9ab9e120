// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates in the two domains.

#ifndef MOE_LIB_INTERPRETER_GATES_H
#define MOE_LIB_INTERPRETER_GATES_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/LocalTensor.h"
#include "moe/Interpreter/TermTable.h"

namespace moe {

/// The operands of a gate, or of its gradient, by what they are; null when not
/// there.
struct GateOperands {
  GateOperands(GateOp op, llvm::ArrayRef<LocalTensor> operands);
  GateOperands(GateGradOp op, llvm::ArrayRef<LocalTensor> operands);

  const LocalTensor *tokens, *router, *bias, *noise, *projection, *seed;
  /// The router has a row more than tokens have columns.
  bool biased;
};

/// Gates other than `moe.gate`, and the mixes that go with a soft gate.
bool isMix(mlir::Operation *op);

/// `Domain::gate` on numbers.
void computeGate(GateOp op, const GateOperands &operands, LocalTensor &ids,
                 LocalTensor &weights);

/// `Domain::mix` on numbers.
void computeMix(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
                llvm::MutableArrayRef<LocalTensor> results);

/// Many cells as one term.
inline Term pack(TermTable &table, llvm::ArrayRef<Cell> cells) {
  llvm::SmallVector<Term> children(cells.begin(), cells.end());
  return table.getApply(table.getSymbol(""), children);
}

/// `Domain::gate` on terms: a token's weights are a function of all its gate
/// reads, and its experts are drawn from the hash of that.
void buildGate(TermTable &table, uint64_t seed, unsigned sample, GateOp op,
               const GateOperands &operands, LocalTensor &ids,
               LocalTensor &weights);

/// `Domain::mix` on terms: weights are a function of all tokens, the tokens an
/// expert chooses are drawn from its hash, and mixes are sums of products.
void buildMix(TermTable &table, uint64_t seed, unsigned sample,
              mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
              llvm::MutableArrayRef<LocalTensor> results);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_GATES_H
