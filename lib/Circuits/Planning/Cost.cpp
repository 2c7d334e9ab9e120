// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a cluster's network.

#include "moe/Circuits/Planning/Cost.h"
#include "moe/Planning/Answers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::fabric;

Result<CostAnswer> moe::planning::planCost(CostInput &in) {
  PriceOptions options;
  struct {
    const IntegerOption &option;
    int64_t &value;
  } integers[] = {{in.servers, options.servers},
                  {in.nics, options.nics},
                  {in.opticalNics, options.opticalNics},
                  {in.tiers, options.tiers}};
  for (auto &[option, value] : integers) {
    Result<int64_t> read = option.read(value);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  Result<double> factor = in.oversubscription.read(1.0);
  if (!factor)
    return factor.getFailure();
  options.oversubscription = *factor;
  std::optional<double> cable, perFibre, given, quick;
  struct {
    const NumberOption &option;
    std::optional<double> &value;
  } numbers[] = {{in.hostLink, cable},
                 {in.fibre, perFibre},
                 {in.rate, given},
                 {in.speed, quick}};
  for (auto &[option, value] : numbers)
    if (auto failure = option.readIfSet(value))
      return *failure;
  options.hostCable = cable;

  std::vector<FabricKind> kinds{FabricKind::FatTree, FabricKind::Rail,
                                FabricKind::TopoOpt, FabricKind::MFabric};
  bool isOne = in.fabricName.isSet();
  if (isOne) {
    std::optional<FabricKind> named = parseFabricKind(in.fabricName.get());
    if (!named || !llvm::is_contained(kinds, *named))
      return makeFailure("--fabric: expected fat-tree, rail, topoopt or "
                         "mfabric, got '" +
                         in.fabricName.get() + "'");
    kinds = {*named};
  }
  if (quick && !isOne)
    return makeFailure("--speed requires --fabric");
  Result<PriceTable> table = readPriceFile(in.pricesFile);
  if (!table)
    return makeFailure((in.pricesFile.get().empty() ? "" : "--prices: ") +
                       table.getError());
  std::vector<RatePrices> rates = table->rates;
  if (given) {
    Result<RatePrices> found = table->find(*given);
    if (!found)
      return found.getFailure();
    rates = {*found};
  }
  std::vector<PricedFabric> rows;
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
  CostAnswer answer;
  answer.servers = options.servers;
  answer.fabrics = std::move(rows);
  answer.speed = quick;
  answer.prices = std::move(*table);
  answer.prices.rates = std::move(rates);
  return answer;
}

std::string moe::planning::getTitle(const CostAnswer &) {
  return "moe-fabric cost";
}

/// Prints the members of an open object.
static void printPrice(json::OStream &out, const PricedFabric &own,
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

void moe::planning::printJSON(json::OStream &out, const CostAnswer &answer) {
  if (answer.fabrics.size() == 1)
    printPrice(out, answer.fabrics.front(), answer.speed);
  else
    out.attributeArray("fabrics", [&] {
      for (const PricedFabric &row : answer.fabrics)
        out.object([&] { printPrice(out, row, answer.speed); });
    });
  out.attribute("servers", answer.servers);
  out.attribute("prices", answer.prices.file);
  out.attribute("origin", answer.prices.origin);
}
