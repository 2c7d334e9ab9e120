// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps of whole clusters.

#include "moe/Circuits/Planning/Job.h"
#include "TraceLoads.h"
#include "moe/Circuits/Planning/PriceFile.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include "moe/Support/Json.h"
#include "moe/Support/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;

/// Reads comma-separated numbers.
static std::optional<Failure> readList(const TextOption &option, double min,
                                       double max,
                                       std::vector<double> &values) {
  SmallVector<StringRef> items;
  StringRef(option).split(items, ',');
  for (StringRef item : items) {
    values.emplace_back();
    if (item.getAsDouble(values.back()) || !(values.back() >= min) ||
        !(values.back() <= max))
      return makeFailure(formatv("--{0}: expected comma-separated numbers in "
                                 "[{1}, {2}], got '{3}'",
                                 option.getName(), moe::cost::formatNumber(min),
                                 moe::cost::formatNumber(max), item)
                             .str());
  }
  return std::nullopt;
}

static std::optional<Failure> readOptions(JobInput &in,
                                          ClusterJobOptions &options) {
  Result<int64_t> batches = in.microBatches.read(16),
                  pieces = in.virtualStages.read(1);
  for (Result<int64_t> *read : {&batches, &pieces})
    if (!*read)
      return read->getFailure();
  Result<double> used = in.utilisation.read(0.45), skew = in.exponent.read(0.5);
  for (Result<double> *read : {&used, &skew})
    if (!*read)
      return read->getFailure();
  if (*used > 1)
    return makeFailure("--utilisation: expected a number in (0, 1], got " +
                       in.utilisation.getText());
  if (in.nicUse != "shared" && in.nicUse != "own")
    return makeFailure("--nic-use: expected shared or own, got '" +
                       in.nicUse.get() + "'");
  if (in.sums != "beside" && in.sums != "after")
    return makeFailure("--sums: expected beside or after, got '" +
                       in.sums.get() + "'");
  if (in.trafficFile.isSet()) {
    if (in.exponent.isSet() || in.demands.isSet())
      return makeFailure("--" +
                         Twine(in.exponent.isSet() ? "exponent" : "demands") +
                         " is not supported with --traffic");
    int64_t experts = 0;
    Result<std::vector<StepLoads>> loads =
        readStepLoads(in.trafficFile, experts);
    if (!loads)
      return makeFailure("--traffic: " + loads.getError());
    options.recorded = std::move(*loads);
  } else if (in.policy == JobPolicy::Predict) {
    return makeFailure("--policy=predict requires a routing trace (--traffic)");
  }
  options.placement = in.placement;
  options.sumsBeside = in.sums == "beside";
  if (in.demands != "shared" && in.demands != "each")
    return makeFailure("--demands: expected shared or each, got '" +
                       in.demands.get() + "'");
  options.policy = in.policy;
  options.microBatches = *batches;
  options.virtualStages = *pieces;
  options.utilisation = *used;
  options.exponent = *skew;
  options.hasOwnDemands = in.demands == "each";
  return std::nullopt;
}

/// Returns the price of a server; nullopt for rates without a price.
static std::optional<double> findPrice(const PriceTable &table, FabricKind kind,
                                       double rateGbps, int64_t opticalNics) {
  Result<RatePrices> prices = table.find(rateGbps);
  if (!prices)
    return std::nullopt;
  PriceOptions options;
  options.kind = kind;
  options.opticalNics = opticalNics;
  Result<FabricPrice> price = getFabricPrice(options, prices->prices);
  return price ? std::optional(price->perServer) : std::nullopt;
}

/// Sets the rate of packet NICs so that a server costs as much as a server of
/// an mfabric with 6 optical NICs (SPEC MF-17), and returns this price.
static Result<double> makeEquivalent(const PriceTable &table, double rateGbps,
                                     NetworkOptions &network) {
  auto wanted = findPrice(table, FabricKind::MFabric, rateGbps, 6);
  if (!wanted)
    return makeFailure("--cost-equivalent: " + table.find(rateGbps).getError());
  if (network.kind == FabricKind::MFabric) {
    auto optical = double(network.opticalNics);
    double packets = *findPrice(table, network.kind, rateGbps, 0);
    double packetNic = packets / double(network.nics);
    double circuits =
        *findPrice(table, network.kind, rateGbps, network.opticalNics) -
        packetNic * (double(network.nics) - optical);
    network.packetRate =
        (*wanted - circuits) / (packetNic * (double(network.nics) - optical));
    if (!(network.packetRate > 0))
      return makeFailure(
          "--cost-equivalent: expected fewer optical NICs, because " +
          Twine(network.opticalNics) + " of them alone cost more");
  } else {
    network.nicRate *= *wanted / *findPrice(table, network.kind, rateGbps, 0);
  }
  return *wanted;
}

/// Simulates a job and shows its progress on a terminal.
static Result<JobTime> simulateShown(const ClusterJobOptions &job) {
  moe::support::Activity flows(
      std::string(fabric::getName(job.fabric.network.kind)) + ": flow");
  return simulateJob(
      job, [&](int64_t done, int64_t all) { flows.reach(done, all); });
}

/// Makes the row of a job, relative to a fat tree's step with the same NICs.
static Result<JobRow> makeRow(JobInput &in, const PriceTable &table,
                              ClusterJobOptions options, double rateGbps,
                              const JobTime &tree,
                              const std::optional<Failures> &failures) {
  NetworkOptions &network = options.fabric.network;
  FabricKind kind = network.kind;
  std::string name = "--fabric=" + std::string(fabric::getName(kind)) + ": ";
  auto price = findPrice(table, kind, rateGbps, network.opticalNics);
  auto treePrice = findPrice(table, FabricKind::FatTree, rateGbps, 0);
  bool isPriced = kind == FabricKind::FatTree || kind == FabricKind::Rail ||
                  kind == FabricKind::MFabric;
  if (in.costEquivalent && isPriced) {
    Result<double> wanted = makeEquivalent(table, rateGbps, network);
    if (!wanted)
      return wanted.getFailure();
    price = *wanted;
  }
  bool isTree =
      kind == FabricKind::FatTree && !in.costEquivalent && network.sharesNics;
  Result<JobTime> time =
      isTree ? Result<JobTime>(tree) : simulateShown(options);
  if (!time)
    return makeFailure(name + time.getError());
  JobRow row;
  if (failures) {
    Result<FabricOptions> left = applyFailures(options.fabric, *failures);
    if (!left)
      return makeFailure("--failed: " + left.getError());
    row.wholeUs = time->stepUs;
    options.fabric = *left;
    // The whole fabric had a path, so the remaining one has none.
    if (auto after = simulateShown(options)) {
      time = std::move(after);
    } else {
      row.noWay = after.getError();
      time = JobTime{};
    }
    // The tree has the same number of NICs, but its switches are of another
    // kind.
    ClusterJobOptions treeLeft = options;
    treeLeft.fabric.network.kind = FabricKind::FatTree;
    treeLeft.fabric.network.failedSpines = 0;
    treeLeft.fabric.network.nicRate = rateGbps * 125;
    Result<JobTime> after = simulateShown(treeLeft);
    if (after)
      row.treeSlowdown = after->stepUs / tree.stepUs;
  }
  row.options = std::move(options);
  row.rateGbps = row.options.fabric.network.nicRate / 125;
  row.time = *time;
  if (!row.noWay.empty())
    return row;
  row.speed = tree.stepUs / time->stepUs;
  if (price && treePrice)
    row.perDollar = row.speed * *treePrice / *price;
  return row;
}

Result<JobAnswer> moe::planning::planJob(JobInput &in) {
  ClusterJobOptions base;
  if (auto failure = readOptions(in, base))
    return *failure;
  std::vector<double> numGpus, gbps, optical, delays;
  struct {
    const TextOption &option;
    double min, max;
    std::vector<double> &values;
  } lists[] = {{in.gpus, 1, 524288, numGpus},
               {in.rates, 1, 100000, gbps},
               {in.opticalNics, 0, 7, optical},
               {in.changes, 0, 1e9, delays}};
  for (auto &[option, min, max, values] : lists)
    if (auto failure = readList(option, min, max, values))
      return *failure;
  std::vector<FabricKind> kinds;
  SmallVector<StringRef> names;
  StringRef(in.fabrics).split(names, ',');
  for (StringRef name : names) {
    std::optional<FabricKind> kind = parseFabricKind(name);
    if (!kind)
      return makeFailure(
          "--fabric: expected a comma-separated list of fat-tree, rail, "
          "topoopt, mfabric, torus or ring, got '" +
          name + "'");
    kinds.push_back(*kind);
  }
  if (!llvm::is_contained(kinds, FabricKind::MFabric))
    for (const Option *option : std::initializer_list<const Option *>{
             &in.opticalNics, &in.changes, &in.policy})
      if (option->isSet())
        return makeFailure("--" + option->getName() +
                           " requires mfabric in --fabric");
  std::vector<JobModel> chosen;
  names.clear();
  StringRef(in.models).split(names, ',');
  std::string known;
  for (const JobModel &model : listJobModels()) {
    known += (known.empty() ? "" : ", ") + model.name;
    // "all" selects the paper's models.
    if (llvm::is_contained(names, model.name) ||
        (in.models == "all" && model.name != "deepseek-v3"))
      chosen.push_back(model);
  }
  for (StringRef name : names)
    if (in.models != "all" && llvm::none_of(chosen, [&](const JobModel &model) {
          return model.name == name;
        }))
      return makeFailure(
          "--model: expected all, or a comma-separated list of " + known +
          ", got '" + name + "'");
  Result<PriceTable> prices = readPriceFile("");
  if (!prices)
    return prices.getFailure();

  std::optional<Failures> failures;
  if (in.failed.isSet()) {
    Result<Failures> read = parseFailures(in.failed.get());
    if (!read)
      return read.getFailure();
    failures = std::move(*read);
  }
  std::vector<JobRow> rows;
  moe::support::Activity clusters(
      "cluster", int64_t(chosen.size() * numGpus.size() * gbps.size()));
  for (const JobModel &model : chosen)
    for (double ranks : numGpus)
      for (double rate : gbps) {
        clusters.next(model.name);
        ClusterJobOptions options = base;
        options.model = model;
        options.gpus = int64_t(ranks);
        options.fabric.network.servers = (options.gpus + 7) / 8;
        options.fabric.network.groupServers = options.countGroupServers();
        options.fabric.network.nicRate = rate * 125;
        Result<JobTime> tree = simulateShown(options);
        if (!tree)
          return tree.getFailure();
        for (FabricKind kind : kinds) {
          bool isM = kind == FabricKind::MFabric;
          for (double count : isM ? optical : std::vector<double>{6})
            for (double delay : isM ? delays : std::vector<double>{25000}) {
              ClusterJobOptions own = options;
              own.fabric.network.kind = kind;
              own.fabric.network.opticalNics = int64_t(count);
              own.fabric.network.sharesNics =
                  in.nicUse == "shared" ||
                  (kind != FabricKind::FatTree && kind != FabricKind::Rail);
              own.changeUs = delay;
              auto row = makeRow(in, *prices, own, rate, *tree, failures);
              if (!row)
                return row.getFailure();
              rows.push_back(std::move(*row));
            }
        }
      }
  JobAnswer answer;
  answer.sums = in.sums;
  answer.pricesOrigin = prices->origin;
  answer.models = std::move(chosen);
  answer.rows = std::move(rows);
  answer.base = std::move(base);
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

Report moe::planning::makeJobReport(const std::vector<JobRow> &rows) {
  using moe::support::Cell;
  using moe::support::Column;
  bool hasFailed = false;
  for (const JobRow &row : rows)
    hasFailed |= row.wholeUs.has_value();
  auto failureColumn = [&](const char *key, const char *title) {
    Column column = Column(key, title).fixed(3).orElse("no way");
    return hasFailed ? column : column.hidden();
  };
  auto scale = [](std::optional<double> value, double factor) -> Cell {
    return value ? Cell(*value * factor) : Cell(moe::support::Absent());
  };
  Report report(
      {Column("model", "model"),
       Column("gpus", "GPUs").fixed(0),
       Column("rate_gbps", "Gb/s").fixed(0),
       Column("fabric", "fabric"),
       Column("optical_nics", "optical").fixed(0).orElse("-"),
       Column("reconfiguration_us", "").hidden(),
       Column("policy", "policy").orElse("-"),
       Column("step_ms", "step ms").fixed(1).orElse("no way"),
       Column("worst_step_ms", "").hidden(),
       Column("before_failure_ms", "").hidden(),
       failureColumn("slowdown", "slowdown"),
       failureColumn("fat_tree_slowdown", "fat tree's"),
       Column("speed_of_fat_tree", "of fat tree").fixed(3).orElse("-"),
       Column("performance_per_dollar", "per usd").fixed(3).orElse("-"),
       Column("compute_ms", "compute").fixed(1).orElse("-"),
       Column("exchange_ms", "exchanges").fixed(1).orElse("-"),
       Column("change_ms", "changes").fixed(1).orElse("-"),
       Column("send_ms", "").hidden(),
       Column("gradient_ms", "gradients").fixed(1).orElse("-"),
       Column("exposed_ms", "behind").fixed(1).orElse("-"),
       Column("exchanges", "priced").fixed(0).orElse("-"),
       Column("flows", "").hidden(),
       Column("simulated_parts", "simulated").fixed(0).orElse("-"),
       Column("no_way", "").hidden()});
  for (const JobRow &row : rows) {
    bool hasCircuits = row.options.fabric.network.kind == FabricKind::MFabric;
    auto circuits = [&](Cell cell) -> Cell {
      return hasCircuits ? cell : Cell(moe::support::Unknown());
    };
    bool hasWay = row.noWay.empty();
    auto told = [&](Cell cell) -> Cell {
      return hasWay ? cell : Cell(moe::support::Unknown());
    };
    report.addRow(
        {row.options.model.name,
         row.options.gpus,
         row.rateGbps,
         std::string(fabric::getName(row.options.fabric.network.kind)),
         circuits(row.options.fabric.network.opticalNics),
         circuits(row.options.changeUs),
         circuits(told(getEnumName(row.time.policy).str())),
         told(row.time.stepUs / 1e3),
         told(row.time.worstUs / 1e3),
         scale(row.wholeUs, 1e-3),
         row.wholeUs ? told(row.time.stepUs / *row.wholeUs)
                     : Cell(moe::support::Absent()),
         scale(row.treeSlowdown, 1),
         told(row.speed),
         row.perDollar ? Cell(*row.perDollar) : Cell(moe::support::Unknown()),
         told(row.time.computeUs / 1e3),
         told(row.time.exchangeUs / 1e3),
         told(row.time.changeUs / 1e3),
         told(row.time.sendUs / 1e3),
         told(row.time.gradientUs / 1e3),
         told(row.time.exposedUs / 1e3),
         told(row.time.exchanges),
         told(row.time.flows),
         told(row.time.simulatedParts),
         hasWay ? Cell(moe::support::Absent()) : Cell(row.noWay)});
  }
  return report;
}

std::string moe::planning::getTitle(const JobAnswer &) {
  return "moe-fabric job";
}

void moe::planning::printJSON(llvm::json::OStream &out,
                              const JobAnswer &answer) {
  const ClusterJobOptions &base = answer.base;
  out.attribute("peak_tflops", base.peakTflops);
  out.attribute("utilisation", base.utilisation);
  out.attribute("micro_batches", base.microBatches);
  if (base.recorded.empty())
    out.attribute("exponent", base.exponent);
  else
    out.attribute("trace_steps", int64_t(base.recorded.size()));
  out.attribute("sums", answer.sums);
  out.attribute("prices", answer.pricesOrigin);
  out.attributeArray("steps",
                     [&] { makeJobReport(answer.rows).printItems(out); });
}
