// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of a phase on a machine.

#ifndef MOE_SCHEDULE_MACHINEPHASE_H
#define MOE_SCHEDULE_MACHINEPHASE_H

#include "moe/Cost/Collectives.h"
#include "moe/Schedule/ExpertSkew.h"
#include "moe/Schedule/LayerPhase.h"

namespace moe::schedule {

/// A phase of an MoE layer on the ranks of a machine, numbered like a mesh [ep,
/// tp]. All-to-alls run over the first axis, all-gathers and reduce-scatters
/// over the second, on all ranks at once. Communication costs are from lib/Cost
/// (SPEC CC-1 to CC-3), which prefers fits of the platform; the experts' time
/// is the time of their GEMMs (SPEC FS-1, FS-2). With two or more chunks, each
/// operation also takes the machine's pipeline stall.
class MachinePhase final : public LayerPhase {
public:
  /// `shape` describes the layer; its elements have `element` bytes during
  /// communication. By default, `ep` is the number of groups of `shape.tp`
  /// ranks of the machine. `skew` scales the work of the busiest rank; with a
  /// skew, `shape` should have no capacity factor, because real tokens are not
  /// padded.
  ///
  /// Fails if a size is out of range, if the machine lacks ranks or times of
  /// GEMMs, or if all-to-alls and the collectives inside nodes use the same
  /// links and therefore cannot overlap. The failure names the expected values.
  /// The machine must outlive the result.
  static cost::Result<MachinePhase>
  create(const cost::Machine &machine, const LayerShape &shape,
         TrainingPhase which, cost::BytesPerElement element,
         std::optional<int64_t> ep = std::nullopt,
         const ExpertSkew &skew = ExpertSkew());

  ChunkTimes getTimes(double share) const override;

  /// Returns true if the times of chunks of this share depend on sizes outside
  /// the measured range of the machine.
  bool isExtrapolated(double share) const;

  /// Returns the phase in terms of alphas and slopes if all of its times are
  /// linear, which requires fits or levels without efficiency curves, and no
  /// pipeline stall.
  const std::optional<LinearPhase> &getLinear() const { return linear; }

  /// Returns the maximum number of chunks, up to `most`, with messages that are
  /// not below the machine's smallest (SPEC MO-5); at least 1.
  int64_t getMaxDegree(int64_t most) const;

  /// Returns the minimum number of parts, out of `granularity`, per chunk for
  /// the same limit; at least 1.
  int64_t getLeastParts(int64_t granularity) const;

  const LayerWork &getWork() const { return work; }
  int64_t getExpertParallelRanks() const { return ep; }
  /// Buffer sizes of a whole all-to-all, and of a whole all-gather's result and
  /// reduce-scatter's operand.
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
