// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layer's phase costs somewhere.

#ifndef MOE_SCHEDULE_MACHINEPHASE_H
#define MOE_SCHEDULE_MACHINEPHASE_H

#include "moe/Cost/Collectives.h"
#include "moe/Schedule/ExpertSkew.h"
#include "moe/Schedule/LayerPhase.h"

namespace moe::schedule {

/// A phase of an MoE layer on the ranks of a machine, numbered as those of a
/// mesh [ep, tp]: all-to-alls run over the first axis, all-gathers and
/// reduce-scatters over the second, by all ranks at once. Costs are those of
/// lib/Cost (SPEC CC-1 to CC-3), where fits of the platform come first; the
/// experts' time is that of their GEMMs (SPEC FS-1, FS-2). Each operation of at
/// least two chunks takes the machine's pipeline stall as well.
class MachinePhase final : public LayerPhase {
public:
  /// `shape` is of the layer, whose elements take `element` bytes on the way.
  /// `ep` is as many as the machine has groups of `shape.tp` ranks unless
  /// given. `skew` multiplies what the busiest rank has to do; its shape's
  /// capacity factor should be none then, since real tokens are not padded.
  /// Fails, naming what was expected, when a size is out of range, when the
  /// machine lacks ranks or times of GEMMs, or when all-to-alls and the
  /// collectives inside of nodes use the same links, so that they cannot
  /// overlap. The machine must outlive the result.
  static cost::Result<MachinePhase>
  create(const cost::Machine &machine, const LayerShape &shape,
         TrainingPhase which, cost::BytesPerElement element,
         std::optional<int64_t> ep = std::nullopt,
         const ExpertSkew &skew = ExpertSkew());

  ChunkTimes getTimes(double share) const override;

  /// Whether the times of chunks of this share rest on sizes outside of what
  /// the machine was measured at.
  bool isExtrapolated(double share) const;

  /// The same phase by alphas and slopes, where all of its times are linear:
  /// fits or levels without efficiency curves, and no pipeline stall.
  const std::optional<LinearPhase> &getLinear() const { return linear; }

  /// The most chunks, up to `most`, whose messages are not below the machine's
  /// smallest (SPEC MO-5); at least 1.
  int64_t getMaxDegree(int64_t most) const;

  /// The least parts of `granularity` that a chunk must have for the same; at
  /// least 1.
  int64_t getLeastParts(int64_t granularity) const;

  const LayerWork &getWork() const { return work; }
  int64_t getExpertParallelRanks() const { return ep; }
  /// Buffers of an all-to-all, and of an all-gather's result and a
  /// reduce-scatter's operand, whole.
  cost::Bytes getAllToAllBytes() const { return allToAllBytes; }
  cost::Bytes getGatheredBytes() const { return gatheredBytes; }

private:
  MachinePhase(const cost::Machine &machine, const LayerWork &work, int64_t ep,
               cost::CollectivePlan allToAll, cost::CollectivePlan allGather,
               cost::CollectivePlan reduceScatter)
      : machine(&machine), work(work), ep(ep), allToAll(std::move(allToAll)),
        allGather(std::move(allGather)),
        reduceScatter(std::move(reduceScatter)) {}

  const cost::Machine *machine;
  LayerWork work;
  int64_t ep;
  cost::Bytes allToAllBytes, gatheredBytes;
  cost::CollectivePlan allToAll, allGather, reduceScatter;
  std::optional<LinearPhase> linear;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_MACHINEPHASE_H
