// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gates in the two domains.

#ifndef MOE_LIB_INTERPRETER_GATES_H
#define MOE_LIB_INTERPRETER_GATES_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/LocalTensor.h"
#include "moe/Interpreter/TermTable.h"

namespace moe {

/// The operands of a gate or of its gradient, by name; null if absent.
struct GateOperands {
  GateOperands(GateOp op, llvm::ArrayRef<LocalTensor> operands);
  GateOperands(GateGradOp op, llvm::ArrayRef<LocalTensor> operands);

  const LocalTensor *tokens, *router, *bias, *noise, *projection, *seed;
  /// The router has one row more than tokens have columns.
  bool biased;
};

/// Returns true for gates other than `moe.gate`, and for the mixes of a soft
/// gate.
bool isMix(mlir::Operation *op);

/// `Domain::gate` on numbers.
void computeGate(GateOp op, const GateOperands &operands, LocalTensor &ids,
                 LocalTensor &weights);

/// `Domain::mix` on numbers.
void computeMix(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
                llvm::MutableArrayRef<LocalTensor> results);

/// Prints the sizes of a tensor from a dim on. Terms that read it as a whole
/// contain them, because its cells may be collapsed, and tensors of different
/// sizes must have different terms.
void printSizes(llvm::raw_ostream &os, mlir::Value value,
                unsigned firstDim = 0);

inline Term pack(TermTable &table, llvm::ArrayRef<Cell> cells) {
  llvm::SmallVector<Term> children(cells.begin(), cells.end());
  return table.getApply(table.getSymbol(""), children);
}

/// `Domain::gate` on terms. The weights of a token are a function of all inputs
/// of its gate, and its experts are drawn from the hash of this function.
void buildGate(TermTable &table, uint64_t seed, unsigned sample, GateOp op,
               const GateOperands &operands, LocalTensor &ids,
               LocalTensor &weights);

/// `Domain::mix` on terms. Weights are a function of all tokens, the tokens of
/// an expert are drawn from its hash, and mixes are sums of products.
void buildMix(TermTable &table, uint64_t seed, unsigned sample,
              mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
              llvm::MutableArrayRef<LocalTensor> results);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_GATES_H
