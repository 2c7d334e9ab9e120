// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fabric of moe-sim.

#include "NetworkOption.h"
#include "moe/Circuits/FabricNetwork.h"
#include "moe/Circuits/FabricOption.h"

using namespace moe;

namespace {

/// `--fabric` with the other options of a fabric, and `--circuits`.
class FabricUseOption : public NetworkOption {
public:
  explicit FabricUseOption(OptionTable &table);

  bool isSet() const override { return fabric.isSet(); }
  std::string check() const override;
  /// Servers have as many ranks as the machine's nodes.
  cost::Result<std::unique_ptr<NetworkModel>>
  read(int64_t ranks, const cost::Machine *machine) const override;

private:
  FabricOption fabric;
  TextOption circuits;
};

} // namespace

FabricUseOption::FabricUseOption(OptionTable &table)
    : fabric(table, "Ranks per server (default: the platform's)"),
      circuits(table, "circuits",
               "mfabric: plan circuits for 'each' all-to-all (default) or "
               "'once' for all traffic of IN",
               "WHEN", "each") {}

std::string FabricUseOption::check() const {
  std::string alone = fabric.isSet() ? "" : fabric.findLonely();
  if (!fabric.isSet() && circuits.isSet())
    alone = circuits.getName().str();
  if (!alone.empty())
    return "--" + alone + " requires --fabric";
  if (!(circuits == "each" || circuits == "once"))
    return "--circuits: expected each or once, got '" + circuits.get() + "'";
  return "";
}

cost::Result<std::unique_ptr<NetworkModel>>
FabricUseOption::read(int64_t ranks, const cost::Machine *machine) const {
  std::unique_ptr<NetworkModel> network;
  if (!fabric.isSet())
    return network;
  int64_t ofServer = 8;
  if (machine)
    ofServer = machine->circuits ? machine->circuits->serverRanks
                                 : machine->levels.front().ranks;
  auto options = fabric.read(ranks, ofServer);
  if (!options)
    return options.getFailure();
  if (circuits.isSet() &&
      options->network.kind != moe::fabric::FabricKind::MFabric)
    return cost::Failure{"--circuits requires --fabric=mfabric"};
  FabricUse use{*options, circuits == "once"};
  if (!machine)
    return network;
  if (!fabric.hasFailures()) {
    network = std::make_unique<FabricNetwork>(std::move(use));
    return network;
  }
  auto left = fabric.applyFailures(*options);
  if (!left)
    return left.getFailure();
  use.options = std::move(*left);
  use.whole = std::move(*options);
  network = std::make_unique<FabricNetwork>(std::move(use));
  return network;
}

std::unique_ptr<NetworkOption> moe::makeNetworkOption(OptionTable &table) {
  registerFabricSection();
  return std::make_unique<FabricUseOption>(table);
}
