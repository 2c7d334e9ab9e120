// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of an all-to-all on a machine.

#ifndef MOE_SCHEDULE_MACHINEEXCHANGE_H
#define MOE_SCHEDULE_MACHINEEXCHANGE_H

#include "moe/Cost/Collectives.h"
#include "moe/Schedule/AllToAllStrategy.h"

namespace moe::schedule {

/// An all-to-all over the first axis of a mesh [ep, tp]. All `tp` ranks of the
/// second axis have equal buffers. The mesh consists of the machine's first
/// ranks, and the second axis varies fastest. All ep * tp ranks act at once.
/// Costs are from lib/Cost (SPEC CC-1 to CC-3); MO-2 and MO-3 are the special
/// case of one tensor-parallel group per node and one endpoint per rank.
class MachineExchange final : public ExchangeCosts {
public:
  /// `buffer` is I of SPEC MO-1, the bytes that each rank holds. Fails if it is
  /// not a finite number above 0, if a degree is below 1, or if the machine has
  /// fewer than ep * tp ranks. The failure names the expected values. The
  /// machine must outlive the result.
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

  /// Returns the same exchange with another buffer, which must be a finite
  /// number of bytes above 0.
  MachineExchange withBuffer(cost::Bytes other) const {
    MachineExchange exchange = *this;
    exchange.buffer = other;
    return exchange;
  }

  /// Returns true if a strategy's time depends on sizes outside the measured
  /// range of the machine.
  bool isExtrapolated(Strategy strategy, int64_t chunks) const;

  /// Returns the machine's smallest message in bytes, for use in `ChunkLimits`.
  double getMinMessageBytes() const {
    return machine->minimumMessage.value.value();
  }

  const cost::Machine &getMachine() const { return *machine; }
  const cost::CollectivePlan &getAllToAll() const { return allToAll; }
  const cost::CollectivePlan &getAllGather() const { return allGather; }
  /// Buffer sizes of the stages of one of `chunks` chunks, used to look up
  /// efficiencies.
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
