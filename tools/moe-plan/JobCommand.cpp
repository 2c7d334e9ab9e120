// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan job.

#include "Commands.h"
#include "JobAnswer.h"
#include "PriceFile.h"
#include "TraceLoads.h"
#include "moe/Options/FabricOption.h"
#include "moe/Support/Json.h"
#include "moe/Support/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;

namespace {

class JobCommand : public Command {
public:
  JobCommand()
      : Command("job", "Simulate training steps of whole clusters, with speed "
                       "and cost relative to a fat tree") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  std::optional<Failure> readOptions(ClusterJobOptions &options);
  Result<JobRow> makeRow(const PriceTable &table, ClusterJobOptions options,
                         double rateGbps, const JobTime &tree,
                         const std::optional<Failures> &failures);

  TextOption models{table, "model", "Comma-separated models, or all (default)",
                    "NAMES", "all"};
  TextOption fabrics{table, "fabric",
                     "Comma-separated network fabrics (default: "
                     "fat-tree,rail,topoopt,mfabric)",
                     "KINDS", "fat-tree,rail,topoopt,mfabric"};
  TextOption gpus{table, "gpus",
                  "Comma-separated numbers of GPUs (default: 1024)", "NUMBERS",
                  "1024"};
  TextOption rates{table, "rate-gbps",
                   "Comma-separated rates per NIC in Gb/s (default: 400)",
                   "NUMBERS", "400"};
  TextOption opticalNics{
      table, "optical-nics",
      "mfabric: comma-separated numbers of NICs, of 8 per server, on "
      "the optical circuit switch (default: 6)",
      "NUMBERS", "6"};
  TextOption changes{
      table, "reconfiguration-us",
      "mfabric: comma-separated times of a circuit reconfiguration in "
      "microseconds (default: 25000)",
      "NUMBERS", "25000"};
  WordOption<JobPolicy> policy{table, "policy",
                               "mfabric: optical circuits that a layer's "
                               "first forward exchange uses",
                               JobPolicy::Auto};
  IntegerOption microBatches{table, "num-micro-batches",
                             "Micro-batches per step (default: 16)"};
  IntegerOption virtualStages{
      table, "virtual-stages",
      "Virtual stages (parts of the model) per pipeline stage (default: 1)"};
  WordOption<JobPlacement> placement{table, "placement",
                                     "Placement of each expert-parallel group",
                                     JobPlacement::Dense};
  TextOption nicUse{
      table, "nic-use",
      "fat-tree and rail: shared, ranks use all NICs of their server "
      "(default); own, each rank uses one NIC, by its position in the "
      "server",
      "USE", "shared"};
  TextOption sums{
      table, "sums",
      "Gradient all-reduce: beside, overlapped with the last backward "
      "passes (default); after, after these passes",
      "WHEN", "beside"};
  TextOption trafficFile{
      table, "traffic",
      "Routing trace to use instead of random tokens; the answer is "
      "the mean over its iterations",
      "TRACE"};
  TextOption failed{table, "failed", kFailedHelp, "LIST"};
  NumberOption utilisation{table, "utilisation",
                           "Share of a GPU's peak of 312 TFLOP/s that compute "
                           "reaches (default: 0.45)"};
  NumberOption exponent{table,
                        "exponent",
                        "Skew of random tokens: the expert of popularity rank "
                        "p gets a share proportional to p^-X (default: 0.5)",
                        {/*mayBeZero=*/true}};
  TextOption demands{table, "demands",
                     "Random tokens of replicas: shared, equal to the first "
                     "replica's (default); each, drawn per replica",
                     "WHOSE", "shared"};
  FlagOption costEquivalent{
      table, "cost-equivalent",
      "Run fat trees and rails at the NIC rate at which they cost as "
      "much as mfabric with 6 optical NICs; set the rate of the "
      "packet NICs of other mfabrics in the same way (SPEC MF-17)"};
  OutputOption csv{"csv", cl::desc("Also write one line per table row"),
                   cl::value_desc("file.csv"), cl::sub(subCommand)};
  AnswerOptions answers{subCommand};
};

} // namespace

/// Numbers with commas between.
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
                                 option.getName(),
                                 moe::support::formatNumber(min),
                                 moe::support::formatNumber(max), item)
                             .str());
  }
  return std::nullopt;
}

std::optional<Failure> JobCommand::readOptions(ClusterJobOptions &options) {
  Result<int64_t> batches = microBatches.read(16),
                  pieces = virtualStages.read(1);
  for (Result<int64_t> *read : {&batches, &pieces})
    if (!*read)
      return read->getFailure();
  Result<double> used = utilisation.read(0.45), skew = exponent.read(0.5);
  for (Result<double> *read : {&used, &skew})
    if (!*read)
      return read->getFailure();
  if (*used > 1)
    return makeFailure("--utilisation: expected a number in (0, 1], got " +
                       utilisation.getText());
  if (nicUse != "shared" && nicUse != "own")
    return makeFailure("--nic-use: expected shared or own, got '" +
                       nicUse.get() + "'");
  if (sums != "beside" && sums != "after")
    return makeFailure("--sums: expected beside or after, got '" + sums.get() +
                       "'");
  if (trafficFile.isSet()) {
    if (exponent.isSet() || demands.isSet())
      return makeFailure("--" +
                         Twine(exponent.isSet() ? "exponent" : "demands") +
                         " is not supported with --traffic");
    int64_t experts = 0;
    Result<std::vector<StepLoads>> loads = readStepLoads(trafficFile, experts);
    if (!loads)
      return makeFailure("--traffic: " + loads.getError());
    options.recorded = std::move(*loads);
  } else if (policy == JobPolicy::Predict) {
    return makeFailure("--policy=predict requires a routing trace (--traffic)");
  }
  options.placement = placement;
  options.sumsBeside = sums == "beside";
  if (demands != "shared" && demands != "each")
    return makeFailure("--demands: expected shared or each, got '" +
                       demands.get() + "'");
  options.policy = policy;
  options.microBatches = *batches;
  options.virtualStages = *pieces;
  options.utilisation = *used;
  options.exponent = *skew;
  options.hasOwnDemands = demands == "each";
  return std::nullopt;
}

/// The price of a server; of a rate that nobody sells, none.
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

/// Gives NICs on packets the rate at which a server costs what an mfabric's
/// with 6 optical NICs does (SPEC MF-17); its price.
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

/// Simulates a job, and says on a terminal how far that is.
static Result<JobTime> simulateShown(const ClusterJobOptions &job) {
  moe::support::Activity flows(
      std::string(fabric::getName(job.fabric.network.kind)) + ": flow");
  return simulateJob(
      job, [&](int64_t done, int64_t all) { flows.reach(done, all); });
}

/// The row of a job beside a fat tree's step of the same NICs.
Result<JobRow> JobCommand::makeRow(const PriceTable &table,
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
  if (costEquivalent && isPriced) {
    Result<double> wanted = makeEquivalent(table, rateGbps, network);
    if (!wanted)
      return wanted.getFailure();
    price = *wanted;
  }
  bool isTree =
      kind == FabricKind::FatTree && !costEquivalent && network.sharesNics;
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
    // The whole fabric had a way, so that what is left has none.
    if (auto after = simulateShown(options)) {
      time = std::move(after);
    } else {
      row.noWay = after.getError();
      time = JobTime{};
    }
    // As many NICs; its switches are of another kind.
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

std::optional<Failure> JobCommand::run(raw_ostream &os) {
  ClusterJobOptions base;
  if (auto failure = readOptions(base))
    return failure;
  std::vector<double> numGpus, gbps, optical, delays;
  struct {
    const TextOption &option;
    double min, max;
    std::vector<double> &values;
  } lists[] = {{gpus, 1, 524288, numGpus},
               {rates, 1, 100000, gbps},
               {opticalNics, 0, 7, optical},
               {changes, 0, 1e9, delays}};
  for (auto &[option, min, max, values] : lists)
    if (auto failure = readList(option, min, max, values))
      return failure;
  std::vector<FabricKind> kinds;
  SmallVector<StringRef> names;
  StringRef(fabrics).split(names, ',');
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
    for (const Option *option :
         std::initializer_list<const Option *>{&opticalNics, &changes, &policy})
      if (option->isSet())
        return makeFailure("--" + option->getName() +
                           " requires mfabric in --fabric");
  std::vector<JobModel> chosen;
  names.clear();
  StringRef(models).split(names, ',');
  std::string known;
  for (const JobModel &model : listJobModels()) {
    known += (known.empty() ? "" : ", ") + model.name;
    // "all" are the paper's.
    if (llvm::is_contained(names, model.name) ||
        (models == "all" && model.name != "deepseek-v3"))
      chosen.push_back(model);
  }
  for (StringRef name : names)
    if (models != "all" && llvm::none_of(chosen, [&](const JobModel &model) {
          return model.name == name;
        }))
      return makeFailure(
          "--model: expected all, or a comma-separated list of " + known +
          ", got '" + name + "'");
  Result<PriceTable> prices = readPriceFile("");
  if (!prices)
    return prices.getFailure();

  std::optional<Failures> failures;
  if (failed.isSet()) {
    Result<Failures> read = parseFailures(failed.get());
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
                  nicUse == "shared" ||
                  (kind != FabricKind::FatTree && kind != FabricKind::Rail);
              own.changeUs = delay;
              auto row = makeRow(*prices, own, rate, *tree, failures);
              if (!row)
                return row.getFailure();
              rows.push_back(std::move(*row));
            }
        }
      }
  Report report = makeJobReport(rows);
  if (csv.isSet())
    if (auto failure =
            writeFile(csv, [&](raw_ostream &file) { report.printCSV(file); }))
      return failure;
  Result<bool> isDone =
      answers.answer(os, "moe-plan job", [&](json::OStream &out) {
        out.attribute("peak_tflops", base.peakTflops);
        out.attribute("utilisation", base.utilisation);
        out.attribute("micro_batches", base.microBatches);
        if (base.recorded.empty())
          out.attribute("exponent", base.exponent);
        else
          out.attribute("trace_steps", int64_t(base.recorded.size()));
        out.attribute("sums", sums.get());
        out.attribute("prices", prices->origin);
        out.attributeArray("steps", [&] { report.printItems(out); });
      });
  if (!isDone)
    return isDone.getFailure();
  if (*isDone)
    return std::nullopt;
  report.printTable(os);
  for (const JobRow &row : rows)
    if (!row.noWay.empty())
      os << "no way: " << row.options.model.name << " on "
         << fabric::getName(row.options.fabric.network.kind) << ": "
         << row.noWay << "\n";
  os << formatv(
      "\n{0} micro-batches, {1} TFLOP/s at {2}, {3}; "
      "compute, exchanges and changes of a micro-batch on the slowest "
      "stage, forward and backward, gradients of the step and what of them is "
      "behind the last pass\n",
      base.microBatches, moe::support::formatNumber(base.peakTflops),
      moe::support::formatNumber(base.utilisation),
      base.recorded.empty()
          ? "experts at p^-" + moe::support::formatNumber(base.exponent)
          : "the mean of " + std::to_string(base.recorded.size()) +
                " steps of a trace");
  for (const JobModel &model : chosen)
    os << formatv("{0}: tp {1}, ep {2}, pp {3}, micro-batches of {4} x {5} "
                  "tokens\n",
                  model.name, model.tp, model.ep, model.pp, model.microBatch,
                  model.tokens);
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createJobCommand() {
  return std::make_unique<JobCommand>();
}
