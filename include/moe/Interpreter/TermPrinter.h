// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms as text.

#ifndef MOE_INTERPRETER_TERMPRINTER_H
#define MOE_INTERPRETER_TERMPRINTER_H

#include "moe/Interpreter/TermTable.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace moe {

/// What is needed to name a leaf: an argument's element and the ranks that
/// hold it.
class ArgumentNames {
public:
  struct Argument {
    /// Shape the elements are numbered in, and how many elements of the real
    /// tensor each stands for along every dim (see Collapse).
    llvm::SmallVector<int64_t, 4> shape, factors;
    /// Mesh axes the data varies over: name, stride in ranks, size.
    struct Axis {
      std::string name;
      int64_t stride, size;
    };
    llvm::SmallVector<Axis> axes;
    /// No mesh: the rank itself names the holder.
    bool byRank = false;
  };
  std::vector<Argument> arguments;

  /// `arg0[3,0]@{dp=0,ep=1}`; an index that stands for a whole dim is `*`, for
  /// a run `8..15`.
  std::string name(uint32_t argument, uint32_t representative,
                   uint64_t index) const;
};

/// `[3,8..15,*]` of a flat index into a collapsed shape.
std::string printIndex(uint64_t index, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> factors);

/// A term, at most `maxDepth` levels deep and about `maxLength` characters
/// long; what is left out is `...`.
std::string printTerm(const TermTable &table, Term term,
                      const ArgumentNames &names, unsigned maxDepth = 5,
                      size_t maxLength = 400);

/// Follows two unequal terms down, through the first child in which functions
/// differ and the children in which reductions do; returns the innermost pair,
/// which shows why the terms are unequal.
std::pair<Term, Term> findDifference(const TermTable &table, Term a, Term b);

} // namespace moe

#endif // MOE_INTERPRETER_TERMPRINTER_H
