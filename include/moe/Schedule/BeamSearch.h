// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Better orders than FSMoE's.
//
// FSMoE runs all dispatches before all combines and all all-gathers before all
// reduce-scatters (SPEC FS-3). Interleaving them can be faster (SPEC FS-6), and
// gradients may be reduced at any place among the all-to-alls.

#ifndef MOE_SCHEDULE_BEAMSEARCH_H
#define MOE_SCHEDULE_BEAMSEARCH_H

#include "moe/Schedule/DegreePlanner.h"

#include <array>
#include <string>
#include <vector>

namespace moe::schedule {

/// In which order two streams run a phase's operations; those of one kind run
/// by chunk, and the stream of experts has no choice.
struct OperationOrder {
  /// Of all-to-alls: D a dispatch, C a combine, G the gradients' all-reduce.
  std::string inter;
  /// Inside nodes: A an all-gather, R a reduce-scatter.
  std::string intra;

  friend bool operator==(const OperationOrder &,
                         const OperationOrder &) = default;
};

/// The order of SPEC FS-3: DDGCC and AARR for 2 chunks. G is left out when
/// `hasGradient` is not set.
OperationOrder getFixedOrder(int64_t degree, bool hasGradient);

/// When the last operation of either stream ends, each started as soon as its
/// stream and what it waits for allow. None when the order does not hold each
/// operation once (G at most once, and at least once if `gradientUs` is above
/// 0), or when an operation waits for one behind it.
std::optional<double> getOrderUs(std::span<const ChunkTimes> chunks,
                                 double gradientUs,
                                 const OperationOrder &order);

/// The best order that was found.
struct OrderPlan {
  OperationOrder order;
  double timeUs = 0;
  /// What the order of SPEC FS-3 takes; never less than `timeUs`.
  double fixedOrderUs = 0;
  /// What no order beats: `timeUs` if `isExact`.
  double lowerBoundUs = 0;
  /// There is no better order: the search left nothing out, or met the bound.
  bool isExact = false;
};

/// The best degree with its order.
struct DegreeOrderPlan {
  int64_t degree = 1;
  OrderPlan plan;
  /// What no degree in no order beats.
  double lowerBoundUs = 0;
};

/// Finds orders. Streams are filled in order of time; of the partial schedules
/// that hold the same operations, one that is nowhere earlier than another is
/// dropped, and so is what cannot beat the best whole schedule so far. Up to
/// four chunks, that is all, and the answer is exact. Beyond, the most
/// promising partial schedules of each length are kept. Holds its work memory.
class BeamSearch {
public:
  /// Partial schedules kept beyond four chunks.
  static constexpr size_t kDefaultWidth = 128;
  /// Up to so many chunks none is left out.
  static constexpr size_t kExactChunks = 4;

  explicit BeamSearch(size_t width = kDefaultWidth) : width(width) {}

  /// The best order of chunks, at least one, beside an all-reduce of gradients
  /// that takes `gradientUs` >= 0. Never worse than the order of SPEC FS-3.
  OrderPlan run(std::span<const ChunkTimes> chunks, double gradientUs);

  /// The same for `degree` equal chunks.
  OrderPlan run(const ChunkTimes &chunk, int64_t degree, double gradientUs);

  /// The best order over all degrees of a plan. A degree is searched only if
  /// its lower bound is below the best order so far.
  DegreeOrderPlan run(const DegreePlan &degrees, double gradientUs);

private:
  /// How far a partial schedule has come: how many operations of each kind it
  /// holds, and when each stream is free. `bound` is what no completion beats.
  struct Partial {
    uint32_t dispatched = 0, combined = 0, gathered = 0, scattered = 0;
    bool hasGradient = false;
    double interUs = 0, intraUs = 0, expertsUs = 0;
    double boundUs = 0, sumUs = 0;
    /// What it was made from, and by adding what.
    uint32_t parent = 0;
    char added = 0;
    /// Its times of dispatches, experts and reduce-scatters: three times the
    /// number of chunks, from here on in the layer's times.
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
  /// Sums over the chunks from the i-th on, and the least that must follow the
  /// end of the i-th chunk's dispatch.
  std::vector<ChunkTimes> leftUs;
  std::vector<double> afterDispatchUs;
  Layer layers[2];
  /// Which of a layer's partial schedules live on, in order.
  std::vector<uint32_t> kept;
  /// All steps of each layer, for the order of the best one.
  std::vector<std::vector<Step>> history;
  std::vector<int64_t> byBound;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_BEAMSEARCH_H
