// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What uneven routing does to a layer.

#ifndef MOE_SCHEDULE_EXPERTSKEW_H
#define MOE_SCHEDULE_EXPERTSKEW_H

#include "moe/Cost/Result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace moe::schedule {

/// Tokens that experts get, from all sources or from each of them.
struct ExpertCounts {
  int64_t numSources = 1, numExperts = 1;
  /// Row i holds the tokens that source i sends to each expert: `numSources`
  /// times `numExperts` numbers, at least 0 and finite, not all 0.
  std::vector<double> tokens;

  double at(int64_t source, int64_t expert) const {
    return tokens[size_t(source * numExperts + expert)];
  }
};

/// How much more than its even share the busiest rank has to do.
struct ExpertSkew {
  /// Of the experts' tokens, on the rank that has most; at most the number of
  /// ranks. It computes, gathers and reduces so many times as much.
  double load = 1;
  /// Of the tokens exchanged: the most that one rank sends to or receives from
  /// others, over what each would if all were even (SPEC CC-1). A combine is
  /// the dispatch with all messages turned round, and has the same.
  double exchange = 1;
};

/// The skew of `ep` >= 1 expert-parallel ranks that hold the experts in order,
/// equally many each; 1 where ep is 1. One row of counts stands for every
/// source; otherwise there is one for each rank. With a capacity factor, an
/// expert takes at most that many times its even share, and so much of each
/// source's tokens as it takes of all. Only proportions of counts matter, so
/// they may be from a longer run. Fails, naming what was expected, when the
/// counts are not as they should be, when the experts do not divide by `ep`, or
/// when there are neither one nor `ep` sources.
cost::Result<ExpertSkew> getExpertSkew(const ExpertCounts &counts, int64_t ep,
                                       std::optional<double> capacityFactor);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_EXPERTSKEW_H
