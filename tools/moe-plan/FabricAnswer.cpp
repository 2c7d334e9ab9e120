//===- FabricAnswer.cpp - What moe-plan fabric says -----------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FabricAnswer.h"
#include "moe/Support/HeatMap.h"
#include "moe/Support/Json.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;
using moe::support::Column;

void FabricAnswer::addLoads() {
  // Links of exchanges with other circuits have other numbers.
  std::map<std::string, LinkLoad> byName;
  std::map<std::string, ClassLoad> byClass;
  std::vector<std::string> order;
  for (const ExchangeRow &row : rows) {
    const Network &network = *row.exchange.network;
    for (const LinkClass &own : network.getClasses()) {
      auto [found, isNew] = byClass.try_emplace(own.name);
      if (isNew) {
        found->second.name = own.name;
        order.push_back(own.name);
      }
      found->second.links = std::max(found->second.links, own.count);
      for (int64_t l = own.first; l < own.first + own.count; ++l) {
        double bytes = row.exchange.times.linkBytes[size_t(l)];
        double most = network.getLinks()[size_t(l)].capacity * row.us;
        found->second.bytes += bytes;
        found->second.most += most;
        if (bytes == 0)
          continue;
        LinkLoad &load = byName[network.getName(l)];
        load.className = own.name;
        load.place = l - own.first;
        load.bytes += bytes;
        load.most += most;
      }
    }
  }
  for (auto &[name, load] : byName) {
    load.name = name;
    ClassLoad &own = byClass[load.className];
    own.busiest = std::max(own.busiest, load.getUtilisation());
    loads.push_back(load);
  }
  std::sort(loads.begin(), loads.end(),
            [](const LinkLoad &a, const LinkLoad &b) {
              return std::tuple(-a.getUtilisation(), a.className, a.place) <
                     std::tuple(-b.getUtilisation(), b.className, b.place);
            });
  for (const std::string &name : order)
    classes.push_back(byClass[name]);
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

static Report makeClasses(const FabricAnswer &answer) {
  Report report({Column("class", "links"), Column("links", "count").fixed(0),
                 Column("bytes", "bytes").fixed(0),
                 Column("mean_utilisation", "mean use").fixed(3),
                 Column("busiest_utilisation", "busiest").fixed(3)});
  for (const ClassLoad &own : answer.classes)
    report.addRow({own.name, own.links, own.bytes,
                   own.most > 0 ? own.bytes / own.most : 0.0, own.busiest});
  return report;
}

static Report makeBusiest(const FabricAnswer &answer, int64_t links) {
  Report report({Column("link", "busiest links"),
                 Column("bytes", "bytes").fixed(0),
                 Column("utilisation", "use").fixed(3)});
  for (size_t k = 0; k < answer.loads.size() && int64_t(k) < links; ++k)
    report.addRow({answer.loads[k].name, answer.loads[k].bytes,
                   answer.loads[k].getUtilisation()});
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
  out.attributeArray("classes", [&] { makeClasses(answer).printItems(out); });
  out.attributeArray("busiest",
                     [&] { makeBusiest(answer, links).printItems(out); });
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
  const NetworkOptions &network = answer.options.network;
  os << formatv("{0}: {1} servers of {2} ranks and {3} NICs of {4} Gb/s, {5} "
                "group{6}\n",
                getName(network.kind), network.servers,
                answer.options.serverRanks, network.nics,
                moe::support::formatNumber(answer.rateGbps), answer.groups,
                answer.groups == 1 ? "" : "s");
  os << formatv("{0:F1} us in {1} exchange{2}\n\n", answer.getTotalUs(),
                answer.rows.size(), answer.rows.size() == 1 ? "" : "s");
  if (answer.rows.size() <= 20) {
    makeRows(answer).printTable(os);
    os << "\n";
  }
  makeClasses(answer).printTable(os);
  os << "\n";
  makeBusiest(answer, links).printTable(os);
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
  for (const ClassLoad &own : answer.classes)
    most = std::max(most, own.links);
  int64_t columns = std::min(most, kMostSquares);
  std::vector<const LinkLoad *> squares(answer.classes.size() *
                                        size_t(columns));
  for (size_t c = 0; c < answer.classes.size(); ++c)
    for (const LinkLoad &load : answer.loads) {
      if (load.className != answer.classes[c].name)
        continue;
      int64_t links = answer.classes[c].links;
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
  map.rows = int64_t(answer.classes.size());
  map.columns = columns;
  map.value = [&](int64_t row, int64_t column) {
    const LinkLoad *own = get(row, column);
    return own ? std::round(1000 * own->getUtilisation()) / 10 : 0.0;
  };
  map.describe = [&](int64_t row, int64_t column) -> std::string {
    const LinkLoad *own = get(row, column);
    if (!own)
      return answer.classes[size_t(row)].name + ": nothing";
    return own->name + ": " + formatFixed(100 * own->getUtilisation(), 1) +
           " %, " + formatFixed(own->bytes, 0) + " bytes";
  };
  map.print(os);
}
