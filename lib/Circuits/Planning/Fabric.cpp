// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges on a cluster's network.

#include "moe/Circuits/Planning/Fabric.h"
#include "MatrixFile.h"
#include "moe/Circuits/FabricReport.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include "moe/Support/Json.h"
#include "moe/Support/Progress.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;
using moe::support::Column;
using moe::support::JsonValue;
using moe::support::ObjectReader;
using moe::support::ReaderContext;

namespace {

/// The messages of one exchange, between the ranks of one group or between
/// servers.
struct FabricMessages {
  int64_t step = 0;
  std::string layer;
  std::vector<RankMessage> messages;
};

} // namespace

/// Larger than any model's tokens, while sums of bytes stay readable.
static constexpr double kMostTokenBytes = 1e12;
static Result<std::vector<FabricMessages>> readTraffic(FabricInput &in,
                                                       int64_t &ranks) {
  Result<double> bytes = in.tokenBytes.read();
  if (!bytes)
    return bytes.getFailure();
  if (*bytes > kMostTokenBytes)
    return makeFailure("--bytes-per-token: expected at most " +
                       moe::cost::formatNumber(kMostTokenBytes) + ", got " +
                       moe::cost::formatNumber(*bytes));
  Result<traffic::Trace> trace = traffic::loadTrace(in.trafficFile);
  if (!trace)
    return makeFailure("--traffic: " + trace.getError());
  ranks = trace->numRanks;
  int64_t columns = trace->isRankToRank ? ranks : trace->numExperts;
  if (ranks < 2 || columns % ranks)
    return makeFailure("--traffic: " + in.trafficFile.get() +
                       ": expected counts by rank of at least 2 ranks that "
                       "divide the experts, got " +
                       Twine(ranks) + " for " + Twine(columns));
  std::vector<FabricMessages> exchanges;
  for (const traffic::StepTraffic &step : trace->steps)
    for (const traffic::LayerTraffic &layer : step.layers) {
      FabricMessages own{step.step, layer.layer, {}};
      for (int64_t i = 0; i < ranks; ++i)
        for (int64_t c = 0; c < columns; ++c)
          if (double tokens = double(layer.counts.at(i, c)))
            own.messages.push_back({i, c * ranks / columns, tokens * *bytes});
      exchanges.push_back(std::move(own));
    }
  return exchanges;
}

static Result<std::vector<FabricMessages>>
readDemand(FabricInput &in, int64_t serverRanks, int64_t &ranks) {
  fabric::Demand demand;
  if (auto failure = readObjectFile(
          in.demandFile, "a file of demand",
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
  FabricMessages own;
  for (int64_t i = 0; i < demand.getSize(); ++i)
    for (int64_t j = 0; j < demand.getSize(); ++j)
      if (i != j && demand.at(i, j) > 0)
        own.messages.push_back(
            {i * serverRanks, j * serverRanks, demand.at(i, j)});
  return std::vector<FabricMessages>{own};
}

static Result<std::vector<std::vector<CircuitPair>>>
planExchanges(FabricInput &in, const FabricOptions &options,
              const std::vector<FabricMessages> &exchanges) {
  std::vector<std::vector<CircuitPair>> circuits;
  bool isOnce =
      in.circuitUse == "once" || options.network.kind == FabricKind::TopoOpt;
  std::vector<RankMessage> all;
  for (const FabricMessages &own : exchanges) {
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

static Result<std::vector<ExchangeRow>>
simulate(FabricInput &in, const FabricOptions &options,
         const std::vector<FabricMessages> &exchanges,
         const std::vector<std::vector<CircuitPair>> *given = nullptr) {
  std::vector<std::vector<CircuitPair>> planned;
  if (!given) {
    auto own = planExchanges(in, options, exchanges);
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

/// Simulates before failures, immediately after them, and after planning again
/// (SPEC MF-22); `answer` keeps the rows of the last simulation.
static std::optional<Failure>
simulateFailures(FabricInput &in, const std::vector<FabricMessages> &exchanges,
                 FabricAnswer &answer) {
  auto getTotal = [](const Result<std::vector<ExchangeRow>> &rows) {
    double sum = 0;
    for (const ExchangeRow &row : *rows)
      sum += row.us;
    return sum;
  };
  // A fat tree loses the same number of NICs, but keeps its switches, which are
  // of another kind.
  FabricOptions whole = answer.options;
  auto left = in.fabricOption.applyFailures(whole);
  if (!left)
    return left.getFailure();
  answer.options = *left;
  auto circuits = planExchanges(in, whole, exchanges);
  if (!circuits)
    return circuits.getFailure();
  auto before = simulate(in, whole, exchanges, &*circuits);
  if (!before)
    return before.getFailure();
  for (size_t k = 0; k < exchanges.size(); ++k) {
    auto trimmed = trimFabricCircuits(answer.options, (*circuits)[k],
                                      exchanges[k].messages);
    if (!trimmed)
      return trimmed.getFailure();
    (*circuits)[k] = std::move(*trimmed);
  }
  auto atOnce = simulate(in, answer.options, exchanges, &*circuits);
  if (!atOnce)
    return atOnce.getFailure();
  auto after = simulate(in, answer.options, exchanges);
  if (!after)
    return after.getFailure();
  FabricOptions tree = answer.options;
  tree.network.kind = FabricKind::FatTree;
  tree.network.oversubscription = 1;
  tree.network.failedSpines = 0;
  auto treeAfter = simulate(in, tree, exchanges);
  if (!treeAfter)
    return makeFailure("a fat tree without these NICs: " +
                       treeAfter.getError());
  tree.network.failed.clear();
  tree.moved.clear();
  auto treeBefore = simulate(in, tree, exchanges);
  if (!treeBefore)
    return treeBefore.getFailure();
  answer.failures = {getTotal(before), getTotal(atOnce), getTotal(after),
                     getTotal(treeBefore), getTotal(treeAfter)};
  answer.rows = std::move(*after);
  return std::nullopt;
}

Result<FabricAnswer> moe::planning::planFabric(FabricInput &in) {
  bool hasTraffic = in.trafficFile.isSet(), hasDemand = in.demandFile.isSet();
  if (hasTraffic == hasDemand)
    return makeFailure("--traffic or --demand: expected one of them, got " +
                       Twine(hasTraffic ? "both" : "none"));
  if (hasDemand && in.tokenBytes.isSet())
    return makeFailure("--bytes-per-token requires --traffic");
  if (in.circuitUse != "each" && in.circuitUse != "once")
    return makeFailure("--circuits: expected each or once, got '" +
                       in.circuitUse.get() + "'");
  Result<int64_t> listed = in.links.read(10),
                  serverRanks = in.fabricOption.readServerRanks();
  for (Result<int64_t> *read : {&listed, &serverRanks})
    if (!*read)
      return read->getFailure();
  // Errors of the fabric are reported before files are read.
  if (Result<FabricOptions> early = in.fabricOption.read(0); !early)
    return early.getFailure();
  int64_t ranks = 0;
  Result<std::vector<FabricMessages>> exchanges =
      hasTraffic ? readTraffic(in, ranks) : readDemand(in, *serverRanks, ranks);
  if (!exchanges)
    return exchanges.getFailure();
  Result<FabricOptions> options = in.fabricOption.read(ranks);
  if (!options)
    return options.getFailure();
  if (in.circuitUse.isSet() && options->network.kind != FabricKind::MFabric)
    return makeFailure("--circuits requires --fabric=mfabric");
  FabricAnswer answer;
  answer.options = *options;
  answer.busiest = *listed;
  answer.rateGbps = in.fabricOption.getRateGbps(*options);
  // A larger cluster has as many groups of consecutive ranks as fit.
  int64_t all = options->network.servers * options->serverRanks;
  answer.groups = in.fabricOption.hasServers() ? all / ranks : 1;
  for (FabricMessages &own : *exchanges) {
    std::vector<RankMessage> first = own.messages;
    for (int64_t g = 1; g < answer.groups; ++g)
      for (const RankMessage &message : first)
        own.messages.push_back(
            {message.from + g * ranks, message.to + g * ranks, message.bytes});
  }
  if (in.fabricOption.hasFailures()) {
    if (auto failure = simulateFailures(in, *exchanges, answer))
      return *failure;
  } else {
    auto rows = simulate(in, answer.options, *exchanges);
    if (!rows)
      return rows.getFailure();
    answer.rows = std::move(*rows);
  }
  answer.addLoads();
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

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
