// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer of `circuits` as JSON.

#include "Answers.h"
#include "moe/Planning/Circuits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;

void CircuitsAnswer::addLoads(const std::vector<WeightedDemand> &demands,
                              const Ports &ports) {
  for (const auto &[demand, weight] : demands) {
    std::vector<CircuitLoad> own =
        listCircuitLoads(demand, plan.circuits, ports);
    loads.resize(own.size());
    for (auto [sum, load] : zip_equal(loads, own)) {
      load.carried = sum.carried + weight * load.carried;
      load.demand = sum.demand + weight * load.demand;
      sum = load;
    }
  }
}

std::string moe::planning::getTitle(const CircuitsAnswer &answer) {
  return "Circuits of " + std::to_string(answer.plan.circuits.getSize()) +
         " servers";
}

void moe::planning::printJSON(json::OStream &out,
                              const CircuitsAnswer &answer) {
  const CircuitPlan &plan = answer.plan;
  // Infinity is no JSON.
  auto number = [&](StringRef key, double value) {
    if (std::isfinite(value))
      out.attribute(key, value);
    else
      out.attribute(key, nullptr);
  };
  out.attributeArray("circuits", [&] {
    for (int64_t i = 0; i < plan.circuits.getSize(); ++i)
      out.array([&] {
        for (int64_t j = 0; j < plan.circuits.getSize(); ++j)
          out.value(plan.circuits.at(i, j));
      });
  });
  if (answer.demand)
    out.attributeArray("matrix", [&] {
      for (int64_t i = 0; i < answer.demand->getSize(); ++i)
        out.array([&] {
          for (int64_t j = 0; j < answer.demand->getSize(); ++j)
            out.value(answer.demand->at(i, j));
        });
    });
  number("time", plan.time);
  number("bound", plan.bound);
  number("greedy_time", plan.greedyTime);
  if (answer.comparesPorts)
    out.attribute("changed_ports", plan.changedPorts);
  out.attributeArray("loads", [&] {
    for (const CircuitLoad &load : answer.loads)
      out.value(json::Array{load.from, load.to, load.circuits, load.carried,
                            load.demand});
  });
  if (answer.nics) {
    out.attributeArray("links", [&] {
      for (auto [first, second] : answer.nics->links)
        out.value(
            json::Array{first.server, first.nic, second.server, second.nic});
    });
    out.attribute("crowded_links", answer.nics->crowded);
  } else if (!answer.whyNoNics.empty()) {
    out.attribute("links", nullptr);
    out.attribute("why_no_links", answer.whyNoNics);
  }
}
