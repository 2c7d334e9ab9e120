// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of link loads of a fabric.

#include "moe/Circuits/FabricReport.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"
#include "llvm/ADT/ArrayRef.h"

using namespace moe;
using support::Column;

support::Report moe::makeClassReport(const fabric::LinkLoads &loads) {
  support::Report report({Column("class", "links"),
                          Column("links", "count").fixed(0),
                          Column("bytes", "bytes").fixed(0),
                          Column("mean_utilisation", "mean use").fixed(3),
                          Column("busiest_utilisation", "busiest").fixed(3)});
  for (const fabric::ClassLoad &own : loads.classes)
    report.addRow(
        {own.name, own.links, own.bytes, own.getUtilisation(), own.busiest});
  return report;
}

support::Report moe::makeBusiestReport(const fabric::LinkLoads &loads,
                                       int64_t count) {
  support::Report report({Column("link", "busiest links"),
                          Column("bytes", "bytes").fixed(0),
                          Column("utilisation", "use").fixed(3)});
  for (const fabric::LinkLoad &load :
       llvm::ArrayRef(loads.links).take_front(static_cast<size_t>(count)))
    report.addRow({load.name, load.bytes, load.getUtilisation()});
  return report;
}

std::string moe::describeFabric(const fabric::FabricOptions &options) {
  const fabric::NetworkOptions &network = options.network;
  auto count = [](int64_t number, const char *of) {
    return std::to_string(number) + " " + of + (number == 1 ? "" : "s");
  };
  std::string text = std::string(fabric::getName(network.kind)) + ": " +
                     count(network.servers, "server") + " of " +
                     count(options.serverRanks, "rank") + " and " +
                     count(network.nics, "NIC") + " of " +
                     cost::formatNumber(network.nicRate / 125) + " Gb/s";
  if (network.oversubscription != 1)
    text += ", leaves oversubscribed " +
            cost::formatNumber(network.oversubscription) + " times";
  return text;
}
