// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives as flows over a fabric.

#ifndef MOE_FABRIC_FABRICCOST_H
#define MOE_FABRIC_FABRICCOST_H

#include "moe/Cost/ExchangePricer.h"
#include "moe/Fabric/NetworkExchange.h"

#include <map>
#include <optional>

namespace moe::fabric {

/// The messages of a collective of all groups at once. All-to-alls send each
/// block on its own; the others go round rings, a rank sending the next of its
/// group what SPEC CC-2 says. Fails as `cost::getSentBytes` does.
cost::Result<std::vector<RankMessage>>
makeRankMessages(const cost::RankGroups &groups, const cost::Traffic &traffic);

/// What a collective takes on a fabric, with its reasons.
struct FabricCost {
  /// Inside of servers what `cost::getTrafficCost` says of each level; for all
  /// levels outside of them the outermost that is crossed, which takes what the
  /// flows do, latencies with them. Its busiest endpoint is a NIC of the server
  /// that carries most, over all of its NICs evenly.
  cost::CostBreakdown byLevels;
  /// Null where nothing leaves a server.
  std::shared_ptr<const FabricExchange> flows;
};

/// Circuits that a program has when a collective begins.
struct GivenCircuits {
  /// Between all servers of the program.
  const Circuits *circuits = nullptr;
  Routing routing = Routing::Split;
};

/// Prices collectives of a program by their flows over a fabric, in place of
/// the machine's levels outside of servers. Remembers what it has priced.
class FabricPricer : public cost::ExchangePricer {
public:
  /// Where the circuits are from that a fabric with such has.
  enum class CircuitUse : uint8_t {
    /// Planned for each all-to-all and there when it begins; what else there is
    /// goes over packets. Of a patch panel, which stays, all is planned `Once`.
    Each,
    /// Planned once for all that `addDemand` was told of.
    Once,
    /// What the program has set up, or none.
    Given
  };

  /// `programRanks` are those of the program. As many copies of it as the
  /// cluster has room for run at once, each from a server of its own on.
  FabricPricer(FabricOptions options, int64_t programRanks,
               CircuitUse use = CircuitUse::Each);

  /// Tells of a collective that the program has so many times. Fails as
  /// `makeRankMessages` does.
  std::optional<cost::Failure> addDemand(const cost::RankGroups &groups,
                                         const cost::Traffic &traffic,
                                         double times);
  /// Plans circuits for what was told.
  std::optional<cost::Failure> planOnce();

  /// The price of all groups at once: what lies inside of servers, and the
  /// flows of what leaves them, go on together. Fails as `getTrafficCost`,
  /// `makeRankMessages` and `runFabricExchange` do, when no level of the
  /// machine spans just a server, and for given circuits that the fabric cannot
  /// have: more at a server than it has optical NICs, between circuit switches,
  /// or any on a fabric without circuits.
  cost::Result<FabricCost> getCost(const cost::Machine &machine,
                                   const cost::RankGroups &groups,
                                   const cost::Traffic &traffic,
                                   const GivenCircuits &given = {});

  /// The same, over the exchange's own circuits (`CircuitLinks`). The details
  /// are a `FabricExchange`. A failure names the fabric.
  cost::Result<cost::PricedExchange> price(const cost::Machine &machine,
                                           const cost::RankGroups &groups,
                                           const cost::Traffic &traffic,
                                           const cost::Links *links) override;

  const FabricOptions &getOptions() const { return options; }
  CircuitUse getCircuitUse() const { return use; }
  int64_t getNumCopies() const { return copies; }

private:
  std::vector<RankMessage>
  copyMessages(const std::vector<RankMessage> &messages) const;
  cost::Result<std::vector<CircuitPair>>
  findCircuits(const cost::Traffic &traffic,
               const std::vector<RankMessage> &messages,
               const GivenCircuits &given) const;
  cost::Result<std::shared_ptr<const FabricExchange>>
  run(const cost::Traffic &traffic, const std::vector<RankMessage> &messages,
      const GivenCircuits &given);

  FabricOptions options;
  CircuitUse use;
  /// Servers from one copy to the next.
  int64_t copyServers, copies;
  std::vector<RankMessage> demand;
  std::vector<CircuitPair> planned;
  /// Of equal blocks by kind, size and groups.
  std::map<std::vector<double>, FabricCost> known;
  /// Flows by what servers send each other, and over which circuits.
  std::map<std::vector<double>, std::shared_ptr<const FabricExchange>> ran;
};

} // namespace moe::fabric

#endif // MOE_FABRIC_FABRICCOST_H
