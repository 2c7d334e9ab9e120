// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic that changes nothing.

#ifndef MOE_LIB_INTERPRETER_IDENTITIES_H
#define MOE_LIB_INTERPRETER_IDENTITIES_H

#include "mlir/IR/Operation.h"
#include "moe/Interpreter/TermTable.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>

namespace moe {

/// The theory of arithmetic on terms: every identity holds bit for bit, for all
/// operands, -0.0, infinities and NaN among them, all NaNs being one; but sums
/// (`arith.addf` without fast-math flags) are exact and in any order.
/// Upstream's folds and canonicalizations of floats that need no flag follow
/// from it, so that a program and what canonicalization makes of it have equal
/// terms. An op with flags is another function than one without, of which the
/// same identities hold. docs/reference/equality.md has the list.
class Identities {
public:
  explicit Identities(TermTable &table) : table(table) {}

  /// An elementwise op, ready for many elements.
  class Rule {
  public:
    /// `name` tells the op from all that compute something else, but for the
    /// types of its operands.
    Rule(Identities &identities, mlir::Operation *op, llvm::StringRef name);

    /// The term of the op on operands not all of which are known numbers.
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
  /// What a symbol of `getApply` stands for.
  struct Meaning {
    mlir::TypeID op;
    mlir::Type source, result;
  };

  /// The symbol of a cast from a type, and its meaning.
  unsigned defineCast(mlir::TypeID op, llvm::StringRef name, mlir::Type source,
                      mlir::Type result);
  /// Null when the term is no application of an op.
  const Meaning *getMeaning(Term term) const;
  /// The operands of a term that is an application of `OpT`; empty otherwise.
  template <typename OpT> llvm::SmallVector<Term, 3> match(Term term) const;
  /// True for a known float that is bit for bit `value`; all NaNs are one.
  bool isReal(Term term, double value) const;
  bool isInteger(Term term, int64_t value) const;

  // One of the identities, nothing when none applies.
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
