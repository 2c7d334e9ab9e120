// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer of `fabric` as JSON, and its rows.

#include "Answers.h"
#include "moe/Compiler/FabricReport.h"
#include "moe/Planning/Fabric.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;
using moe::support::Column;

void FabricAnswer::addLoads() {
  LinkLoadSum sum;
  for (const ExchangeRow &row : rows)
    sum.add(row.exchange);
  loads = sum.get();
}

Report moe::planning::makeExchangeReport(const FabricAnswer &answer) {
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

std::string moe::planning::getTitle(const FabricAnswer &) {
  return "moe-fabric fabric";
}

void moe::planning::printJSON(json::OStream &out, const FabricAnswer &answer) {
  const NetworkOptions &network = answer.options.network;
  out.attribute("fabric", StringRef(getName(network.kind)));
  out.attribute("servers", network.servers);
  out.attribute("nics_per_server", network.nics);
  out.attribute("ranks_per_server", answer.options.serverRanks);
  out.attribute("rate_gbps", answer.rateGbps);
  out.attribute("groups", answer.groups);
  out.attribute("time_us", answer.getTotalUs());
  out.attributeArray("exchanges",
                     [&] { makeExchangeReport(answer).printItems(out); });
  out.attributeArray("classes",
                     [&] { makeClassReport(answer.loads).printItems(out); });
  out.attributeArray("busiest", [&] {
    makeBusiestReport(answer.loads, answer.busiest).printItems(out);
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
