// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `traffic` as text.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;

void moe::plan::printTrafficText(raw_ostream &os, const TrafficInput &,
                                 const TrafficAnswer &answer) {
  const traffic::Trace &trace = answer.trace;
  if (answer.isGenerated) {
    os << printTrace(trace);
    return;
  }
  os << formatv("{0} steps, {1} {2} ranks, counts of {3}; times the "
                "mean, over layers and steps\n",
                trace.steps.size(),
                trace.isRankToRank
                    ? std::string("from ranks to")
                    : formatv("{0} experts on", trace.numExperts).str(),
                answer.ep,
                trace.numRanks == 1 ? std::string("all together")
                                    : formatv("{0} ranks", trace.numRanks));
  Report table = makeList({false, true, true, true});
  table.addRow({std::string(""), std::string("mean"), std::string("p95"),
                std::string("worst")});
  auto add = [&](const char *title, const traffic::Spread &spread) {
    table.addRow({std::string(title), formatFixed(spread.mean, 3),
                  formatFixed(spread.p95, 3), formatFixed(spread.worst, 3)});
  };
  add("  tokens of the busiest rank", answer.busiestRank);
  add("  most that a rank sends or receives", answer.exchange);
  if (answer.busiestExpert)
    add("  tokens of the busiest expert", *answer.busiestExpert);
  if (answer.layers.size() > 1) {
    constexpr size_t kShown = 5;
    table.addRow({std::string("tokens of the busiest rank by layer"),
                  std::string(), std::string(), std::string()});
    auto sorted = answer.sortLayers();
    for (const auto &[layer, spread] :
         ArrayRef(sorted).take_front(std::min(kShown, sorted.size())))
      add(("  layer " + layer).c_str(), spread);
    if (sorted.size() > kShown)
      table.addRow({formatv("  and {0} more, less uneven (--json)",
                            sorted.size() - kShown)
                        .str(),
                    std::string(), std::string(), std::string()});
  }
  table.printTable(os, /*withHeading=*/false);
}

std::optional<Failure> moe::plan::checkTraffic(OptionTable &table,
                                               StringRef option) {
  if (table.find("generate")->isSet() && !table.find("input")->isSet() &&
      !option.empty())
    return makeFailure("--" + option + " requires --input");
  return std::nullopt;
}
