// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `cost`, `job` and `predict` as text and CSV.

#include "FabricPrinting.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::fabric;

void moe::plan::printCostText(raw_ostream &os, const CostInput &,
                              const CostAnswer &answer) {
  const std::vector<PricedFabric> &rows = answer.fabrics;
  using moe::support::Column;
  std::vector<Column> columns{Column("", "Gb/s").fixed(0), Column("", "fabric"),
                              Column("", "usd a server").fixed(0),
                              Column("", "usd").fixed(0),
                              Column("", "fat tree / this").fixed(3)};
  if (answer.speed)
    columns.push_back(Column("", "performance / usd").fixed(3));
  Report report(columns);
  for (const PricedFabric &row : rows) {
    std::vector<moe::support::Cell> cells{
        row.rateGbps, std::string(fabric::getName(row.kind)),
        row.price.perServer, row.price.total, row.ratio};
    if (answer.speed)
      cells.push_back(row.ratio * *answer.speed);
    report.addRow(std::move(cells));
  }
  report.printTable(os);
  if (rows.size() == 1) {
    os << "\nof a server\n";
    Report parts = makeList({false, true, true});
    for (const PricePart &part : rows.front().price.parts)
      parts.addRow({"  " + part.name, formatFixed(part.count, 1),
                    formatFixed(part.dollars, 0) + " usd"});
    parts.printTable(os, /*withHeading=*/false);
  }
  os << formatv("\n{0} servers; prices of {1} ({2})\n", answer.servers,
                answer.prices.file, answer.prices.origin);
  for (const RatePrices &own : answer.prices.rates)
    for (const std::string &note : own.notes)
      os << formatv("at {0} Gb/s, {1}\n", moe::cost::formatNumber(own.rateGbps),
                    note);
}

void moe::plan::printJobText(raw_ostream &os, const JobInput &,
                             const JobAnswer &answer) {
  const ClusterJobOptions &base = answer.base;
  makeJobReport(answer.rows).printTable(os);
  for (const JobRow &row : answer.rows)
    if (!row.noWay.empty())
      os << "no way: " << row.options.model.name << " on "
         << fabric::getName(row.options.fabric.network.kind) << ": "
         << row.noWay << "\n";
  os << formatv(
      "\n{0} micro-batches, {1} TFLOP/s at {2}, {3}; "
      "compute, exchanges and changes of a micro-batch on the slowest "
      "stage, forward and backward, gradients of the step and what of them is "
      "behind the last pass\n",
      base.microBatches, moe::cost::formatNumber(base.peakTflops),
      moe::cost::formatNumber(base.utilisation),
      base.recorded.empty()
          ? "experts at p^-" + moe::cost::formatNumber(base.exponent)
          : "the mean of " + std::to_string(base.recorded.size()) +
                " steps of a trace");
  for (const JobModel &model : answer.models)
    os << formatv("{0}: tp {1}, ep {2}, pp {3}, micro-batches of {4} x {5} "
                  "tokens\n",
                  model.name, model.tp, model.ep, model.pp, model.microBatch,
                  model.tokens);
}

void moe::plan::printJobCSV(raw_ostream &os, const JobInput &,
                            const JobAnswer &answer) {
  makeJobReport(answer.rows).printCSV(os);
}

void moe::plan::printPredictText(raw_ostream &os, const PredictInput &,
                                 const PredictAnswer &answer) {
  makePredictionReport(answer).printTable(os);
  for (const std::string &note : answer.notes)
    os << note << "\n";
}
