// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `circuits` as text and as graphs.

#include "FabricPrinting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::fabric;

void moe::plan::printCircuitsDot(raw_ostream &os, const CircuitsInput &,
                                 const CircuitsAnswer &answer) {
  const CircuitPlan &plan = answer.plan;
  os << "graph circuits {\n  layout=circo;\n  node [shape=box];\n";
  for (int64_t i = 0; i < plan.circuits.getSize(); ++i)
    os << "  s" << i << " [label=\"server " << i << "\"];\n";
  for (int64_t i = 0; i < plan.circuits.getSize(); ++i)
    for (int64_t j = i + 1; j < plan.circuits.getSize(); ++j)
      if (int32_t count = plan.circuits.at(i, j))
        os << "  s" << i << " -- s" << j << " [label=" << count
           << ", penwidth=" << count << "];\n";
  os << "}\n";
}

static void printLinks(raw_ostream &os, const CircuitsAnswer &answer) {
  if (!answer.nics) {
    os << "no NICs for these circuits: " << answer.whyNoNics << "\n";
    return;
  }
  Report table = makeList({false, false});
  for (auto [first, second] : answer.nics->links)
    table.addRow(
        {formatv("  server {0} NIC {1}", first.server, first.nic).str(),
         formatv("server {0} NIC {1}", second.server, second.nic).str()});
  os << "links\n";
  table.printTable(os, /*withHeading=*/false);
  if (answer.nics->crowded)
    os << answer.nics->crowded
       << " ends of links share a NUMA node with another link of their pair\n";
}

void moe::plan::printCircuitsText(raw_ostream &os, const CircuitsInput &,
                                  const CircuitsAnswer &answer) {
  const CircuitPlan &plan = answer.plan;
  if (answer.demand) {
    double most = 0;
    for (int64_t i = 0; i < answer.demand->getSize(); ++i) {
      double sent = 0;
      for (int64_t j = 0; j < answer.demand->getSize(); ++j)
        sent += i == j ? 0 : answer.demand->at(i, j);
      most = std::max(most, sent);
    }
    os << formatv("a dispatch among {0} servers: each sends {1:F0} bytes to "
                  "others at most\n",
                  answer.demand->getSize(), most);
  }
  if (!std::isfinite(plan.time))
    os << formatv("no time: the circuits and NICs leave demand without a way; "
                  "port bound {0:F3}\n",
                  plan.bound);
  else
    os << formatv("time {0:F3}, in {3} a NIC; port bound {1:F3}, "
                  "greedy {2:F3}\n",
                  plan.time, plan.bound, plan.greedyTime,
                  answer.demand ? "bytes" : "demand units");
  if (answer.comparesPorts)
    os << formatv("{0} ports change\n", plan.changedPorts);
  int64_t n = plan.circuits.getSize();
  std::vector<std::string> dark;
  Report table = makeList({false, false});
  for (int64_t i = 0; i < n; ++i) {
    std::string peers;
    for (int64_t j = 0; j < n; ++j)
      if (int32_t count = plan.circuits.at(i, j)) {
        peers += (peers.empty() ? "" : ", ") + std::to_string(j);
        if (count > 1)
          peers += " (" + std::to_string(count) + ")";
      }
    if (peers.empty())
      dark.push_back(std::to_string(i));
    else
      table.addRow({"  server " + std::to_string(i), peers});
  }
  os << "circuits, and how many where more than one\n";
  table.printTable(os, /*withHeading=*/false);
  if (!dark.empty())
    os << "no circuit: servers " << llvm::join(dark, ", ") << "\n";
  if (answer.nics || !answer.whyNoNics.empty())
    printLinks(os, answer);
}

std::optional<Failure> moe::plan::checkCircuits(OptionTable &table,
                                                StringRef option) {
  if (option == "dot" &&
      (table.find("planes")->isSet() || table.find("numa-nodes")->isSet()))
    return makeFailure("--dot is not supported with --planes or --numa-nodes");
  return std::nullopt;
}
