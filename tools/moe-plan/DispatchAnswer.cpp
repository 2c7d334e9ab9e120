// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan dispatch answers.

#include "DispatchAnswer.h"
#include "moe/Support/HeatMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::dispatch;

void moe::plan::printDispatchJSON(json::OStream &out,
                                  const DispatchAnswer &answer,
                                  const Parameters &parameters) {
  const DispatchPlan &plan = answer.plan;
  int64_t perDevice = answer.getExpertsPerDevice();
  auto rows = [&](StringRef key, auto printRow) {
    out.attributeArray(key, [&] {
      for (int64_t i = 0; i < plan.target.size; ++i)
        out.array([&] { printRow(i); });
    });
  };
  out.attribute("topology", answer.topology.print());
  out.attribute("chosen", plan.isEven ? "even" : "target");
  rows("target", [&](int64_t i) {
    for (int64_t j = 0; j < plan.target.size; ++j)
      for (int64_t e = 0; e < perDevice; ++e)
        out.value(plan.target.at(i, j) / double(perDevice));
  });
  std::vector<std::vector<int64_t>> tokens =
      spreadOverExperts(plan.tokens, perDevice);
  rows("tokens", [&](int64_t i) {
    for (int64_t count : tokens[size_t(i)])
      out.value(count);
  });
  out.attribute("even_us", plan.evenUs);
  out.attribute("target_us", plan.targetUs);
  if (answer.optimalUs)
    out.attribute("optimal_us", *answer.optimalUs);
  else
    out.attribute("optimal_us", nullptr);
  out.attribute("even_tokens_us", plan.evenTokensUs);
  out.attribute("tokens_us", plan.tokensUs);
  out.attribute("imbalance", plan.imbalance);
  out.attribute("residual", plan.residual);
  out.attribute("even_share", plan.evenShare);
  out.attribute("least_from_others", plan.leastFromOthers);
  out.attributeArray("notes", [&] {
    for (const std::string &note : answer.notes)
      out.value(note);
  });
  out.attributeArray("links", [&] {
    for (const auto &[name, link] : answer.links)
      out.object([&, &name = name, &link = link] {
        out.attribute("name", name);
        out.attribute("alpha_us", link.alphaUs);
        out.attribute("gigabytes_per_second", 1e-3 / link.betaUsPerByte);
      });
  });
  if (!answer.policies.empty())
    printPolicies(out, answer.policies);
  if (answer.trace)
    printCounts(out, *answer.trace);
  printParameters(out, parameters);
}

/// Devices that one table shows.
static constexpr int64_t kMostShown = 32;

void moe::plan::printDispatchText(raw_ostream &os,
                                  const DispatchAnswer &answer) {
  const DispatchPlan &plan = answer.plan;
  int64_t n = plan.target.size;
  double rows = double(answer.demand.getRows());
  os << formatv("dispatch of {0} tokens to {1} experts each over {2}: {3}, "
                "{4:F1} us; even {5:F1} us",
                answer.demand.tokens, answer.demand.topK,
                answer.topology.print(), plan.isEven ? "even" : "the target",
                plan.targetUs, plan.evenUs);
  if (answer.optimalUs)
    os << formatv("; no such shares take less than {0:F1} us",
                  *answer.optimalUs);
  os << formatv("\nin whole tokens: {0:F1} us; even {1:F1} us\n", plan.tokensUs,
                plan.evenTokensUs);
  for (const std::string &note : answer.notes)
    os << note << "\n";
  if (plan.imbalance > 1e-9)
    os << formatv("sums of rows and columns were balanced: shares changed by "
                  "up to {0:F4}, sums are off by {1:e1}\n",
                  plan.imbalance, plan.residual);
  if (!plan.isEven && plan.evenShare > 0)
    os << formatv("{0:F3} of the even dispatch mixed in\n", plan.evenShare);
  os << formatv("every device gets at least {0:F3} of its tokens from others\n",
                plan.leastFromOthers);
  os << "\nshares of what a device sends, by target device\n";
  if (n > kMostShown) {
    os << "  not printed for " << n << " devices: --json has them\n";
  } else {
    Report table = makeList(std::vector<bool>(size_t(n + 1), true));
    std::vector<moe::support::Cell> heading{std::string("  from")};
    for (int64_t j = 0; j < n; ++j)
      heading.push_back("to " + std::to_string(j));
    table.addRow(std::move(heading));
    for (int64_t i = 0; i < n; ++i) {
      std::vector<moe::support::Cell> row{"  " + std::to_string(i)};
      for (int64_t j = 0; j < n; ++j)
        row.push_back(formatFixed(plan.target.at(i, j) / rows, 4));
      table.addRow(std::move(row));
    }
    table.printTable(os, /*withHeading=*/false);
  }
  if (!answer.policies.empty())
    printPolicies(os, answer.policies);
  os << "\nlinks, by level from the innermost, at an even dispatch's message\n";
  Report links = makeList({false, true, true});
  for (const auto &[name, link] : answer.links)
    links.addRow({"  " + name,
                  formatFixed(1e-3 / link.betaUsPerByte, 2) + " GB/s",
                  formatFixed(link.alphaUs, 2) + " us"});
  links.printTable(os, /*withHeading=*/false);
}

void moe::plan::printDispatchPicture(raw_ostream &os,
                                     const DispatchAnswer &answer) {
  const DispatchPlan &plan = answer.plan;
  double rows = double(answer.demand.getRows());
  auto percent = [&](int64_t i, int64_t j) {
    return 100 * plan.target.at(i, j) / rows;
  };
  moe::support::HeatMap map;
  map.title = formatv("dispatch over {0}, percent of what a device sends: "
                      "{1:F1} us, even {2:F1} us",
                      answer.topology.print(), plan.targetUs, plan.evenUs);
  map.rowTitle = "from device";
  map.columnTitle = "to device";
  map.rows = map.columns = plan.target.size;
  map.value = percent;
  map.describe = [&](int64_t i, int64_t j) -> std::string {
    return formatv("device {0} to {1}: {2:F2} %, {3} tokens", i, j,
                   percent(i, j), plan.tokens.at(i, j));
  };
  map.print(os);
}
