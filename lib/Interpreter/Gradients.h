// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients in the two domains.

#ifndef MOE_LIB_INTERPRETER_GRADIENTS_H
#define MOE_LIB_INTERPRETER_GRADIENTS_H

#include "ExpertMath.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Interpreter/ExpertRows.h"
#include "moe/Interpreter/LocalTensor.h"
#include "moe/Interpreter/TermTable.h"

namespace moe {

/// `Domain::gradient` on numbers: sums are doubles, rounded once.
void computeGradient(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
                     llvm::ArrayRef<int64_t> indices, const ExpertRows &rows,
                     llvm::MutableArrayRef<LocalTensor> results);

/// The same of gates of all kinds and of mixes.
void computeGateGradient(mlir::Operation *op,
                         llvm::ArrayRef<LocalTensor> operands,
                         llvm::ArrayRef<int64_t> indices,
                         llvm::MutableArrayRef<LocalTensor> results);

/// `Domain::gradient` on terms. What is summed over rows is a multiset of one
/// term a row, so that sums over chunks and over ranks come out the same; a row
/// that is 0 throughout, and its gradient too, adds nothing to the gradient of
/// its expert's weights. The rest are functions of the rows and weights they
/// read.
void buildGradient(TermTable &table, mlir::Operation *op,
                   llvm::ArrayRef<LocalTensor> operands,
                   llvm::ArrayRef<int64_t> indices, const ExpertRows &rows,
                   llvm::MutableArrayRef<LocalTensor> results);

/// The function that gives the inner products of experts, of a row and the
/// inner weights. Its elements have the order of `KeptCells`, part by part.
unsigned getKeptSymbol(TermTable &table, mlir::Value firstWeight);

/// Calls `use` with each place in the current row of `parts` parts, and with
/// the element of `term` that belongs there.
void forBetween(TermTable &table, const KeptCells &cells, Term term,
                int64_t parts, llvm::function_ref<void(size_t, Term)> use);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_GRADIENTS_H
