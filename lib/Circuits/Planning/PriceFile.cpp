// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Price files.

#include "moe/Circuits/Planning/PriceFile.h"
#include "MatrixFile.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Answers.h"
#include "moe/Platform/Lookup.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using moe::support::JsonValue;
using moe::support::ObjectReader;
using moe::support::Range;
using moe::support::ReaderContext;

Result<RatePrices> PriceTable::find(double rateGbps) const {
  std::string known;
  for (const RatePrices &own : rates) {
    if (own.rateGbps == rateGbps)
      return own;
    known += (known.empty() ? "" : ", ") + cost::formatNumber(own.rateGbps);
  }
  return makeFailure("--rate-gbps: expected a rate that " + file +
                     " has prices of, " + known + ", got " +
                     cost::formatNumber(rateGbps));
}

static void readRates(ObjectReader &file, PriceTable &table) {
  file.forEachObject("rates", [&](ObjectReader &rate, size_t) {
    RatePrices own;
    own.rateGbps = rate.getNumber("rate_gbps", Range::Positive);
    struct {
      const char *key;
      double &value;
    } prices[] = {{"nic_usd", own.prices.nic},
                  {"transceiver_usd", own.prices.transceiver},
                  {"switch_port_usd", own.prices.switchPort},
                  {"ocs_port_usd", own.prices.ocsPort},
                  {"patch_port_usd", own.prices.patchPort}};
    for (auto &[key, value] : prices)
      value = rate.getNumber(key, Range::NotNegative);
    own.prices.fibre =
        rate.findNumber("fibre_usd", Range::NotNegative).value_or(0);
    if (auto note = rate.findText("nic_origin"))
      own.notes.push_back("NIC: " + *note);
    if (!table.rates.empty() && own.rateGbps <= table.rates.back().rateGbps)
      rate.fail("rate_gbps", "expected a greater rate than that before it");
    table.rates.push_back(std::move(own));
  });
}

Result<PriceTable> moe::planning::readPriceFile(std::string path) {
  if (path.empty()) {
    Result<std::string> found =
        platform::findShippedFile("prices/mfabric-table-4.json");
    if (!found)
      return found.getFailure();
    path = *found;
  }
  PriceTable table;
  table.file = path;
  if (auto failure =
          readObjectFile(path, "a file of prices",
                         [&](ReaderContext &context, const JsonValue &root) {
                           ObjectReader file(context, root, "");
                           table.origin = file.getText("origin");
                           readRates(file, table);
                           if (table.rates.empty())
                             file.fail("rates", "expected at least one rate");
                           file.finish();
                         }))
    return *failure;
  return table;
}
