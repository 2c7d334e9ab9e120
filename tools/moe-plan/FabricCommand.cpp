// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan fabric.

#include "Commands.h"
#include "FabricAnswer.h"
#include "MatrixFile.h"
#include "moe/Options/FabricOption.h"
#include "moe/Support/Json.h"
#include "moe/Support/Progress.h"
#include "moe/Traffic/Trace.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;
using moe::support::JsonValue;
using moe::support::ObjectReader;
using moe::support::ReaderContext;

namespace {

/// What ranks of one group, or servers, send in one exchange.
struct Exchange {
  int64_t step = 0;
  std::string layer;
  std::vector<RankMessage> messages;
};

class FabricCommand : public Command {
public:
  FabricCommand()
      : Command("fabric", "Simulate exchanges on a cluster's network fabric "
                          "and list the busiest links") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  Result<std::vector<Exchange>> readTraffic(int64_t &ranks) const;
  Result<std::vector<Exchange>> readDemand(int64_t serverRanks,
                                           int64_t &ranks) const;
  Result<std::vector<ExchangeRow>>
  simulate(const FabricOptions &options, const std::vector<Exchange> &exchanges,
           const std::vector<std::vector<CircuitPair>> *given = nullptr) const;
  Result<std::vector<std::vector<CircuitPair>>>
  plan(const FabricOptions &options,
       const std::vector<Exchange> &exchanges) const;
  std::optional<Failure> fail(const std::vector<Exchange> &exchanges,
                              FabricAnswer &answer) const;

  FabricOption fabricOption{table};
  TextOption trafficFile{
      table, "traffic",
      "Routing trace; each layer's dispatch at each iteration is one "
      "exchange",
      "FILE"};
  NumberOption tokenBytes{table, "bytes-per-token",
                          "Bytes per token (required with --traffic)"};
  TextOption demandFile{
      table, "demand",
      "Bytes between servers instead of --traffic, in the format of "
      "moe-plan circuits",
      "FILE"};
  TextOption circuitUse{
      table, "circuits",
      "mfabric: plan circuits for 'each' exchange (default) or 'once' "
      "for all exchanges",
      "WHEN", "each"};
  IntegerOption links{table, "links",
                      "Number of busiest links to list (default: 10)"};
  OutputOption csv{"csv", cl::desc("Also write one line per exchange"),
                   cl::value_desc("file.csv"), cl::sub(subCommand)};
  OutputOption svg{"svg",
                   cl::desc("Also write the link utilization as a picture"),
                   cl::value_desc("file.svg"), cl::sub(subCommand)};
  AnswerOptions answers{subCommand};
};

} // namespace

/// More than a vector of any model has; bytes of what is sent stay numbers that
/// can be read.
static constexpr double kMostTokenBytes = 1e12;

Result<std::vector<Exchange>> FabricCommand::readTraffic(int64_t &ranks) const {
  Result<double> bytes = tokenBytes.read();
  if (!bytes)
    return bytes.getFailure();
  if (*bytes > kMostTokenBytes)
    return makeFailure("--bytes-per-token: expected at most " +
                       moe::support::formatNumber(kMostTokenBytes) + ", got " +
                       moe::support::formatNumber(*bytes));
  Result<traffic::Trace> trace = traffic::loadTrace(trafficFile);
  if (!trace)
    return makeFailure("--traffic: " + trace.getError());
  ranks = trace->numRanks;
  int64_t columns = trace->isRankToRank ? ranks : trace->numExperts;
  if (ranks < 2 || columns % ranks)
    return makeFailure("--traffic: " + trafficFile.get() +
                       ": expected counts by rank of at least 2 ranks that "
                       "divide the experts, got " +
                       Twine(ranks) + " for " + Twine(columns));
  std::vector<Exchange> exchanges;
  for (const traffic::StepTraffic &step : trace->steps)
    for (const traffic::LayerTraffic &layer : step.layers) {
      Exchange own{step.step, layer.layer, {}};
      for (int64_t i = 0; i < ranks; ++i)
        for (int64_t c = 0; c < columns; ++c)
          if (double tokens = double(layer.counts.at(i, c)))
            own.messages.push_back({i, c * ranks / columns, tokens * *bytes});
      exchanges.push_back(std::move(own));
    }
  return exchanges;
}

Result<std::vector<Exchange>> FabricCommand::readDemand(int64_t serverRanks,
                                                        int64_t &ranks) const {
  fabric::Demand demand;
  if (auto failure = readObjectFile(
          demandFile, "a file of demand",
          [&](ReaderContext &context, const JsonValue &root) {
            ObjectReader reader(context, root, "");
            reader.findArray("matrix");
            if (const JsonValue *matrix = root.find("matrix"))
              readMatrix(context, *matrix, "matrix", demand);
            else
              reader.fail("matrix", "expected a square matrix of bytes");
            reader.finish();
          }))
    return makeFailure("--demand: " + failure->message);
  ranks = demand.getSize() * serverRanks;
  Exchange own;
  for (int64_t i = 0; i < demand.getSize(); ++i)
    for (int64_t j = 0; j < demand.getSize(); ++j)
      if (i != j && demand.at(i, j) > 0)
        own.messages.push_back(
            {i * serverRanks, j * serverRanks, demand.at(i, j)});
  return std::vector<Exchange>{own};
}

Result<std::vector<std::vector<CircuitPair>>>
FabricCommand::plan(const FabricOptions &options,
                    const std::vector<Exchange> &exchanges) const {
  std::vector<std::vector<CircuitPair>> circuits;
  bool isOnce =
      circuitUse == "once" || options.network.kind == FabricKind::TopoOpt;
  std::vector<RankMessage> all;
  for (const Exchange &own : exchanges) {
    if (isOnce) {
      all.insert(all.end(), own.messages.begin(), own.messages.end());
      continue;
    }
    auto planned = planFabricCircuits(options, own.messages);
    if (!planned)
      return planned.getFailure();
    circuits.push_back(std::move(*planned));
  }
  if (isOnce) {
    auto planned = planFabricCircuits(options, all);
    if (!planned)
      return planned.getFailure();
    circuits.assign(exchanges.size(), *planned);
  }
  return circuits;
}

Result<std::vector<ExchangeRow>> FabricCommand::simulate(
    const FabricOptions &options, const std::vector<Exchange> &exchanges,
    const std::vector<std::vector<CircuitPair>> *given) const {
  std::vector<std::vector<CircuitPair>> planned;
  if (!given) {
    auto own = plan(options, exchanges);
    if (!own)
      return own.getFailure();
    planned = std::move(*own);
    given = &planned;
  }
  std::vector<ExchangeRow> rows;
  moe::support::Activity exchangesDone("exchange", exchanges.size());
  for (size_t k = 0; k < exchanges.size(); ++k) {
    exchangesDone.next();
    moe::support::Activity flows("flow");
    auto exchange = runFabricExchange(
        options, exchanges[k].messages, (*given)[k],
        [&](int64_t done, int64_t all) { flows.reach(done, all); });
    if (!exchange)
      return exchange.getFailure();
    ExchangeRow row{exchanges[k].step, exchanges[k].layer,
                    exchange->times.makespan, std::move(*exchange), 0};
    for (const CircuitPair &pair : (*given)[k])
      row.circuits += pair.count;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Before anything fails, at once, and planned anew (SPEC MF-22); `answer`
/// keeps the rows of the last.
std::optional<Failure>
FabricCommand::fail(const std::vector<Exchange> &exchanges,
                    FabricAnswer &answer) const {
  auto getTotal = [](const Result<std::vector<ExchangeRow>> &rows) {
    double sum = 0;
    for (const ExchangeRow &row : *rows)
      sum += row.us;
    return sum;
  };
  // A fat tree loses as many NICs; switches, which are of another kind there,
  // it keeps.
  FabricOptions whole = answer.options;
  auto left = fabricOption.applyFailures(whole);
  if (!left)
    return left.getFailure();
  answer.options = *left;
  auto circuits = plan(whole, exchanges);
  if (!circuits)
    return circuits.getFailure();
  auto before = simulate(whole, exchanges, &*circuits);
  if (!before)
    return before.getFailure();
  for (size_t k = 0; k < exchanges.size(); ++k) {
    auto trimmed = trimFabricCircuits(answer.options, (*circuits)[k],
                                      exchanges[k].messages);
    if (!trimmed)
      return trimmed.getFailure();
    (*circuits)[k] = std::move(*trimmed);
  }
  auto atOnce = simulate(answer.options, exchanges, &*circuits);
  if (!atOnce)
    return atOnce.getFailure();
  auto after = simulate(answer.options, exchanges);
  if (!after)
    return after.getFailure();
  FabricOptions tree = answer.options;
  tree.network.kind = FabricKind::FatTree;
  tree.network.oversubscription = 1;
  tree.network.failedSpines = 0;
  auto treeAfter = simulate(tree, exchanges);
  if (!treeAfter)
    return makeFailure("a fat tree without these NICs: " +
                       treeAfter.getError());
  tree.network.failed.clear();
  tree.moved.clear();
  auto treeBefore = simulate(tree, exchanges);
  if (!treeBefore)
    return treeBefore.getFailure();
  answer.failures = {getTotal(before), getTotal(atOnce), getTotal(after),
                     getTotal(treeBefore), getTotal(treeAfter)};
  answer.rows = std::move(*after);
  return std::nullopt;
}

std::optional<Failure> FabricCommand::run(raw_ostream &os) {
  bool hasTraffic = trafficFile.isSet(), hasDemand = demandFile.isSet();
  if (hasTraffic == hasDemand)
    return makeFailure("--traffic or --demand: expected one of them, got " +
                       Twine(hasTraffic ? "both" : "none"));
  if (hasDemand && tokenBytes.isSet())
    return makeFailure("--bytes-per-token requires --traffic");
  if (circuitUse != "each" && circuitUse != "once")
    return makeFailure("--circuits: expected each or once, got '" +
                       circuitUse.get() + "'");
  Result<int64_t> listed = links.read(10),
                  serverRanks = fabricOption.readServerRanks();
  for (Result<int64_t> *read : {&listed, &serverRanks})
    if (!*read)
      return read->getFailure();
  // What is wrong with the fabric is said before files are read.
  if (Result<FabricOptions> early = fabricOption.read(0); !early)
    return early.getFailure();
  int64_t ranks = 0;
  Result<std::vector<Exchange>> exchanges =
      hasTraffic ? readTraffic(ranks) : readDemand(*serverRanks, ranks);
  if (!exchanges)
    return exchanges.getFailure();
  Result<FabricOptions> options = fabricOption.read(ranks);
  if (!options)
    return options.getFailure();
  if (circuitUse.isSet() && options->network.kind != FabricKind::MFabric)
    return makeFailure("--circuits requires --fabric=mfabric");
  FabricAnswer answer;
  answer.options = *options;
  answer.rateGbps = fabricOption.getRateGbps(*options);
  // A larger cluster has as many groups as fit, of consecutive ranks.
  int64_t all = options->network.servers * options->serverRanks;
  answer.groups = fabricOption.hasServers() ? all / ranks : 1;
  for (Exchange &own : *exchanges) {
    std::vector<RankMessage> first = own.messages;
    for (int64_t g = 1; g < answer.groups; ++g)
      for (const RankMessage &message : first)
        own.messages.push_back(
            {message.from + g * ranks, message.to + g * ranks, message.bytes});
  }
  if (fabricOption.hasFailures()) {
    if (auto failure = fail(*exchanges, answer))
      return failure;
  } else {
    auto rows = simulate(answer.options, *exchanges);
    if (!rows)
      return rows.getFailure();
    answer.rows = std::move(*rows);
  }
  answer.addLoads();
  if (csv.isSet())
    if (auto failure = writeFile(
            csv, [&](raw_ostream &file) { printFabricCSV(file, answer); }))
      return failure;
  if (svg.isSet())
    if (auto failure = writeFile(
            svg, [&](raw_ostream &file) { printFabricPicture(file, answer); }))
      return failure;
  Result<bool> isDone =
      answers.answer(os, "moe-plan fabric", [&](json::OStream &out) {
        printFabricJSON(out, answer, *listed);
      });
  if (!isDone)
    return isDone.getFailure();
  if (!*isDone)
    printFabricText(os, answer, *listed);
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createFabricCommand() {
  return std::make_unique<FabricCommand>();
}
