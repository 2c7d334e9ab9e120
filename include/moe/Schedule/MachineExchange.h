// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an all-to-all costs somewhere.

#ifndef MOE_SCHEDULE_MACHINEEXCHANGE_H
#define MOE_SCHEDULE_MACHINEEXCHANGE_H

#include "moe/Cost/Collectives.h"
#include "moe/Schedule/AllToAllStrategy.h"

namespace moe::schedule {

/// An all-to-all over the first axis of a mesh [ep, tp] whose buffer is the
/// same on the `tp` ranks of the second axis, on a machine whose first ranks
/// are those of the mesh, the second axis fastest. All ep * tp ranks act at
/// once. Costs are those of lib/Cost (SPEC CC-1 to CC-3), of which MO-2 and
/// MO-3 are a special case: one tensor-parallel group a node, an endpoint a
/// rank.
class MachineExchange final : public ExchangeCosts {
public:
  /// `buffer` is I of SPEC MO-1, what each rank holds. Fails, naming what was
  /// expected, when it is not a finite number of bytes above 0, when a degree
  /// is below 1 or when the machine has fewer than ep * tp ranks. The machine
  /// must outlive the result.
  static cost::Result<MachineExchange> create(const cost::Machine &machine,
                                              cost::Bytes buffer, int64_t ep,
                                              int64_t tp);

  double getBaselineUs() const override;
  StageTimes getStageTimes(int64_t chunks, Strategy strategy) const override;
  double getMessageBytes(int64_t chunks) const override;
  StageResources getResources() const override;
  Contention getContention() const override;
  double getUncertainty() const override { return machine->uncertainty.value; }
  std::string getWhyNot(Strategy strategy) const override;

  /// The same exchange with another buffer, which must be a finite number of
  /// bytes above 0.
  MachineExchange withBuffer(cost::Bytes other) const {
    MachineExchange exchange = *this;
    exchange.buffer = other;
    return exchange;
  }

  /// Whether a strategy's time rests on sizes outside of what the machine was
  /// measured at.
  bool isExtrapolated(Strategy strategy, int64_t chunks) const;

  /// The smallest message of the machine as a limit, for `ChunkLimits`.
  double getMinMessageBytes() const {
    return machine->minimumMessage.value.value();
  }

  const cost::Machine &getMachine() const { return *machine; }
  const cost::CollectivePlan &getAllToAll() const { return allToAll; }
  const cost::CollectivePlan &getAllGather() const { return allGather; }
  /// Bytes of the buffers that the stages of one of `chunks` chunks work on:
  /// what efficiencies are looked up at.
  cost::Bytes getAllToAllBytes(int64_t chunks) const {
    return buffer / (double(chunks) * double(tp));
  }
  cost::Bytes getAllGatherBytes(int64_t chunks) const {
    return buffer / double(chunks);
  }

private:
  MachineExchange(const cost::Machine &machine, cost::Bytes buffer, int64_t ep,
                  int64_t tp, cost::CollectivePlan allToAll,
                  cost::CollectivePlan allGather)
      : machine(&machine), buffer(buffer), ep(ep), tp(tp),
        allToAll(std::move(allToAll)), allGather(std::move(allGather)) {}

  const cost::Machine *machine;
  cost::Bytes buffer;
  int64_t ep, tp;
  cost::CollectivePlan allToAll, allGather;
};

} // namespace moe::schedule

#endif // MOE_SCHEDULE_MACHINEEXCHANGE_H
