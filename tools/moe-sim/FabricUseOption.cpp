// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fabric of moe-sim.

#include "FabricUseOption.h"

using namespace moe;

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

cost::Result<std::optional<FabricUse>>
FabricUseOption::read(int64_t ranks, const cost::Machine *machine) const {
  std::optional<FabricUse> use;
  if (!fabric.isSet())
    return use;
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
  use = FabricUse{*options, circuits == "once"};
  if (!machine || !fabric.hasFailures())
    return use;
  auto left = fabric.applyFailures(*options);
  if (!left)
    return left.getFailure();
  use->options = std::move(*left);
  use->whole = std::move(*options);
  return use;
}
