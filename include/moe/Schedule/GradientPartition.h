// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement of gradient all-reduces.
//
// During the backward pass, gradients of dense parameters are all-reduced over
// the links that the all-to-alls of MoE layers use. FSMoE cuts the gradients
// into buckets and sends each one during work that leaves those links idle
// (SPEC FS-7, FS-8).
//
// A network is a sequence of generalized layers: an MoE layer and the dense
// work before the next one, in forward order. The backward pass visits them
// from the last to the first, and in each the dense part precedes the MoE part:
//
//   dense n-1, MoE n-1, dense n-2, MoE n-2, ..., dense 0, MoE 0, after
//
// Each of these is a slot, which holds at most one all-reduce. The gradient of
// layer j exists as soon as its dense part has ended. It may be sent, whole or
// in buckets,
// - in the MoE part of layer j and of all layers before it (i <= j),
// - in the dense parts of the layers before it (i < j), but not in its own,
// - after the backward pass.
//
// Buckets of several gradients in one slot share one all-reduce, which pays its
// alpha once (x_g in FSMoE's eq. (5)). Times of slots:
// - a dense part: the longer of its work and its all-reduce, because the
//   following MoE part needs the same links;
// - an MoE part: the least time over its choices, see `BackwardChoice`;
// - after the backward pass: the all-reduce.

#ifndef MOE_SCHEDULE_GRADIENTPARTITION_H
#define MOE_SCHEDULE_GRADIENTPARTITION_H

#include "moe/Cost/Result.h"
#include "moe/Schedule/LayerPhase.h"

#include <string>
#include <vector>

namespace moe::schedule {

/// One way to run the backward pass of an MoE layer. With a concurrent
/// all-reduce of G us it takes max(aloneUs, throughUs + G), because the time is
/// the longest chain of operations, and G lengthens the chains that pass
/// through the all-reduce. This holds for any fixed order of operations on
/// streams.
struct BackwardChoice {
  int64_t degree = 1;
  /// Time without an all-reduce, and length of the longest chain through the
  /// place of the all-reduce, at most `aloneUs`. Both are in us, finite and at
  /// least 0.
  double aloneUs = 0, throughUs = 0;

  double getUs(double gradientUs) const {
    double through = throughUs + gradientUs;
    return through > aloneUs ? through : aloneUs;
  }
};

/// Returns FSMoE's order (SPEC FS-3) with degrees 1 to `maxDegree` >= 1. The
/// minimum over the choices is exactly f_moe of SPEC FS-7.
std::vector<BackwardChoice> getBackwardChoices(const LayerPhase &phase,
                                               int64_t maxDegree);

/// Returns Tutel's order, with all collectives on one stream, for degrees 1 to
/// `maxDegree`: first the dispatch and all-gather of each chunk in turn, then
/// the reduce-scatter and combine of each.
std::vector<BackwardChoice> getOneStreamChoices(const LayerPhase &phase,
                                                int64_t maxDegree);

struct GeneralizedLayer {
  /// Number of elements of the gradient that the dense part produces per rank.
  int64_t gradientElements = 0;
  /// Time of the dense part, during which an all-reduce may run.
  double denseUs = 0;
  /// Ways to run the MoE part; empty if the layer has none.
  std::vector<BackwardChoice> moe;
};

/// The parts of a backward pass that can send gradients.
enum class OverlapWindow : uint8_t { Dense, MoE, After };
/// Returns "dense", "moe" or "after".
const char *getName(OverlapWindow slot);

/// Part of a gradient, and where it is sent.
struct GradientBucket {
  /// The layer that contains `slot`; `kNoLayer` for `After`.
  int64_t layer = 0;
  OverlapWindow slot = OverlapWindow::MoE;
  /// The layer that produces the gradient.
  int64_t from = 0;
  int64_t elements = 0;

  static constexpr int64_t kNoLayer = -1;

  friend bool operator==(const GradientBucket &,
                         const GradientBucket &) = default;
};

/// Time of a backward pass with its gradients, in us.
struct BackwardTime {
  double denseUs = 0, moeUs = 0, afterUs = 0;
  /// The degree of each MoE part, or 0 if there is none: the smallest degree
  /// with the least time.
  std::vector<int64_t> degrees;

  double getUs() const { return denseUs + moeUs + afterUs; }
};

struct GradientPartition {
  /// Buckets in the order they are sent, older gradients first; none is empty.
  std::vector<GradientBucket> pieces;
  BackwardTime time;
  /// No partition is faster than the time minus this gap. It is 0 up to
  /// rounding unless the search had to discard candidates; see
  /// `PartitionLimits`.
  double gapUs = 0;
};

struct PartitionLimits {
  /// Maximum number of candidates to keep from slot to slot; fewer are kept
  /// with more than about 500 layers. If there are more, the search discards
  /// some that are about as good as others, and `gapUs` bounds the resulting
  /// loss.
  size_t maxCandidates = 4096;
};

/// Returns why layers or the model of an all-reduce are invalid, with the
/// expected and actual values; empty if valid. Every time must be in [0, 1e15]
/// us, `throughUs` at most `aloneUs`, element counts at least 0 and together at
/// most 2^53, and the degree of a choice at least 1.
std::string checkLayers(const std::vector<GeneralizedLayer> &layers,
                        const LinearTime &allReduce);

/// Returns why buckets are invalid; empty if valid. Every bucket must have
/// elements, be in an existing slot and be sent after its gradient exists, and
/// the buckets of each gradient must add up to it (SPEC FS-8). They may be in
/// any order.
std::string checkPartition(const std::vector<GeneralizedLayer> &layers,
                           const std::vector<GradientBucket> &pieces);

/// Returns the time of the backward pass. An all-reduce of x > 0 elements takes
/// `allReduce.getUs(x)`. `layers` and `pieces` must pass the checks above.
BackwardTime getBackwardTime(const std::vector<GeneralizedLayer> &layers,
                             const LinearTime &allReduce,
                             const std::vector<GradientBucket> &pieces);

/// Runs only step 1 of SPEC FS-7: each slot in turn gets as many of the
/// available gradients as cost no time. The rest is sent in the last MoE part
/// that can carry all of it, or after the backward pass. Fails with the message
/// of `checkLayers`.
cost::Result<GradientPartition>
hideGradients(const std::vector<GeneralizedLayer> &layers,
              const LinearTime &allReduce);

/// Runs steps 1 and 2 to find the partition with the least time. If `gapUs` is
/// 0, it is exact up to one element's time per slot, because buckets have whole
/// elements (lib/Schedule/GradientPartition.cpp has the proof). Fails with the
/// message of `checkLayers`.
cost::Result<GradientPartition>
partitionGradients(const std::vector<GeneralizedLayer> &layers,
                   const LinearTime &allReduce,
                   const PartitionLimits &limits = {});

} // namespace moe::schedule

#endif // MOE_SCHEDULE_GRADIENTPARTITION_H
