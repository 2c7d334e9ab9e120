// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of unequal sizes.
//
// A pipeline fills and drains: nothing else can run while the first chunk
// enters or the last one leaves. Smaller chunks at the ends shorten both.

#ifndef MOE_SCHEDULE_CHUNKSIZES_H
#define MOE_SCHEDULE_CHUNKSIZES_H

#include "moe/Schedule/BeamSearch.h"

#include <optional>

namespace moe::schedule {

/// Chunk sizes and the best order of the chunks.
struct ChunkSizePlan {
  /// Number of parts, out of `granularity`, in each chunk. They differ by at
  /// most one unless other sizes are faster.
  std::vector<int64_t> parts;
  OrderPlan plan;
  /// Time with sizes as equal as possible; never less than the time of `plan`.
  double equalUs = 0;
};

/// Finds sizes of `degree` chunks made of `granularity` equal parts of a
/// phase's tokens, with at least `leastParts` >= 1 parts in each. There must be
/// at least `degree * leastParts` parts.
///
/// Local searches start from sizes as equal as possible and from eight shapes
/// with smaller chunks at the ends. With the best order of the current sizes,
/// parts move from one chunk to another, first in large steps and finally
/// singly, as long as that makes the order faster. Then the best order of the
/// new sizes is found, and the search repeats until nothing gains.
ChunkSizePlan findChunkSizes(const LayerPhase &phase, int64_t degree,
                             int64_t granularity, double gradientUs,
                             BeamSearch &search, int64_t leastParts = 1);

/// The same for chunks in the fixed order of SPEC FS-3. No bound is computed,
/// so `lowerBoundUs` is 0.
ChunkSizePlan findFixedOrderSizes(const LayerPhase &phase, int64_t degree,
                                  int64_t granularity, double gradientUs,
                                  int64_t leastParts = 1);

/// Finds the fastest chunks of unequal sizes over all degrees up to
/// `maxDegree`, if they take less than `equalUs`.
std::optional<ChunkSizePlan> findFastestSizes(const LayerPhase &phase,
                                              int64_t maxDegree,
                                              int64_t granularity,
                                              double gradientUs, double equalUs,
                                              int64_t leastParts = 1);

/// For each degree from 1 to `maxDegree` >= 1, returns a lower bound on the
/// time of chunks of any sizes, with at least `leastParts` of `granularity`
/// parts each, in any order. The bound is the work of each stream, after the
/// work that its first chunk needs and before the work that its last chunk
/// needs, minimized over all sizes. It is infinite if there are too few parts.
std::vector<double> getAnySizesBoundsUs(const LayerPhase &phase,
                                        int64_t maxDegree, int64_t granularity,
                                        double gradientUs,
                                        int64_t leastParts = 1);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_CHUNKSIZES_H
