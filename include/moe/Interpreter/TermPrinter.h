// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints terms as text.

#ifndef MOE_INTERPRETER_TERMPRINTER_H
#define MOE_INTERPRETER_TERMPRINTER_H

#include "moe/Interpreter/TermTable.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace moe {

/// The names of leaves: an argument's element and the ranks that hold it.
class ArgumentNames {
public:
  struct Argument {
    /// The shape that numbers the elements, and per dim the number of elements
    /// of the real tensor that each one represents (see Collapse).
    llvm::SmallVector<int64_t, 4> shape, factors;
    /// A mesh axis that the data varies over: name, stride in ranks, size.
    struct Axis {
      std::string name;
      int64_t stride, size;
    };
    llvm::SmallVector<Axis> axes;
    /// There is no mesh, so the rank number names the holder.
    bool byRank = false;
  };
  std::vector<Argument> arguments;

  /// Returns, for example, `arg0[3,0]@{dp=0,ep=1}`. An index that represents a
  /// whole dim is printed as `*`, a run of indices as `8..15`.
  std::string name(uint32_t argument, uint32_t representative,
                   uint64_t index) const;
};

/// Prints a flat index into a collapsed shape, for example `[3,8..15,*]`.
std::string printIndex(uint64_t index, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> factors);

/// Prints a term, at most `maxDepth` levels deep and about `maxLength`
/// characters long; `...` replaces the rest.
std::string printTerm(const TermTable &table, Term term,
                      const ArgumentNames &names, unsigned maxDepth = 5,
                      size_t maxLength = 400);

/// Finds the reason why two terms are unequal: descends to the first differing
/// child of functions, and to the differing children of reductions. Returns the
/// innermost pair.
std::pair<Term, Term> findDifference(const TermTable &table, Term a, Term b);

} // namespace moe

#endif // MOE_INTERPRETER_TERMPRINTER_H
