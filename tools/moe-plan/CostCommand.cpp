// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan cost.

#include "Commands.h"
#include "PriceFile.h"
#include "moe/Support/Json.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::fabric;

namespace {

class CostCommand : public Command {
public:
  CostCommand() : Command("cost", "Compute the cost of a cluster's network") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  TextOption fabricName{
      table, "fabric",
      "Network fabric: fat-tree, rail, topoopt or mfabric (default: all)",
      "KIND"};
  NumberOption rate{table, "rate-gbps",
                    "Rate per NIC in Gb/s (default: every rate with a price)"};
  IntegerOption servers{table, "servers",
                        "Servers in the cluster (default: 1)"};
  IntegerOption nics{table, "nics", "NICs per server (default: 8)"};
  IntegerOption opticalNics{
      table,
      "optical-nics",
      "mfabric: NICs per server on the optical circuit switch (default: 6)",
      {/*min=*/0}};
  IntegerOption tiers{table, "tiers", "Switch tiers (default: 3)"};
  NumberOption oversubscription{
      table, "oversubscription",
      "NIC bandwidth over uplink bandwidth per leaf switch (default: 1)"};
  NumberOption hostLink{table,
                        "host-link-usd",
                        "Price in USD per cable (DAC, AOC) from a NIC to a "
                        "leaf switch, instead of two transceivers and a fibre",
                        {/*mayBeZero=*/true}};
  NumberOption fibre{table,
                     "fibre-usd",
                     "Price in USD per fibre between two transceivers "
                     "(default: the price file's, or 0)",
                     {/*mayBeZero=*/true}};
  NumberOption speed{table, "speed",
                     "Speed of a job on --fabric relative to a fat tree, for "
                     "performance per dollar"};
  TextOption pricesFile{table, "prices",
                        "Price file (default: mFabric's Table 4)", "FILE"};
  AnswerOptions answers{subCommand};
};

/// One fabric at one rate.
struct Priced {
  FabricKind kind;
  double rateGbps;
  FabricPrice price;
  /// The fat tree's price over this one's.
  double ratio;
};

} // namespace

/// As members of an object that is open.
static void printPrice(json::OStream &out, const Priced &own,
                       std::optional<double> speed) {
  out.attribute("fabric", StringRef(fabric::getName(own.kind)));
  out.attribute("rate_gbps", own.rateGbps);
  out.attribute("total_usd", own.price.total);
  out.attribute("per_server_usd", own.price.perServer);
  out.attribute("fat_tree_over_this", own.ratio);
  if (speed)
    out.attribute("performance_per_dollar", own.ratio * *speed);
  out.attributeArray("parts_of_a_server", [&] {
    for (const PricePart &part : own.price.parts)
      out.object([&] {
        out.attribute("part", part.name);
        out.attribute("count", part.count);
        out.attribute("usd", part.dollars);
      });
  });
}

std::optional<Failure> CostCommand::run(raw_ostream &os) {
  PriceOptions options;
  struct {
    const IntegerOption &option;
    int64_t &value;
  } integers[] = {{servers, options.servers},
                  {nics, options.nics},
                  {opticalNics, options.opticalNics},
                  {tiers, options.tiers}};
  for (auto &[option, value] : integers) {
    Result<int64_t> read = option.read(value);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  Result<double> factor = oversubscription.read(1.0);
  if (!factor)
    return factor.getFailure();
  options.oversubscription = *factor;
  std::optional<double> cable, perFibre, given, quick;
  struct {
    const NumberOption &option;
    std::optional<double> &value;
  } numbers[] = {
      {hostLink, cable}, {fibre, perFibre}, {rate, given}, {speed, quick}};
  for (auto &[option, value] : numbers)
    if (auto failure = option.readIfSet(value))
      return failure;
  options.hostCable = cable;

  std::vector<FabricKind> kinds{FabricKind::FatTree, FabricKind::Rail,
                                FabricKind::TopoOpt, FabricKind::MFabric};
  bool isOne = fabricName.isSet();
  if (isOne) {
    std::optional<FabricKind> named = parseFabricKind(fabricName.get());
    if (!named || !llvm::is_contained(kinds, *named))
      return makeFailure("--fabric: expected fat-tree, rail, topoopt or "
                         "mfabric, got '" +
                         fabricName.get() + "'");
    kinds = {*named};
  }
  if (quick && !isOne)
    return makeFailure("--speed requires --fabric");
  Result<PriceTable> table = readPriceFile(pricesFile);
  if (!table)
    return makeFailure((pricesFile.get().empty() ? "" : "--prices: ") +
                       table.getError());
  std::vector<RatePrices> rates = table->rates;
  if (given) {
    Result<RatePrices> found = table->find(*given);
    if (!found)
      return found.getFailure();
    rates = {*found};
  }
  std::vector<Priced> rows;
  for (RatePrices &own : rates) {
    if (perFibre)
      own.prices.fibre = *perFibre;
    options.kind = FabricKind::FatTree;
    Result<FabricPrice> tree = getFabricPrice(options, own.prices);
    if (!tree)
      return makeFailure("--" + tree.getError());
    for (FabricKind kind : kinds) {
      options.kind = kind;
      Result<FabricPrice> price = getFabricPrice(options, own.prices);
      if (!price)
        return makeFailure("--" + price.getError());
      rows.push_back(
          {kind, own.rateGbps, *price, tree->perServer / price->perServer});
    }
  }

  Result<bool> isDone =
      answers.answer(os, "moe-plan cost", [&](json::OStream &out) {
        if (rows.size() == 1)
          printPrice(out, rows.front(), quick);
        else
          out.attributeArray("fabrics", [&] {
            for (const Priced &row : rows)
              out.object([&] { printPrice(out, row, quick); });
          });
        out.attribute("servers", options.servers);
        out.attribute("prices", table->file);
        out.attribute("origin", table->origin);
      });
  if (!isDone)
    return isDone.getFailure();
  if (*isDone)
    return std::nullopt;
  using moe::support::Column;
  std::vector<Column> columns{Column("", "Gb/s").fixed(0), Column("", "fabric"),
                              Column("", "usd a server").fixed(0),
                              Column("", "usd").fixed(0),
                              Column("", "fat tree / this").fixed(3)};
  if (quick)
    columns.push_back(Column("", "performance / usd").fixed(3));
  Report report(columns);
  for (const Priced &row : rows) {
    std::vector<moe::support::Cell> cells{
        row.rateGbps, std::string(fabric::getName(row.kind)),
        row.price.perServer, row.price.total, row.ratio};
    if (quick)
      cells.push_back(row.ratio * *quick);
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
  os << formatv("\n{0} servers; prices of {1} ({2})\n", options.servers,
                table->file, table->origin);
  for (const RatePrices &own : rates)
    for (const std::string &note : own.notes)
      os << formatv("at {0} Gb/s, {1}\n",
                    moe::support::formatNumber(own.rateGbps), note);
  return std::nullopt;
}

std::unique_ptr<Command> moe::plan::createCostCommand() {
  return std::make_unique<CostCommand>();
}
