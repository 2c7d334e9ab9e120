// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash-consed terms.

#include "moe/Interpreter/TermTable.h"
#include "moe/Interpreter/Hashing.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

using namespace moe;

static constexpr Term kNone = std::numeric_limits<Term>::max();

static uint64_t seedOf(TermKind kind) {
  return scramble(static_cast<uint64_t>(kind) + 1);
}

TermTable::TermTable(MemoryBudget &budget) : budget(budget) {
  if (reserve(0))
    undefined = intern(TermKind::Undefined, seedOf(TermKind::Undefined), 0, {});
  zero = getReal(0.0);
}

TermTable::~TermTable() { budget.release(charged); }

/// Reserves memory for one more node with `moreWords` words; charges the budget
/// before any vector grows.
bool TermTable::reserve(size_t moreWords) {
  if (exhausted)
    return false;
  auto grow = [&](auto &vector, size_t wanted) {
    if (wanted <= vector.capacity())
      return true;
    size_t capacity = std::max<size_t>({wanted, vector.capacity() * 2, 1024});
    // A growing vector holds both copies for a moment.
    uint64_t element = sizeof(vector[0]);
    uint64_t more = (capacity - vector.capacity()) * element;
    if (!budget.fits(more + vector.capacity() * element) ||
        !budget.charge(more))
      return false;
    charged += more;
    vector.reserve(capacity);
    return true;
  };
  if (nodes.size() + 1 >= kNone || !grow(nodes, nodes.size() + 1) ||
      !grow(arena, arena.size() + moreWords)) {
    exhausted = true;
    return false;
  }
  if ((nodes.size() + 1) * 2 > buckets.size()) {
    size_t count = std::max<size_t>(buckets.size() * 2, 4096);
    uint64_t more = (count - buckets.size()) * sizeof(Term);
    if (!budget.fits(count * sizeof(Term)) || !budget.charge(more)) {
      exhausted = true;
      return false;
    }
    charged += more;
    buckets.assign(count, kNone);
    for (Term term = 0; term < nodes.size(); ++term) {
      size_t slot = nodes[term].hash & (count - 1);
      while (buckets[slot] != kNone)
        slot = (slot + 1) & (count - 1);
      buckets[slot] = term;
    }
  }
  return true;
}

Term TermTable::intern(TermKind kind, uint64_t hash, uint64_t payload,
                       llvm::ArrayRef<uint32_t> list) {
  if (!reserve(list.size()))
    return undefined;
  size_t mask = buckets.size() - 1;
  size_t slot = hash & mask;
  for (; buckets[slot] != kNone; slot = (slot + 1) & mask) {
    const Node &node = nodes[buckets[slot]];
    if (node.hash == hash && node.kind == kind && node.payload == payload &&
        words(buckets[slot]) == list)
      return buckets[slot];
  }
  Term term = static_cast<Term>(nodes.size());
  nodes.push_back(
      {hash, payload, arena.size(), static_cast<uint32_t>(list.size()), kind});
  arena.insert(arena.end(), list.begin(), list.end());
  buckets[slot] = term;
  return term;
}

Term TermTable::getInteger(int64_t value) {
  uint64_t bits = static_cast<uint64_t>(value);
  return intern(TermKind::Integer, combineHash(seedOf(TermKind::Integer), bits),
                bits, {});
}

Term TermTable::getReal(double value) {
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  return intern(TermKind::Real, combineHash(seedOf(TermKind::Real), bits), bits,
                {});
}

Term TermTable::getLeaf(uint32_t argument, uint32_t representative,
                        uint64_t index) {
  uint64_t hash = combineHash(seedOf(TermKind::Leaf), argument);
  hash = combineHash(combineHash(hash, representative), index);
  return intern(TermKind::Leaf, hash, index, {argument, representative});
}

Term TermTable::getApply(unsigned symbol, llvm::ArrayRef<Term> children) {
  uint64_t hash = combineHash(seedOf(TermKind::Apply), symbolHashes[symbol]);
  for (Term child : children)
    hash = combineHash(hash, getHash(child));
  return intern(TermKind::Apply, hash, symbol, children);
}

Term TermTable::getElement(Term tensor, uint64_t index) {
  uint64_t hash = combineHash(seedOf(TermKind::Element), getHash(tensor));
  return intern(TermKind::Element, combineHash(hash, index), index, {tensor});
}

Term TermTable::getMultiset(TermKind kind, llvm::ArrayRef<Term> children) {
  bool idempotent = kind == TermKind::Min || kind == TermKind::Max;
  auto isNeutral = [&](Term term) {
    if (getKind(term) == TermKind::Real) {
      double value = llvm::bit_cast<double>(getPayload(term));
      return (kind == TermKind::Sum && value == 0 && std::signbit(value)) ||
             (kind == TermKind::Prod && value == 1);
    }
    if (getKind(term) == TermKind::Integer) {
      int64_t value = static_cast<int64_t>(getPayload(term));
      return (kind == TermKind::Sum && value == 0) ||
             (kind == TermKind::Prod && value == 1);
    }
    return false;
  };
  struct Counted {
    Term term;
    uint64_t count;
  };
  llvm::SmallVector<Counted, 16> items;
  for (Term child : children) {
    if (isNeutral(child))
      continue;
    if (getKind(child) == kind) {
      llvm::ArrayRef<uint32_t> nested = getCounted(child);
      for (size_t i = 0; i < nested.size(); i += 2)
        items.push_back({nested[i], nested[i + 1]});
    } else {
      items.push_back({child, 1});
    }
  }
  // If all children are neutral, one of them is the result.
  if (items.empty())
    return children.empty() ? undefined : *llvm::min_element(children);
  // A second 0.0 changes nothing. The first one only changes -0.0.
  if (kind == TermKind::Sum && llvm::any_of(items, [&](const Counted &item) {
        return item.term != zero && getKind(item.term) == TermKind::Real;
      }))
    llvm::erase_if(items,
                   [&](const Counted &item) { return item.term == zero; });
  llvm::sort(items, [](const Counted &a, const Counted &b) {
    return a.term < b.term;
  });
  llvm::SmallVector<uint32_t, 32> list;
  bool overflow = false;
  for (size_t i = 0; i < items.size();) {
    uint64_t count = 0;
    size_t j = i;
    for (; j < items.size() && items[j].term == items[i].term; ++j)
      count += items[j].count;
    if (idempotent || (kind == TermKind::Sum && items[i].term == zero))
      count = 1;
    overflow |= count > std::numeric_limits<uint32_t>::max();
    list.push_back(items[i].term);
    list.push_back(static_cast<uint32_t>(count));
    i = j;
  }
  // If a count exceeds 32 bits, keeps the nesting. Fewer terms are then equal,
  // but never wrong ones.
  if (overflow) {
    llvm::SmallVector<Term> sorted(children);
    llvm::sort(sorted);
    return getApply(getSymbol(kind == TermKind::Sum ? "sum" : "prod"), sorted);
  }
  if (list.size() == 2 && list[1] == 1)
    return list[0];
  // Ids depend on the order of construction, but the content hash must not.
  // Therefore the hashes of the children are added, which is independent of
  // their order.
  uint64_t hash = 0;
  for (size_t i = 0; i < list.size(); i += 2)
    hash += scramble(combineHash(getHash(list[i]), list[i + 1]));
  hash = combineHash(seedOf(kind), hash);
  return intern(kind, hash, 0, list);
}

Term TermTable::getSumFromZero(llvm::ArrayRef<Term> children) {
  llvm::SmallVector<Term, 16> summands(children);
  summands.push_back(zero);
  return getMultiset(TermKind::Sum, summands);
}

unsigned TermTable::getSymbol(llvm::StringRef name) {
  auto [it, inserted] = symbols.try_emplace(name, symbolNames.size());
  if (inserted) {
    symbolNames.push_back(name.str());
    symbolHashes.push_back(hashString(name));
  }
  return it->second;
}
