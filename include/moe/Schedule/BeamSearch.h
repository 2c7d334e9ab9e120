// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for orders that are faster than FSMoE's.
//
// FSMoE runs all dispatches before all combines and all all-gathers before all
// reduce-scatters (SPEC FS-3). Interleaving them can be faster (SPEC FS-6), and
// the gradient all-reduce may run anywhere among the all-to-alls.

#ifndef MOE_SCHEDULE_BEAMSEARCH_H
#define MOE_SCHEDULE_BEAMSEARCH_H

#include "moe/Schedule/DegreePlanner.h"

#include <array>
#include <string>
#include <vector>

namespace moe::schedule {

/// Orders of a phase's operations on two streams. Operations of the same kind
/// run by chunk, and the expert stream has no choice.
struct OperationOrder {
  /// Order of the all-to-alls: D is a dispatch, C a combine, G the gradient
  /// all-reduce.
  std::string inter;
  /// Order inside nodes: A is an all-gather, R a reduce-scatter.
  std::string intra;

  friend bool operator==(const OperationOrder &,
                         const OperationOrder &) = default;
};

/// Returns the order of SPEC FS-3, for example DDGCC and AARR for 2 chunks. G
/// is left out unless `hasGradient` is set.
OperationOrder getFixedOrder(int64_t degree, bool hasGradient);

/// Returns when the last operation of either stream ends, if each one starts as
/// soon as its stream and its dependencies allow. Returns nullopt if the order
/// does not contain each operation once (G at most once, and at least once if
/// `gradientUs` is above 0), or if an operation waits for a later one on its
/// stream.
std::optional<double> getOrderUs(std::span<const ChunkTimes> chunks,
                                 double gradientUs,
                                 const OperationOrder &order);

struct OrderPlan {
  OperationOrder order;
  double timeUs = 0;
  /// Time of the order of SPEC FS-3; never less than `timeUs`.
  double fixedOrderUs = 0;
  /// No order is faster than this; equal to `timeUs` if `isExact`.
  double lowerBoundUs = 0;
  /// True if no better order exists, because the search discarded nothing or
  /// met the bound.
  bool isExact = false;
};

struct DegreeOrderPlan {
  int64_t degree = 1;
  OrderPlan plan;
  /// No degree in any order is faster than this.
  double lowerBoundUs = 0;
};

/// Searches for orders. The search fills streams in order of time. Among
/// partial schedules that contain the same operations, it discards a schedule
/// that is nowhere earlier than another one, and any schedule that cannot beat
/// the best complete one. For up to four chunks the answer is therefore exact.
/// For more chunks, only the most promising partial schedules of each length
/// are kept. The search keeps its work memory.
class BeamSearch {
public:
  /// Number of partial schedules to keep beyond four chunks.
  static constexpr size_t kDefaultWidth = 128;
  /// Up to this number of chunks, the search is exhaustive.
  static constexpr size_t kExactChunks = 4;

  explicit BeamSearch(size_t width = kDefaultWidth) : width(width) {}

  /// Finds the best order of at least one chunk with a concurrent gradient
  /// all-reduce of `gradientUs` >= 0. The result is never worse than the order
  /// of SPEC FS-3.
  OrderPlan run(std::span<const ChunkTimes> chunks, double gradientUs);

  /// The same for `degree` equal chunks.
  OrderPlan run(const ChunkTimes &chunk, int64_t degree, double gradientUs);

  /// Finds the best order over all degrees of a plan. A degree is searched only
  /// if its lower bound is below the best order so far.
  DegreeOrderPlan run(const DegreePlan &degrees, double gradientUs);

private:
  /// The progress of a partial schedule: the number of operations of each kind
  /// in it, and when each stream is free. No completion is faster than `bound`.
  struct Partial {
    uint32_t dispatched = 0, combined = 0, gathered = 0, scattered = 0;
    bool hasGradient = false;
    double interUs = 0, intraUs = 0, expertsUs = 0;
    double boundUs = 0, sumUs = 0;
    /// The parent partial schedule, and the operation that was added to it.
    uint32_t parent = 0;
    char added = 0;
    /// Index in the layer's times of the first time of this schedule's
    /// dispatches, experts and reduce-scatters; there are three times as many
    /// as chunks.
    uint32_t times = 0;
  };
  struct Layer {
    std::vector<Partial> partials;
    std::vector<double> times;
  };
  struct Step {
    uint32_t parent;
    char added;
  };

  bool search(size_t withWidth, OrderPlan &best);
  void prepare(std::span<const ChunkTimes> chunks, double gradientUs);
  void expand(const Layer &from, uint32_t index, double limitUs, Layer &to);
  void append(const Layer &from, uint32_t index, char added, double startUs,
              double limitUs, Layer &to);
  void bound(Partial &partial, const double *times) const;
  bool isDominated(const Layer &layer, const Partial &partial,
                   const Partial &by) const;
  bool prune(Layer &layer, size_t withWidth);

  size_t width;
  std::vector<ChunkTimes> chunks;
  double gradientUs = 0;
  /// Sums over the chunks from the i-th on, and the minimum time that must
  /// follow the end of the i-th chunk's dispatch.
  std::vector<ChunkTimes> leftUs;
  std::vector<double> afterDispatchUs;
  Layer layers[2];
  /// The surviving partial schedules of one layer, in order.
  std::vector<uint32_t> kept;
  /// All steps of each layer, used to reconstruct the best order.
  std::vector<std::vector<Step>> history;
  std::vector<int64_t> byBound;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_BEAMSEARCH_H
