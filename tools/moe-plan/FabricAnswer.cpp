// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan fabric says.

#include "FabricAnswer.h"
#include "moe/Compiler/FabricReport.h"
#include "moe/Support/HeatMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;
using moe::support::Column;

void FabricAnswer::addLoads() {
  LinkLoadSum sum;
  for (const ExchangeRow &row : rows)
    sum.add(row.exchange);
  loads = sum.get();
}

static Report makeRows(const FabricAnswer &answer) {
  Report report({Column("step", "step").fixed(0), Column("layer", "layer"),
                 Column("time_us", "time us").fixed(1),
                 Column("sent_bytes", "bytes between servers").fixed(0),
                 Column("flows", "flows").fixed(0),
                 Column("parts", "parts").fixed(0),
                 Column("simulated_parts", "simulated").fixed(0),
                 Column("events", "events").hidden(),
                 Column("circuits", "circuits").fixed(0)});
  for (const ExchangeRow &row : answer.rows)
    report.addRow({row.step, row.layer, row.us, row.exchange.sentBytes,
                   row.exchange.numFlows, row.exchange.times.parts,
                   row.exchange.times.simulated, row.exchange.times.events,
                   row.circuits});
  return report;
}

void moe::plan::printFabricJSON(json::OStream &out, const FabricAnswer &answer,
                                int64_t links) {
  const NetworkOptions &network = answer.options.network;
  out.attribute("fabric", StringRef(getName(network.kind)));
  out.attribute("servers", network.servers);
  out.attribute("nics_per_server", network.nics);
  out.attribute("ranks_per_server", answer.options.serverRanks);
  out.attribute("rate_gbps", answer.rateGbps);
  out.attribute("groups", answer.groups);
  out.attribute("time_us", answer.getTotalUs());
  out.attributeArray("exchanges", [&] { makeRows(answer).printItems(out); });
  out.attributeArray("classes",
                     [&] { makeClassReport(answer.loads).printItems(out); });
  out.attributeArray("busiest", [&] {
    makeBusiestReport(answer.loads, links).printItems(out);
  });
  if (const auto &failures = answer.failures)
    out.attributeObject("failures", [&] {
      out.attribute("before_us", failures->beforeUs);
      out.attribute("at_once_us", failures->atOnceUs);
      out.attribute("replanned_us", failures->replannedUs);
      out.attribute("fat_tree_before_us", failures->treeBeforeUs);
      out.attribute("fat_tree_us", failures->treeUs);
    });
}

void moe::plan::printFabricText(raw_ostream &os, const FabricAnswer &answer,
                                int64_t links) {
  os << formatv("{0}, {1} group{2}\n", describeFabric(answer.options),
                answer.groups, answer.groups == 1 ? "" : "s");
  os << formatv("{0:F1} us in {1} exchange{2}\n\n", answer.getTotalUs(),
                answer.rows.size(), answer.rows.size() == 1 ? "" : "s");
  if (answer.rows.size() <= 20) {
    makeRows(answer).printTable(os);
    os << "\n";
  }
  makeClassReport(answer.loads).printTable(os);
  os << "\n";
  makeBusiestReport(answer.loads, links).printTable(os);
  if (const auto &failures = answer.failures) {
    auto times = [&](double us, double before) {
      return formatFixed(us, 1) + " us, " + formatFixed(us / before, 3) +
             " times";
    };
    Report table = makeList({false, false});
    table.addRow({std::string("  none failed"),
                  formatFixed(failures->beforeUs, 1) + " us"});
    table.addRow({std::string("  at once"),
                  times(failures->atOnceUs, failures->beforeUs)});
    table.addRow({std::string("  planned anew"),
                  times(failures->replannedUs, failures->beforeUs)});
    table.addRow({std::string("  a fat tree without these NICs"),
                  times(failures->treeUs, failures->treeBeforeUs)});
    os << "\nNICs that have failed\n";
    table.printTable(os, /*withHeading=*/false);
  }
}

void moe::plan::printFabricCSV(raw_ostream &os, const FabricAnswer &answer) {
  makeRows(answer).printCSV(os);
}

void moe::plan::printFabricPicture(raw_ostream &os,
                                   const FabricAnswer &answer) {
  // So many squares a row; where there are more links, the busiest of those of
  // a square.
  constexpr int64_t kMostSquares = 48;
  int64_t most = 1;
  for (const ClassLoad &own : answer.loads.classes)
    most = std::max(most, own.links);
  int64_t columns = std::min(most, kMostSquares);
  std::vector<const LinkLoad *> squares(answer.loads.classes.size() *
                                        size_t(columns));
  for (size_t c = 0; c < answer.loads.classes.size(); ++c)
    for (const LinkLoad &load : answer.loads.links) {
      if (load.className != answer.loads.classes[c].name)
        continue;
      int64_t links = answer.loads.classes[c].links;
      int64_t column =
          links <= columns ? load.place : load.place * columns / links;
      const LinkLoad *&own =
          squares[c * size_t(columns) + size_t(std::min(column, columns - 1))];
      if (!own || load.getUtilisation() > own->getUtilisation())
        own = &load;
    }
  auto get = [&](int64_t row, int64_t column) {
    return squares[size_t(row * columns + column)];
  };
  support::HeatMap map;
  map.title = formatv("use of links in percent, {0} of {1} servers",
                      getName(answer.options.network.kind),
                      answer.options.network.servers)
                  .str();
  map.rowTitle = "sorts of links";
  map.columnTitle = "links";
  map.rows = int64_t(answer.loads.classes.size());
  map.columns = columns;
  map.value = [&](int64_t row, int64_t column) {
    const LinkLoad *own = get(row, column);
    return own ? std::round(1000 * own->getUtilisation()) / 10 : 0.0;
  };
  map.describe = [&](int64_t row, int64_t column) -> std::string {
    const LinkLoad *own = get(row, column);
    if (!own)
      return answer.loads.classes[size_t(row)].name + ": nothing";
    return own->name + ": " + formatFixed(100 * own->getUtilisation(), 1) +
           " %, " + formatFixed(own->bytes, 0) + " bytes";
  };
  map.print(os);
}
