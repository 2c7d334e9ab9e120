//===- JobCommand.cpp - moe-plan job --------------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClusterJob.h"
#include "Commands.h"
#include "PriceFile.h"
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
      : Command("job", "training steps of whole clusters on fabrics, beside a "
                       "fat tree, and per dollar") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  std::optional<Failure> readOptions(JobOptions &options);

  cl::opt<std::string> models{
      "model", cl::desc("models with commas between, or all (default)"),
      cl::value_desc("NAMES"), cl::init("all"), cl::sub(subCommand)};
  cl::opt<std::string> fabrics{"fabric",
                               cl::desc("fabrics with commas between (default: "
                                        "fat-tree,rail,topoopt,mfabric)"),
                               cl::value_desc("KINDS"),
                               cl::init("fat-tree,rail,topoopt,mfabric"),
                               cl::sub(subCommand)};
  cl::opt<std::string> gpus{
      "gpus", cl::desc("GPUs with commas between (default: 1024)"),
      cl::value_desc("NUMBERS"), cl::init("1024"), cl::sub(subCommand)};
  cl::opt<std::string> rates{
      "rate-gbps", cl::desc("rates with commas between (default: 400)"),
      cl::value_desc("NUMBERS"), cl::init("400"), cl::sub(subCommand)};
  cl::opt<std::string> opticalNics{
      "optical-nics",
      cl::desc("mfabric: NICs of 8 on the circuit switch, with commas between "
               "(default: 6)"),
      cl::value_desc("NUMBERS"), cl::init("6"), cl::sub(subCommand)};
  cl::opt<std::string> changes{
      "reconfiguration-us",
      cl::desc("mfabric: what a change of circuits takes, with commas between "
               "(default: 25000)"),
      cl::value_desc("NUMBERS"), cl::init("25000"), cl::sub(subCommand)};
  cl::opt<JobPolicy> policy{
      "policy", cl::desc("mfabric: what a first exchange forward goes over"),
      cl::values(clEnumValN(JobPolicy::Auto, "auto",
                            "whichever of the next two is faster (default)"),
                 clEnumValN(JobPolicy::Block, "block",
                            "circuits changed behind the gate, waited for"),
                 clEnumValN(JobPolicy::Keep, "keep",
                            "the circuits of the layer before"),
                 clEnumValN(JobPolicy::Once, "once",
                            "circuits planned once for all layers")),
      cl::init(JobPolicy::Auto), cl::sub(subCommand)};
  IntegerOption microBatches{"micro-batches", "of a step (default: 16)",
                             subCommand};
  IntegerOption virtualStages{"virtual-stages",
                              "pieces of the model on each stage (default: 1)",
                              subCommand};
  NumberOption utilisation{"utilisation",
                           "share of a GPU's 312 TFLOP/s (default: 0.45)",
                           subCommand};
  NumberOption exponent{"exponent",
                        "the expert at place p gets p^-X (default: 0.5)",
                        subCommand,
                        {/*mayBeZero=*/true}};
  cl::opt<std::string> demands{
      "demands",
      cl::desc("shared: replicas have those of the first (default); each: "
               "their own"),
      cl::value_desc("WHOSE"), cl::init("shared"), cl::sub(subCommand)};
  cl::opt<bool> costEquivalent{
      "cost-equivalent",
      cl::desc("fat trees and rails at the rate at which they would cost what "
               "mfabric does (SPEC MF-17)"),
      cl::sub(subCommand)};
  cl::opt<std::string> csv{"csv", cl::desc("also write a line for each row"),
                           cl::value_desc("file.csv"), cl::sub(subCommand)};
  AnswerOptions answers{subCommand};
};

/// One point of the product of all lists.
struct JobRow {
  JobOptions options;
  double rateGbps = 0;
  JobTime time;
  /// The fat tree's step over this one's, at the same NICs.
  double speed = 1;
  std::optional<double> perDollar;
};

} // namespace

/// Numbers with commas between.
static std::optional<Failure> readList(const cl::opt<std::string> &option,
                                       double min, double max,
                                       std::vector<double> &values) {
  SmallVector<StringRef> items;
  StringRef(option).split(items, ',');
  for (StringRef item : items) {
    values.emplace_back();
    if (item.getAsDouble(values.back()) || !(values.back() >= min) ||
        !(values.back() <= max))
      return makeFailure(formatv("--{0}: expected numbers in [{1}, {2}] with "
                                 "commas between, got '{3}'",
                                 option.ArgStr, moe::support::formatNumber(min),
                                 moe::support::formatNumber(max), item)
                             .str());
  }
  return std::nullopt;
}

std::optional<Failure> JobCommand::readOptions(JobOptions &options) {
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
  if (demands != "shared" && demands != "each")
    return makeFailure("--demands: expected shared or each, got '" + demands +
                       "'");
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

static Report makeRows(const std::vector<JobRow> &rows) {
  using moe::support::Cell;
  using moe::support::Column;
  Report report(
      {Column("model", "model"), Column("gpus", "GPUs").fixed(0),
       Column("rate_gbps", "Gb/s").fixed(0), Column("fabric", "fabric"),
       Column("optical_nics", "optical").fixed(0).orElse("-"),
       Column("reconfiguration_us", "").hidden(),
       Column("step_ms", "step ms").fixed(1),
       Column("speed_of_fat_tree", "of fat tree").fixed(3),
       Column("performance_per_dollar", "per usd").fixed(3).orElse("-"),
       Column("compute_ms", "compute").fixed(1),
       Column("exchange_ms", "exchanges").fixed(1),
       Column("change_ms", "changes").fixed(1), Column("send_ms", "").hidden(),
       Column("gradient_ms", "gradients").fixed(1),
       Column("exchanges", "priced").fixed(0), Column("flows", "").hidden(),
       Column("simulated_parts", "simulated").fixed(0)});
  for (const JobRow &row : rows) {
    bool hasCircuits = row.options.fabric.network.kind == FabricKind::MFabric;
    auto circuits = [&](Cell cell) -> Cell {
      return hasCircuits ? cell : Cell(moe::support::Unknown());
    };
    report.addRow(
        {row.options.model.name, row.options.gpus, row.rateGbps,
         std::string(fabric::getName(row.options.fabric.network.kind)),
         circuits(row.options.fabric.network.opticalNics),
         circuits(row.options.changeUs), row.time.stepUs / 1e3, row.speed,
         row.perDollar ? Cell(*row.perDollar) : Cell(moe::support::Unknown()),
         row.time.computeUs / 1e3, row.time.exchangeUs / 1e3,
         row.time.changeUs / 1e3, row.time.sendUs / 1e3,
         row.time.gradientUs / 1e3, row.time.exchanges, row.time.flows,
         row.time.simulatedParts});
  }
  return report;
}

std::optional<Failure> JobCommand::run(raw_ostream &os) {
  JobOptions base;
  if (auto failure = readOptions(base))
    return failure;
  std::vector<double> numGpus, gbps, optical, delays;
  struct {
    const cl::opt<std::string> &option;
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
      return makeFailure("--fabric: expected fat-tree, rail, topoopt, mfabric, "
                         "torus or ring with commas between, got '" +
                         name + "'");
    kinds.push_back(*kind);
  }
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
      return makeFailure("--model: expected all or some of " + known +
                         " with commas between, got '" + name + "'");
  Result<PriceTable> prices = readPriceFile("");
  if (!prices)
    return prices.getFailure();

  std::vector<JobRow> rows;
  moe::support::Activity clusters(
      "cluster", int64_t(chosen.size() * numGpus.size() * gbps.size()));
  for (const JobModel &model : chosen)
    for (double ranks : numGpus)
      for (double rate : gbps) {
        clusters.next(model.name);
        JobOptions options = base;
        options.model = model;
        options.gpus = int64_t(ranks);
        NetworkOptions &network = options.fabric.network;
        network.servers = (options.gpus + 7) / 8;
        network.nicRate = rate * 125;
        auto simulate = [](const JobOptions &job) {
          moe::support::Activity flows(
              std::string(fabric::getName(job.fabric.network.kind)) + ": flow");
          return simulateJob(
              job, [&](int64_t done, int64_t all) { flows.reach(done, all); });
        };
        Result<JobTime> tree = simulate(options);
        if (!tree)
          return tree.getFailure();
        auto treePrice = findPrice(*prices, FabricKind::FatTree, rate, 0);
        for (FabricKind kind : kinds) {
          bool isM = kind == FabricKind::MFabric;
          for (double count : isM ? optical : std::vector<double>{6})
            for (double delay : isM ? delays : std::vector<double>{25000}) {
              network.kind = kind;
              network.opticalNics = int64_t(count);
              network.nicRate = rate * 125;
              options.changeUs = delay;
              auto price = findPrice(*prices, kind, rate, int64_t(count));
              bool isElectric =
                  kind == FabricKind::FatTree || kind == FabricKind::Rail;
              if (costEquivalent && isElectric) {
                auto wanted = findPrice(*prices, FabricKind::MFabric, rate,
                                        int64_t(optical.front()));
                if (!wanted)
                  return makeFailure("--cost-equivalent: " +
                                     prices->find(rate).getError());
                network.nicRate *= *wanted / *price;
                price = wanted;
              }
              bool isTree = kind == FabricKind::FatTree && !costEquivalent;
              Result<JobTime> time = isTree ? tree : simulate(options);
              if (!time)
                return makeFailure(
                    "--fabric=" + StringRef(fabric::getName(kind)) + ": " +
                    time.getError());
              JobRow row{options,
                         network.nicRate / 125,
                         *time,
                         tree->stepUs / time->stepUs,
                         {}};
              if (price && treePrice)
                row.perDollar = row.speed * *treePrice / *price;
              rows.push_back(std::move(row));
            }
        }
      }
  Report report = makeRows(rows);
  if (csv.getNumOccurrences())
    if (auto failure = writeFile(
            "csv", csv, [&](raw_ostream &file) { report.printCSV(file); }))
      return failure;
  Result<bool> isDone =
      answers.answer(os, "moe-plan job", [&](json::OStream &out) {
        out.attribute("peak_tflops", base.peakTflops);
        out.attribute("utilisation", base.utilisation);
        out.attribute("micro_batches", base.microBatches);
        out.attribute("exponent", base.exponent);
        out.attribute("prices", prices->origin);
        out.attributeArray("steps", [&] { report.printItems(out); });
      });
  if (!isDone)
    return isDone.getFailure();
  if (*isDone)
    return std::nullopt;
  report.printTable(os);
  os << formatv(
      "\n{0} micro-batches, {1} TFLOP/s at {2}, experts at p^-{3}; "
      "compute, exchanges and changes of a micro-batch on the slowest "
      "stage, forward and backward, gradients of the step\n",
      base.microBatches, moe::support::formatNumber(base.peakTflops),
      moe::support::formatNumber(base.utilisation),
      moe::support::formatNumber(base.exponent));
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
