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

/// `Domain::gradient` on numbers. Sums are doubles and are rounded once.
void computeGradient(mlir::Operation *op, llvm::ArrayRef<LocalTensor> operands,
                     llvm::ArrayRef<int64_t> indices, const ExpertRows &rows,
                     llvm::MutableArrayRef<LocalTensor> results);

/// Like `computeGradient`, for gates of all kinds and for mixes.
void computeGateGradient(mlir::Operation *op,
                         llvm::ArrayRef<LocalTensor> operands,
                         llvm::ArrayRef<int64_t> indices,
                         llvm::MutableArrayRef<LocalTensor> results);

/// `Domain::gradient` on terms. A sum over rows is a multiset of one term per
/// row, so sums over chunks and over ranks are equal. A row whose elements and
/// gradients are all 0 adds nothing to the gradient of its expert's weights.
/// All other results are functions of the rows and weights they read.
void buildGradient(TermTable &table, mlir::Operation *op,
                   llvm::ArrayRef<LocalTensor> operands,
                   llvm::ArrayRef<int64_t> indices, const ExpertRows &rows,
                   llvm::MutableArrayRef<LocalTensor> results);

/// Returns the function that maps a row and the inner weights of experts to the
/// inner products. Its elements are in the order of `KeptCells`, part by part.
unsigned getKeptSymbol(TermTable &table, mlir::Value firstWeight);

/// Calls `use` with each index in the current row of `parts` parts, and with
/// the corresponding element of `term`.
void forBetween(TermTable &table, const KeptCells &cells, Term term,
                int64_t parts, llvm::function_ref<void(size_t, Term)> use);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_GRADIENTS_H
