// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of unequal sizes.
//
// A pipeline fills and drains: while the first chunk is on its way nothing else
// can run, and neither can anything beside the last one. Smaller chunks at the
// ends shorten both.

#ifndef MOE_SCHEDULE_CHUNKSIZES_H
#define MOE_SCHEDULE_CHUNKSIZES_H

#include "moe/Schedule/BeamSearch.h"

#include <optional>

namespace moe::schedule {

/// Chunks and their best order.
struct ChunkSizePlan {
  /// Parts of `granularity` in each chunk; all equal, up to one, unless other
  /// sizes pay.
  std::vector<int64_t> parts;
  OrderPlan plan;
  /// The same for sizes as equal as parts allow; never less than `plan`'s.
  double equalUs = 0;
};

/// Sizes of `degree` chunks made of `granularity` equal parts of a phase's
/// tokens, at least `leastParts` >= 1 in each, by local searches from sizes as
/// equal as can be and from eight shapes with smaller chunks at the ends: with
/// the best order of the sizes, parts move from one chunk to another, in large
/// steps first and singly at last, as long as that makes the order faster; then
/// the best order of the new sizes is found, and all is done again until
/// nothing gains. There are at least `degree * leastParts` parts.
ChunkSizePlan findChunkSizes(const LayerPhase &phase, int64_t degree,
                             int64_t granularity, double gradientUs,
                             BeamSearch &search, int64_t leastParts = 1);

/// The same for sizes in the order of SPEC FS-3, which is not searched for:
/// what no order beats is not known, `lowerBoundUs` is 0.
ChunkSizePlan findFixedOrderSizes(const LayerPhase &phase, int64_t degree,
                                  int64_t granularity, double gradientUs,
                                  int64_t leastParts = 1);

/// The fastest chunks of unequal sizes over all degrees up to `maxDegree`, if
/// they take less than `equalUs`.
std::optional<ChunkSizePlan> findFastestSizes(const LayerPhase &phase,
                                              int64_t maxDegree,
                                              int64_t granularity,
                                              double gradientUs, double equalUs,
                                              int64_t leastParts = 1);

/// For each degree from 1 to `maxDegree` >= 1 a time that chunks of no sizes of
/// at least `leastParts` of `granularity` parts beat in any order: what must
/// run on each stream, behind what the first chunk there and before what the
/// last one needs, over all sizes. Infinite where there are too few parts.
std::vector<double> getAnySizesBoundsUs(const LayerPhase &phase,
                                        int64_t maxDegree, int64_t granularity,
                                        double gradientUs,
                                        int64_t leastParts = 1);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_CHUNKSIZES_H
