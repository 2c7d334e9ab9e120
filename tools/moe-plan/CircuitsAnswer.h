// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan circuits says.

#ifndef MOE_TOOLS_MOEPLAN_CIRCUITSANSWER_H
#define MOE_TOOLS_MOEPLAN_CIRCUITSANSWER_H

#include "moe/Fabric/CircuitExchange.h"
#include "moe/Fabric/NicAssignment.h"
#include "moe/Fabric/Plan.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace moe::plan {

/// What was found, and which NICs it is plugged into, or why none, if asked.
struct CircuitsAnswer {
  fabric::CircuitPlan plan;
  bool comparesPorts = false;
  std::optional<fabric::NicMapping> nics;
  std::string whyNoNics;
  /// What servers send, where no file says it: bytes of a job's dispatch.
  std::optional<fabric::Demand> demand;
  /// What circuits carry of all demands, each with its weight.
  std::vector<fabric::CircuitLoad> loads;

  void addLoads(const std::vector<fabric::WeightedDemand> &demands,
                const fabric::Ports &ports);
};

/// As members of an object that is open.
void printJSON(llvm::json::OStream &out, const CircuitsAnswer &answer);
void printText(llvm::raw_ostream &os, const CircuitsAnswer &answer);
/// A graph for Graphviz.
void printDot(llvm::raw_ostream &os, const fabric::CircuitPlan &plan);

} // namespace moe::plan

#endif // MOE_TOOLS_MOEPLAN_CIRCUITSANSWER_H
