// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows per rank and expert.
//
// The plans of dropless layers are computed from these tables.

#ifndef MOE_LIB_INTERPRETER_COUNTTABLE_H
#define MOE_LIB_INTERPRETER_COUNTTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

namespace moe {

/// The counts of all ranks of the groups that plan together, `J` times `G`
/// times `E` numbers, and the values derived from them.
class CountTable {
public:
  CountTable(llvm::ArrayRef<int64_t> counts, int64_t joined, int64_t ranks,
             int64_t experts)
      : counts(counts), joined(joined), ranks(ranks), experts(experts),
        perRank(experts / ranks) {}

  int64_t get(int64_t q, int64_t from, int64_t expert) const {
    return counts[(q * ranks + from) * experts + expert];
  }
  /// Returns the number of rows that position `from` sends to position `to`,
  /// saturated at the largest integer.
  int64_t getSent(int64_t q, int64_t from, int64_t to) const {
    int64_t sum = 0;
    for (int64_t e = 0; e < perRank; ++e)
      sum = add(sum, get(q, from, to * perRank + e));
    return sum;
  }
  int64_t getReceived(int64_t q, int64_t to) const {
    int64_t sum = 0;
    for (int64_t from = 0; from < ranks; ++from)
      sum = add(sum, getSent(q, from, to));
    return sum;
  }
  static int64_t add(int64_t a, int64_t b) {
    int64_t sum;
    return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max()
                                        : sum;
  }

  llvm::ArrayRef<int64_t> counts;
  int64_t joined, ranks, experts, perRank;
};

/// Offsets and sizes of consecutive runs.
struct RunList {
  llvm::SmallVector<int64_t> offsets, sizes;
  int64_t end = 0;

  void add(int64_t size) {
    offsets.push_back(end);
    sizes.push_back(size);
    end = CountTable::add(end, size);
  }
};

} // namespace moe

#endif // MOE_LIB_INTERPRETER_COUNTTABLE_H
