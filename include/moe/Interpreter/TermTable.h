// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash-consed terms.

#ifndef MOE_INTERPRETER_TERMTABLE_H
#define MOE_INTERPRETER_TERMTABLE_H

#include "moe/Interpreter/MemoryBudget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace moe {

/// A term: equal terms of one table have equal ids.
using Term = uint32_t;

enum class TermKind : uint8_t {
  Undefined, ///< an element that no op has written (tensor.empty)
  Integer,   ///< a known integer
  Real,      ///< a known float
  Leaf,      ///< element of a function argument
  Apply,     ///< uninterpreted function of its children
  Element,   ///< one element of a term that represents a tensor
  Sum,       ///< multisets: each child counted
  Prod,
  Min,
  Max
};

/// All terms of an equivalence check, shared by the compared programs. The
/// content hash of a term depends only on its structure, so it does not depend
/// on the order of construction.
class TermTable {
public:
  explicit TermTable(MemoryBudget &budget);
  ~TermTable();
  TermTable(const TermTable &) = delete;
  TermTable &operator=(const TermTable &) = delete;

  Term getUndefined() { return undefined; }
  Term getInteger(int64_t value);
  /// Returns a known float; its payload is the bits of the double.
  Term getReal(double value);
  /// Returns element `index` of argument `argument` as held by the rank
  /// `representative` and by all ranks with the same data.
  Term getLeaf(uint32_t argument, uint32_t representative, uint64_t index);
  /// Returns a function, named by its symbol, of all its children in order.
  Term getApply(unsigned symbol, llvm::ArrayRef<Term> children);
  Term getElement(Term tensor, uint64_t index);
  /// Returns a reduction of `children` in any order. Flattens nested reductions
  /// of the same kind, omits children that change no bit, and returns a single
  /// child itself. Omitted are * 1, a repeated minimum, + -0.0, a second + 0.0,
  /// and + 0.0 next to another known float. A single + 0.0 is kept, because it
  /// turns -0.0 into 0.0.
  Term getMultiset(TermKind kind, llvm::ArrayRef<Term> children);
  /// Returns the sum that a loop computes if it starts from 0.0.
  Term getSumFromZero(llvm::ArrayRef<Term> children);

  /// Returns the number of a function's name.
  unsigned getSymbol(llvm::StringRef name);
  llvm::StringRef getSymbolName(unsigned symbol) const {
    return symbolNames[symbol];
  }

  TermKind getKind(Term term) const { return nodes[term].kind; }
  uint64_t getHash(Term term) const { return nodes[term].hash; }
  /// Value of an Integer, bits of a Real, symbol of an Apply, or index of an
  /// Element or Leaf.
  uint64_t getPayload(Term term) const { return nodes[term].payload; }
  uint32_t getLeafArgument(Term term) const { return words(term)[0]; }
  uint32_t getLeafRepresentative(Term term) const { return words(term)[1]; }
  /// Returns the children of an Apply or Element.
  llvm::ArrayRef<Term> getChildren(Term term) const { return words(term); }
  /// Returns the children of a multiset and their counts, alternating.
  llvm::ArrayRef<uint32_t> getCounted(Term term) const { return words(term); }

  size_t size() const { return nodes.size(); }
  /// Returns true if the budget did not allow another term. Every term made
  /// after that is Undefined, and the run must stop.
  bool isExhausted() const { return exhausted; }

private:
  struct Node {
    uint64_t hash;
    uint64_t payload;
    uint64_t begin; ///< index of its first entry in `arena`
    uint32_t length;
    TermKind kind;
  };

  llvm::ArrayRef<uint32_t> words(Term term) const {
    const Node &node = nodes[term];
    return {arena.data() + node.begin, node.length};
  }
  Term intern(TermKind kind, uint64_t hash, uint64_t payload,
              llvm::ArrayRef<uint32_t> words);
  bool reserve(size_t moreWords);

  MemoryBudget &budget;
  uint64_t charged = 0;
  std::vector<Node> nodes;
  std::vector<uint32_t> arena;
  std::vector<Term> buckets; ///< open addressing; kNone marks free entries
  llvm::StringMap<unsigned> symbols;
  std::vector<std::string> symbolNames;
  std::vector<uint64_t> symbolHashes;
  Term undefined = 0, zero = 0; ///< zero: the float 0.0
  bool exhausted = false;
};

} // namespace moe

#endif // MOE_INTERPRETER_TERMTABLE_H
