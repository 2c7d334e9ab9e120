//===- Identities.h - Arithmetic that changes nothing -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_INTERPRETER_IDENTITIES_H
#define MOE_LIB_INTERPRETER_IDENTITIES_H

#include "mlir/IR/Operation.h"
#include "moe/Interpreter/TermTable.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace moe {

/// The identities of arithmetic that upstream's folds and canonicalizations
/// rely on, so that a program and what canonicalization makes of it have equal
/// terms. Each holds for all operands, with all NaNs being one.
class Identities {
public:
  explicit Identities(TermTable &table) : table(table) {}

  /// Says which op and types a symbol of `getApply` stands for.
  void define(unsigned symbol, mlir::Operation *op);

  /// The term that `op`, whose symbol is given, is for these operands, by one
  /// of the identities; nothing when none applies. Not all operands are known.
  std::optional<Term> apply(mlir::Operation *op, unsigned symbol,
                            llvm::ArrayRef<Term> operands);

private:
  struct Meaning {
    mlir::TypeID op;
    mlir::Type source, result;
  };

  /// The operands of a term that is an application of `OpT`; empty otherwise.
  template <typename OpT> llvm::SmallVector<Term, 3> match(Term term) const;
  /// True for a known float that is bit for bit `value`; all NaNs are one.
  bool isReal(Term term, double value) const;
  bool isInteger(Term term, int64_t value) const;

  std::optional<Term> applyFloat(mlir::Operation *op, unsigned symbol,
                                 llvm::ArrayRef<Term> operands);
  std::optional<Term> applyInteger(mlir::Operation *op,
                                   llvm::ArrayRef<Term> operands);
  std::optional<Term> applyCast(mlir::Operation *op, Term operand);
  std::optional<Term> applySelect(mlir::Operation *op, unsigned symbol,
                                  llvm::ArrayRef<Term> operands);

  TermTable &table;
  llvm::DenseMap<unsigned, Meaning> meanings;
};

} // namespace moe

#endif // MOE_LIB_INTERPRETER_IDENTITIES_H
