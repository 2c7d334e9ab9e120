// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where gradients are sent.
//
// During the backward pass, gradients of dense parameters are all-reduced over
// the links that the all-to-alls of MoE layers use. FSMoE cuts the gradients
// into pieces and sends each beside work that leaves those links idle (SPEC
// FS-7, FS-8).
//
// A network is a row of generalized layers: an MoE layer and the dense work
// before the next one, in forward order. The backward pass walks them from the
// last to the first, and in each the dense part comes before the MoE part:
//
//   dense n-1, MoE n-1, dense n-2, MoE n-2, ..., dense 0, MoE 0, after
//
// Each of these is a slot, which holds at most one all-reduce. The gradient of
// layer j exists when its dense part has ended. It may be sent, whole or in
// pieces,
//  - in the MoE part of layer j and of all layers before it (i <= j),
//  - in the dense parts of the layers before it (i < j), not in its own,
//  - after the backward pass.
// Pieces of several gradients in one slot travel in one all-reduce, which pays
// its alpha once (the x_g of FSMoE's eq. (5)). Times of slots:
//  - a dense part: the longer of its work and its all-reduce, since the MoE
//    part behind it needs the same links;
//  - an MoE part: the least over its choices, see `BackwardChoice`;
//  - after the backward pass: the all-reduce.

#ifndef MOE_SCHEDULE_GRADIENTPARTITION_H
#define MOE_SCHEDULE_GRADIENTPARTITION_H

#include "moe/Cost/Result.h"
#include "moe/Schedule/LayerPhase.h"

#include <string>
#include <vector>

namespace moe::schedule {

/// One way to run the backward pass of an MoE layer. Beside an all-reduce of
/// G us it takes max(aloneUs, throughUs + G): of all chains of operations, the
/// longest, and those that pass through the all-reduce are longer by G. That
/// holds for any fixed order of operations on streams.
struct BackwardChoice {
  int64_t degree = 1;
  /// What it takes alone, and its longest chain through the place of the
  /// all-reduce, at most `aloneUs`. In us, finite and at least 0.
  double aloneUs = 0, throughUs = 0;

  double getUs(double gradientUs) const {
    double through = throughUs + gradientUs;
    return through > aloneUs ? through : aloneUs;
  }
};

/// FSMoE's order (SPEC FS-3) with degrees 1 to `maxDegree` >= 1: the least of
/// the choices is f_moe of SPEC FS-7, exactly.
std::vector<BackwardChoice> getBackwardChoices(const LayerPhase &phase,
                                               int64_t maxDegree);

/// Tutel's order, all collectives on one stream, with degrees 1 to `maxDegree`:
/// the dispatch and all-gather of each chunk in turn, then the reduce-scatter
/// and combine of each.
std::vector<BackwardChoice> getOneStreamChoices(const LayerPhase &phase,
                                                int64_t maxDegree);

struct GeneralizedLayer {
  /// Elements of the gradient that its dense part produces on a rank.
  int64_t gradientElements = 0;
  /// The time of its dense part beside which an all-reduce may run.
  double denseUs = 0;
  /// How its MoE part may run; empty when it has none.
  std::vector<BackwardChoice> moe;
};

/// The parts of a backward pass that carry gradients.
enum class OverlapWindow : uint8_t { Dense, MoE, After };
/// "dense", "moe" or "after".
const char *getName(OverlapWindow slot);

/// Part of a gradient, and where it is sent.
struct GradientBucket {
  /// The layer that `slot` is of; `kNoLayer` for `After`.
  int64_t layer = 0;
  OverlapWindow slot = OverlapWindow::MoE;
  /// The layer whose gradient it is.
  int64_t from = 0;
  int64_t elements = 0;

  static constexpr int64_t kNoLayer = -1;

  friend bool operator==(const GradientBucket &,
                         const GradientBucket &) = default;
};

/// What a backward pass takes with its gradients, in us.
struct BackwardTime {
  double denseUs = 0, moeUs = 0, afterUs = 0;
  /// The degree of each MoE part, 0 for a layer without one: the smallest of
  /// those with the least time.
  std::vector<int64_t> degrees;

  double getUs() const { return denseUs + moeUs + afterUs; }
};

struct GradientPartition {
  /// In the order in which they are sent, older gradients first; none is
  /// empty.
  std::vector<GradientBucket> pieces;
  BackwardTime time;
  /// No partition is faster than the time less this. 0 up to rounding unless
  /// the search had to leave candidates out; see `PartitionLimits`.
  double gapUs = 0;
};

struct PartitionLimits {
  /// Candidates kept from slot to slot, fewer with more than 500 layers or so.
  /// Where there would be more, some that are about as good as others are left
  /// out, and `gapUs` says what that may have cost.
  size_t maxCandidates = 4096;
};

/// What is wrong with layers or with the model of an all-reduce, naming what
/// was expected and what was found; empty when nothing is: every time is in
/// [0, 1e15] us, `throughUs` is at most `aloneUs`, elements are at least 0 and
/// together at most 2^53, the degree of a choice is at least 1.
std::string checkLayers(const std::vector<GeneralizedLayer> &layers,
                        const LinearTime &allReduce);

/// What is wrong with pieces of gradients; empty when nothing is: every piece
/// has elements, is in a slot there is and is sent after its gradient exists,
/// and the pieces of each gradient add up to it (SPEC FS-8). In any order.
std::string checkPartition(const std::vector<GeneralizedLayer> &layers,
                           const std::vector<GradientBucket> &pieces);

/// What the backward pass takes. An all-reduce of x > 0 elements takes
/// `allReduce.getUs(x)`. `layers` and `pieces` pass the checks above.
BackwardTime getBackwardTime(const std::vector<GeneralizedLayer> &layers,
                             const LinearTime &allReduce,
                             const std::vector<GradientBucket> &pieces);

/// Step 1 of SPEC FS-7 alone: each slot in turn gets as much of the gradients
/// that exist as costs no time, and what is left is sent in the last MoE part
/// that can carry all of it, or after the backward pass. Fails as `checkLayers`
/// says.
cost::Result<GradientPartition>
hideGradients(const std::vector<GeneralizedLayer> &layers,
              const LinearTime &allReduce);

/// Steps 1 and 2 together: the partition with the least time. Exact up to one
/// element's time for each slot, since pieces are whole elements, where
/// `gapUs` is 0 (see lib/Schedule/GradientPartition.cpp for the proof). Fails
/// as `checkLayers` says.
cost::Result<GradientPartition>
partitionGradients(const std::vector<GeneralizedLayer> &layers,
                   const LinearTime &allReduce,
                   const PartitionLimits &limits = {});

} // namespace moe::schedule

#endif // MOE_SCHEDULE_GRADIENTPARTITION_H
