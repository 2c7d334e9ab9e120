// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning of optical circuits between servers.

#include "moe/Circuits/Planning/Circuits.h"
#include "MatrixFile.h"
#include "moe/Planning/Answers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;
using moe::support::JsonValue;
using moe::support::ObjectReader;
using moe::support::ReaderContext;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Reads {"matrix": [[...], ...]} or {"matrices": [...], "weights": [...]}; "_"
/// is a comment.
static void readDemandFile(ReaderContext &context, const JsonValue &root,
                           std::vector<WeightedDemand> &demands) {
  ObjectReader reader(context, root, "");
  if (reader.has("_"))
    reader.findObject("_");
  if (reader.has("matrix") == reader.has("matrices"))
    return reader.fail(
        reader.has("matrix") ? "matrices" : "matrix",
        "expected one of \"matrix\" and \"matrices\", got " +
            std::string(reader.has("matrix") ? "both" : "neither"));
  // Both keys are queried even if absent, so that messages about other keys
  // list them.
  const auto *single = reader.findArray("matrix");
  const auto *matrices = reader.findArray("matrices");
  const auto *weights = reader.findArray("weights");
  if (weights && single)
    reader.fail("weights", "expected none beside \"matrix\"");
  if (const JsonValue *matrix = root.find("matrix")) {
    demands.emplace_back();
    readMatrix(context, *matrix, "matrix", demands.back().demand);
  } else if (matrices) {
    for (size_t k = 0; k < matrices->size() && !context.hasFailed(); ++k) {
      demands.emplace_back();
      readMatrix(context, (*matrices)[k], "matrices[" + std::to_string(k) + "]",
                 demands.back().demand);
    }
    if (weights) {
      if (weights->size() != demands.size())
        return reader.fail("weights", "expected " +
                                          std::to_string(demands.size()) +
                                          " numbers, one a matrix, got " +
                                          std::to_string(weights->size()));
      for (size_t k = 0; k < weights->size() && !context.hasFailed(); ++k) {
        const JsonValue &weight = (*weights)[k];
        if (weight.kind != JsonValue::Kind::Number || weight.number < 0)
          context.fail(weight.place, "weights[" + std::to_string(k) + "]",
                       "expected a number of at least 0, got " +
                           weight.describe());
        demands[k].weight = weight.number;
      }
    }
  }
  reader.finish();
}

/// Reads "circuits" of an answer and ignores the rest.
static void readCircuits(ReaderContext &context, const JsonValue &root,
                         Circuits &circuits) {
  const JsonValue *matrix = root.find("circuits");
  if (!matrix)
    return context.fail(root.place, "",
                        "expected the key 'circuits', a square matrix");
  readMatrix(context, *matrix, "circuits", circuits);
}

/// Reads "SERVER:NIC,...": adds optical NICs to the layout, and counts all NICs
/// in the ports.
static std::optional<Failure> readFailed(StringRef list, int64_t numServers,
                                         Ports &ports, NicLayout &layout) {
  SmallVector<StringRef> items;
  list.split(items, ',');
  ports.failedEps.assign(size_t(numServers), 0);
  std::set<Nic> seen;
  for (StringRef item : items) {
    auto [server, nic] = item.split(':');
    Nic read;
    if (server.getAsInteger(10, read.server) ||
        nic.getAsInteger(10, read.nic) || read.server < 0 ||
        read.server >= numServers || read.nic < 0 ||
        read.nic >= ports.opticalDegree + ports.epsNics ||
        !seen.insert(read).second)
      return makeFailure(
          formatv("--failed: expected different SERVER:NIC with servers in "
                  "[0, {0}) and NICs in [0, {1}), got '{2}'",
                  numServers, ports.opticalDegree + ports.epsNics, item)
              .str());
    if (read.nic < ports.opticalDegree)
      layout.failed.push_back(read);
    else
      ++ports.failedEps[size_t(read.server)];
  }
  ports.failedOptical = countFailed(layout, numServers);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

/// Returns the bytes that servers send each other in one dispatch. The first
/// region suffices, because experts exchange only within regions.
static Result<Demand> readJob(CircuitsInput &in) {
  Result<int64_t> ranks = in.serverRanks.read(8);
  if (!ranks)
    return ranks.getFailure();
  Result<PlannedJob> planned = in.job.read();
  if (!planned)
    return planned.getFailure();
  const Layout &layout = planned->layout;
  std::vector<int64_t> shape;
  std::vector<unsigned> places;
  int64_t all = 1;
  for (auto [axis, size] : zip_equal(layout.axes, layout.shape)) {
    bool exchanges = is_contained(layout.epAxes, axis);
    if (!exchanges && shape.empty())
      continue;
    if (exchanges)
      places.push_back(unsigned(shape.size()));
    shape.push_back(size);
    all *= size;
  }
  if (all <= *ranks || all % *ranks != 0)
    return makeFailure("--ranks-per-server: expected a part of the " +
                       Twine(all) + " ranks that exchange tokens, got " +
                       Twine(*ranks));
  auto groups = cost::RankGroups::fromMesh(shape, places);
  if (!groups)
    return groups.getFailure();
  int64_t bytes = layout.routedTokens * planned->config.getSentTopK() *
                  planned->config.getExpertWidth() * planned->getElementBytes();
  return getServerDemand(
      *groups, cost::BlockExchange{cost::CollectiveKind::AllToAll, bytes},
      *ranks);
}
static Result<std::vector<WeightedDemand>> readDemands(CircuitsInput &in) {
  std::vector<WeightedDemand> demands;
  if (in.job.isSet()) {
    Result<Demand> own = readJob(in);
    if (!own)
      return own.getFailure();
    demands.emplace_back();
    demands.back().demand = std::move(*own);
    return demands;
  }
  if (auto failure =
          readObjectFile(in.demand, "a file of demand",
                         [&](ReaderContext &context, const JsonValue &root) {
                           readDemandFile(context, root, demands);
                         }))
    return makeFailure("--demand: " + failure->message);
  return demands;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Result<CircuitsAnswer> moe::planning::planCircuits(CircuitsInput &in) {
  bool hasFile = in.demand.isSet();
  if (hasFile && in.job.isSet())
    return makeFailure(
        "--demand is not supported with --config, which determines the demand");
  if (!hasFile && !in.job.isSet())
    return failMissing("demand");
  if (auto failure = in.job.checkBeside({}, {}))
    return *failure;
  if (!in.job.isSet() && in.serverRanks.isSet())
    return makeFailure("--ranks-per-server requires --config");
  Ports ports;
  struct {
    const IntegerOption &option;
    int64_t &value;
  } integers[] = {{in.opticalDegree, ports.opticalDegree},
                  {in.epsNics, ports.epsNics}};
  for (auto &[option, value] : integers) {
    Result<int64_t> read = option.read();
    if (!read)
      return read.getFailure();
    value = *read;
  }
  // Each option takes one of two values; the flag is true for the second.
  struct {
    const TextOption &option;
    StringRef first, second;
    bool isSecond;
  } words[] = {{in.routing, "split", "exclusive", false},
               {in.algorithm, "auto", "greedy", false},
               {in.effort, "thorough", "fast", false}};
  for (auto &[option, first, second, isSecond] : words) {
    isSecond = option == second;
    if (option != first && !isSecond)
      return makeFailure("--" + option.getName() + ": expected " + first +
                         " or " + second + ", got '" + option.get() + "'");
  }
  auto [isExclusive, isGreedy, isFast] =
      std::tuple(words[0].isSecond, words[1].isSecond, words[2].isSecond);
  ports.routing =
      isExclusive ? fabric::Routing::Exclusive : fabric::Routing::Split;
  if (isGreedy)
    for (const Option *option :
         std::initializer_list<const Option *>{&in.effort, &in.keep})
      if (option->isSet())
        return makeFailure("--" + option->getName() +
                           " is not supported with --algorithm=greedy");

  PlanOptions options;
  options.effort = isGreedy ? Effort::Greedy
                   : isFast ? Effort::Fast
                            : Effort::Thorough;
  Result<double> fraction = in.uncertainty.read(0.0);
  if (!fraction)
    return fraction.getFailure();
  options.uncertainty = *fraction;
  if (in.uncertainty.isSet() && !in.keep.isSet())
    return makeFailure("--uncertainty requires --keep");
  Result<std::vector<WeightedDemand>> read = readDemands(in);
  if (!read)
    return read.getFailure();
  std::vector<WeightedDemand> &demands = *read;
  if (in.keep.isSet()) {
    options.keep.emplace();
    if (auto failure =
            readObjectFile(in.keep, "a file of circuits",
                           [&](ReaderContext &context, const JsonValue &root) {
                             readCircuits(context, root, *options.keep);
                           }))
      return makeFailure("--keep: " + failure->message);
  }
  int64_t numServers = demands.empty() ? 0 : demands.front().demand.getSize();
  NicLayout layout;
  layout.opticalDegree = ports.opticalDegree;
  layout.hasPlanes = in.planes;
  Result<int64_t> nodes = in.numaNodes.read(1);
  if (!nodes)
    return nodes.getFailure();
  layout.numaNodes = *nodes;
  if (in.failed.isSet())
    if (auto failure = readFailed(in.failed.get(), numServers, ports, layout))
      return *failure;
  bool mapsNics = in.planes || in.numaNodes.isSet();
  if (std::string wrong = mapsNics ? checkLayout(layout, numServers) : "";
      !wrong.empty())
    return makeFailure(
        (in.planes && *nodes == 1 ? "--planes: " : "--numa-nodes: ") + wrong);
  Result<CircuitPlan> plan = fabric::planCircuits(demands, ports, options);
  // The options are valid at this point, so the error is in the files.
  if (!plan)
    return in.job.isSet() ? plan.getFailure()
                          : makeFailure("--demand: " + in.demand.get() + ": " +
                                        plan.getError());
  CircuitsAnswer answer{*plan, options.keep.has_value(), {}, {}, {}, {}};
  answer.addLoads(demands, ports);
  if (in.job.isSet())
    answer.demand = demands.front().demand;
  if (mapsNics) {
    Result<NicMapping> nics = mapNics(plan->circuits, layout);
    if (nics)
      answer.nics = *nics;
    else
      answer.whyNoNics = nics.getError();
  }
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

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
  // JSON cannot represent infinity.
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
      out.value(json::Array{load.from, load.to, load.links, load.carried,
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
