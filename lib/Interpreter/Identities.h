// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic identities.

#ifndef MOE_LIB_INTERPRETER_IDENTITIES_H
#define MOE_LIB_INTERPRETER_IDENTITIES_H

#include "mlir/IR/Operation.h"
#include "moe/Interpreter/TermTable.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>

namespace moe {

/// The theory of arithmetic on terms. Every identity holds bit for bit for all
/// operands, including -0.0, infinities and NaN, where all NaNs are equal. The
/// exception is sums (`arith.addf` without fast-math flags), which are
/// considered exact and in any order. The folds and canonicalizations of floats
/// in upstream MLIR that need no flag follow from these identities, so a
/// program and its canonicalized form have equal terms. An op with flags is a
/// different function from the op without them, but the same identities hold
/// for it. docs/reference/equality.md has the list.
class Identities {
public:
  explicit Identities(TermTable &table) : table(table) {}

  /// An elementwise op, prepared for many elements.
  class Rule {
  public:
    /// `name` must identify the function that the op computes, except for the
    /// types of its operands.
    Rule(Identities &identities, mlir::Operation *op, llvm::StringRef name);

    /// Returns the term of the op on operands that are not all known numbers.
    Term apply(llvm::ArrayRef<Term> operands) const;

  private:
    friend class Identities;
    Identities &identities;
    mlir::Operation *op;
    std::string name;
    unsigned symbol;
    bool isCast, isSum, commutes;
  };

private:
  /// The op that a symbol of `getApply` represents.
  struct Meaning {
    mlir::TypeID op;
    mlir::Type source, result;
  };

  /// Defines a cast from a type; returns its symbol.
  unsigned defineCast(mlir::TypeID op, llvm::StringRef name, mlir::Type source,
                      mlir::Type result);
  /// Returns null if the term is not the application of an op.
  const Meaning *getMeaning(Term term) const;
  /// Returns the operands of a term that is an application of `OpT`; empty
  /// otherwise.
  template <typename OpT> llvm::SmallVector<Term, 3> match(Term term) const;
  /// Returns true for a known float that equals `value` bit for bit, where all
  /// NaNs are equal.
  bool isReal(Term term, double value) const;
  bool isInteger(Term term, int64_t value) const;

  // These functions apply one of the identities; they return nullopt if none
  // applies.
  std::optional<Term> applyAny(const Rule &rule, llvm::ArrayRef<Term> operands);
  std::optional<Term> applyFloat(const Rule &rule,
                                 llvm::ArrayRef<Term> operands);
  std::optional<Term> applyInteger(mlir::Operation *op,
                                   llvm::ArrayRef<Term> operands);
  std::optional<Term> applySelect(const Rule &rule,
                                  llvm::ArrayRef<Term> operands);

  // CastIdentities.cpp
  Term applyCast(const Rule &rule, Term operand);
  Term castFloat(const Rule &rule, Term operand);
  Term castInteger(const Rule &rule, Term operand);

  TermTable &table;
  llvm::DenseMap<unsigned, Meaning> meanings;
};

} // namespace moe

#endif // MOE_LIB_INTERPRETER_IDENTITIES_H
