// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan circuits.

#include "CircuitsAnswer.h"
#include "Commands.h"
#include "ConfigJob.h"
#include "MatrixFile.h"
#include "moe/Fabric/Exchange.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;
using moe::support::JsonValue;
using moe::support::ObjectReader;
using moe::support::ReaderContext;

namespace {

class CircuitsCommand : public Command {
public:
  CircuitsCommand()
      : Command("circuits",
                "Choose which servers to connect by optical circuits") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  Result<std::vector<WeightedDemand>> readDemands();
  Result<Demand> readJob();

  TextOption demand{
      table, "demand",
      "Traffic between servers, in any unit: JSON with \"matrix\", or "
      "\"matrices\" that share one plan (required unless --config is "
      "given)",
      "FILE"};
  /// In place of it: a layer's dispatch under even routing.
  ConfigJob job{table};
  IntegerOption serverRanks{table, "ranks-per-server",
                            "With --config: ranks per server (default: 8)"};
  IntegerOption opticalDegree{
      table,
      "optical-degree",
      "NICs per server on the optical circuit switch (required)",
      {0, kMostPorts}};
  IntegerOption epsNics{
      table,
      "eps-nics",
      "NICs per server on the packet-switched network (required)",
      {0, kMostPorts}};
  TextOption routing{
      table, "routing",
      "split: use circuits and packets concurrently (default); "
      "exclusive: use circuits only for server pairs that have one",
      "HOW", "split"};
  TextOption algorithm{
      table, "algorithm",
      "auto: search from several starts (default); greedy: mFabric's "
      "Algorithm 1",
      "HOW", "auto"};
  TextOption effort{table, "effort",
                    "Search effort: thorough takes milliseconds for 8 servers "
                    "(default), fast takes tens of microseconds",
                    "HOW", "thorough"};
  TextOption keep{table, "keep",
                  "JSON answer with the current circuits; of all plans within "
                  "--uncertainty of the best, choose the plan that changes the "
                  "fewest ports",
                  "FILE"};
  NumberOption uncertainty{table,
                           "uncertainty",
                           "With --keep: relative difference below which times "
                           "count as equal (default: 0)",
                           {/*mayBeZero=*/true}};
  IntegerOption numaNodes{
      table,
      "numa-nodes",
      "NUMA nodes per server; also assign circuits to NICs, with the circuits "
      "of a server pair on different NUMA nodes",
      {1, kMostPorts}};
  FlagOption planes{table, "planes",
                    "Also assign circuits to NICs if each NIC of a "
                    "server is on its own switch"};
  TextOption failed{
      table, "failed",
      "Failed NICs, a comma-separated list of SERVER:NIC; NICs count "
      "from 0, starting with the NICs on the circuit switch",
      "LIST"};
  FlagOption dot{table, "dot", "Print the answer as a DOT graph"};
  AnswerOptions answers{subCommand};

  static constexpr int64_t kMostPorts = 4096;
};

} // namespace

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// {"matrix": [[...], ...]} or {"matrices": [...], "weights": [...]}; "_" is a
/// comment.
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
  // What is not there is known all the same, for the words about other keys.
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

/// "circuits" of an answer; what else it says is of no interest.
static void readCircuits(ReaderContext &context, const JsonValue &root,
                         Circuits &circuits) {
  const JsonValue *matrix = root.find("circuits");
  if (!matrix)
    return context.fail(root.place, "",
                        "expected the key 'circuits', a square matrix");
  readMatrix(context, *matrix, "circuits", circuits);
}

/// "SERVER:NIC,...": optical NICs into the layout, all of them counted in the
/// ports.
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

/// What servers send each other in a layer's dispatch, in bytes: those of the
/// first region, beyond which no exchange of experts reaches.
Result<Demand> CircuitsCommand::readJob() {
  Result<int64_t> ranks = serverRanks.read(8);
  if (!ranks)
    return ranks.getFailure();
  Result<PlannedJob> planned = job.read();
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

Result<std::vector<WeightedDemand>> CircuitsCommand::readDemands() {
  std::vector<WeightedDemand> demands;
  if (job.isSet()) {
    Result<Demand> own = readJob();
    if (!own)
      return own.getFailure();
    demands.emplace_back();
    demands.back().demand = std::move(*own);
    return demands;
  }
  if (auto failure =
          readObjectFile(demand, "a file of demand",
                         [&](ReaderContext &context, const JsonValue &root) {
                           readDemandFile(context, root, demands);
                         }))
    return makeFailure("--demand: " + failure->message);
  return demands;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

std::optional<Failure> CircuitsCommand::run(raw_ostream &os) {
  bool hasFile = demand.isSet();
  if (hasFile && job.isSet())
    return makeFailure(
        "--demand is not supported with --config, which determines the demand");
  if (!hasFile && !job.isSet())
    return failMissing("demand");
  if (auto failure = job.checkBeside({}, {}))
    return failure;
  if (!job.isSet() && serverRanks.isSet())
    return makeFailure("--ranks-per-server requires --config");
  Ports ports;
  struct {
    const IntegerOption &option;
    int64_t &value;
  } integers[] = {{opticalDegree, ports.opticalDegree},
                  {epsNics, ports.epsNics}};
  for (auto &[option, value] : integers) {
    Result<int64_t> read = option.read();
    if (!read)
      return read.getFailure();
    value = *read;
  }
  // Each takes one of two words; whether it is the second.
  struct {
    const TextOption &option;
    StringRef first, second;
    bool isSecond;
  } words[] = {{routing, "split", "exclusive", false},
               {algorithm, "auto", "greedy", false},
               {effort, "thorough", "fast", false}};
  for (auto &[option, first, second, isSecond] : words) {
    isSecond = option == second;
    if (option != first && !isSecond)
      return makeFailure("--" + option.getName() + ": expected " + first +
                         " or " + second + ", got '" + option.get() + "'");
  }
  auto [isExclusive, isGreedy, isFast] =
      std::tuple(words[0].isSecond, words[1].isSecond, words[2].isSecond);
  ports.routing = isExclusive ? fabric::Routing::Exclusive
                                     : fabric::Routing::Split;
  if (isGreedy)
    for (const Option *option :
         std::initializer_list<const Option *>{&effort, &keep})
      if (option->isSet())
        return makeFailure("--" + option->getName() +
                           " is not supported with --algorithm=greedy");
  if (dot && !answers.getGiven().empty())
    return makeFailure("--dot is not supported with --" + answers.getGiven());
  if (dot && (planes || numaNodes.isSet()))
    return makeFailure("--dot is not supported with --planes or --numa-nodes");

  PlanOptions options;
  options.effort = isGreedy ? Effort::Greedy
                   : isFast ? Effort::Fast
                            : Effort::Thorough;
  Result<double> fraction = uncertainty.read(0.0);
  if (!fraction)
    return fraction.getFailure();
  options.uncertainty = *fraction;
  if (uncertainty.isSet() && !keep.isSet())
    return makeFailure("--uncertainty requires --keep");
  Result<std::vector<WeightedDemand>> read = readDemands();
  if (!read)
    return read.getFailure();
  std::vector<WeightedDemand> &demands = *read;
  if (keep.isSet()) {
    options.keep.emplace();
    if (auto failure =
            readObjectFile(keep, "a file of circuits",
                           [&](ReaderContext &context, const JsonValue &root) {
                             readCircuits(context, root, *options.keep);
                           }))
      return makeFailure("--keep: " + failure->message);
  }
  int64_t numServers = demands.empty() ? 0 : demands.front().demand.getSize();
  NicLayout layout;
  layout.opticalDegree = ports.opticalDegree;
  layout.hasPlanes = planes;
  Result<int64_t> nodes = numaNodes.read(1);
  if (!nodes)
    return nodes.getFailure();
  layout.numaNodes = *nodes;
  if (failed.isSet())
    if (auto failure = readFailed(failed.get(), numServers, ports, layout))
      return failure;
  bool mapsNics = planes || numaNodes.isSet();
  if (std::string wrong = mapsNics ? checkLayout(layout, numServers) : "";
      !wrong.empty())
    return makeFailure(
        (planes && *nodes == 1 ? "--planes: " : "--numa-nodes: ") + wrong);
  Result<CircuitPlan> plan = planCircuits(demands, ports, options);
  // Options are right by now: what is wrong is in the files.
  if (!plan)
    return job.isSet() ? plan.getFailure()
                       : makeFailure("--demand: " + demand.get() + ": " +
                                     plan.getError());
  CircuitsAnswer answer{*plan, options.keep.has_value(), {}, {}, {}, {}};
  answer.addLoads(demands, ports);
  if (job.isSet())
    answer.demand = demands.front().demand;
  if (mapsNics) {
    Result<NicMapping> nics = mapNics(plan->circuits, layout);
    if (nics)
      answer.nics = *nics;
    else
      answer.whyNoNics = nics.getError();
  }
  Result<bool> isAnswered = answers.answer(
      os, "Circuits of " + std::to_string(numServers) + " servers",
      [&](json::OStream &out) { printJSON(out, answer); }, /*indent=*/0);
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  if (dot)
    printDot(os, *plan);
  else
    printText(os, answer);
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createCircuitsCommand() {
  return std::make_unique<CircuitsCommand>();
}
