// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of uneven routing on layers.

#ifndef MOE_SCHEDULE_EXPERTSKEW_H
#define MOE_SCHEDULE_EXPERTSKEW_H

#include "moe/Cost/Matrix.h"
#include "moe/Cost/Result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace moe::schedule {

/// Tokens per expert: row i has the tokens that source i sends to each expert.
/// A single row has the sum over all sources. Entries are finite and at least
/// 0, and not all 0.
using ExpertCounts = cost::Matrix<double>;

/// Work of the busiest rank relative to its even share.
struct ExpertSkew {
  /// Ratio for the experts' tokens, of the rank with the most tokens; at most
  /// the number of ranks. Its compute, all-gather and reduce-scatter grow by
  /// this factor.
  double load = 1;
  /// Ratio for the exchanged tokens: the most that one rank sends to or
  /// receives from others, relative to an even distribution (SPEC CC-1). A
  /// combine reverses all messages of the dispatch, so it has the same ratio.
  double exchange = 1;
};

/// Returns the skew of `ep` >= 1 expert-parallel ranks that hold the experts in
/// order, with equally many experts per rank; 1 if `ep` is 1. The counts have
/// either one row per rank or a single row that represents every source. With a
/// capacity factor, an expert takes at most that many times its even share, and
/// the same proportion of each source's tokens. Only proportions of counts
/// matter, so they may be from a longer run.
///
/// Fails if the counts are invalid, if `ep` does not divide the number of
/// experts, or if there are neither one nor `ep` sources. The failure names the
/// expected values.
cost::Result<ExpertSkew> getExpertSkew(const ExpertCounts &counts, int64_t ep,
                                       std::optional<double> capacityFactor);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_EXPERTSKEW_H
