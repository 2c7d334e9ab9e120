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

/// Returns the messages of a collective of all groups at once. All-to-alls send
/// each block separately; other collectives use rings, where each rank sends
/// the amounts of SPEC CC-2 to the next one of its group. Fails like
/// `cost::getSentBytes`.
cost::Result<std::vector<RankMessage>>
makeRankMessages(const cost::RankGroups &groups, const cost::Traffic &traffic);

/// The cost of a collective on a fabric, with an explanation.
struct FabricCost {
  /// Inside servers, the costs of each level from `cost::getTrafficCost`. All
  /// levels outside are represented by the outermost one that is crossed, with
  /// the time of the flows including latencies. Its busiest endpoint is a NIC
  /// of the server with the most bytes, which are spread evenly over its NICs.
  cost::CostBreakdown byLevels;
  /// Null if all data stays inside servers.
  std::shared_ptr<const FabricExchange> flows;
};

/// The circuits of a program at the start of a collective.
struct GivenCircuits {
  /// Circuits between all servers of the program.
  const Circuits *circuits = nullptr;
  Routing routing = Routing::Split;
};

/// Prices collectives of a program by their flows over a fabric, instead of by
/// the machine's levels outside servers. Caches prices.
class FabricPricer : public cost::ExchangePricer {
public:
  /// The origin of circuits, for fabrics with circuits.
  enum class CircuitUse : uint8_t {
    /// Circuits are planned for each all-to-all and available when it begins;
    /// other collectives use packets. A patch panel cannot change, so `Once` is
    /// used instead.
    Each,
    /// Circuits are planned once for all collectives given to `addDemand`.
    Once,
    /// Circuits are set up by the program, or absent.
    Given
  };

  /// `programRanks` is the number of ranks of the program. As many copies of
  /// the program as the cluster has room for run concurrently, each starting at
  /// a server of its own.
  FabricPricer(FabricOptions options, int64_t programRanks,
               CircuitUse use = CircuitUse::Each);

  /// Adds a collective that the program executes `times` times. Fails like
  /// `makeRankMessages`.
  std::optional<cost::Failure> addDemand(const cost::RankGroups &groups,
                                         const cost::Traffic &traffic,
                                         double times);
  /// Plans circuits for the added demand.
  std::optional<cost::Failure> planOnce();

  /// Returns the price of all groups at once, where data inside servers and
  /// flows between them are concurrent. Fails like `getTrafficCost`,
  /// `makeRankMessages` and `runFabricExchange`, if no level of the machine
  /// spans exactly one server, and for given circuits that the fabric cannot
  /// have: more at a server than its optical NICs, between circuit switches, or
  /// any on a fabric without circuits.
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
  /// Number of servers per copy, and number of copies.
  int64_t copyServers, copies;
  std::vector<RankMessage> demand;
  std::vector<CircuitPair> planned;
  /// Cached costs of equal blocks by kind, size and groups.
  std::map<std::vector<double>, FabricCost> known;
  /// Cached flows by the bytes between servers and by circuits.
  std::map<std::vector<double>, std::shared_ptr<const FabricExchange>> ran;
};

} // namespace moe::fabric

#endif // MOE_FABRIC_FABRICCOST_H
