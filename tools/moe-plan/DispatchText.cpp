// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints answers of `dispatch` as text, pictures and traces.

#include "Printing.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/HeatMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::planning;
using namespace moe::dispatch;

/// Returns the options of the pass that limits a program's sends to this
/// target.
static std::string describePass(StringRef platform,
                                const DispatchAnswer &answer) {
  std::string text =
      formatv("\"platform={0} topology={1}", platform, answer.topology.print());
  if (answer.options.local == LocalShare::Bandwidth)
    text += " local=bandwidth";
  if (answer.options.planner == dispatch::Planner::Exact)
    text += " planner=exact";
  if (answer.plan.evenShare > 0)
    text += " least-share=" + std::to_string(answer.options.leastShare);
  return text + "\"";
}

static void printPolicies(raw_ostream &os, ArrayRef<PolicySummary> policies) {
  os << "\nwhat policies make of the traffic, over its layers and steps\n";
  Report table = makeList({false, true, true, true, true, true, true});
  table.addRow({std::string("  policy"), std::string("dropped"),
                std::string("redirected"), std::string("mean us"),
                std::string("worst us"), std::string("sizes us"),
                std::string("busiest expert")});
  for (const PolicySummary &summary : policies)
    table.addRow({"  " + std::string(getName(summary.policy)),
                  formatFixed(100 * summary.dropped, 1) + " %",
                  formatFixed(100 * summary.redirected, 1) + " %",
                  formatFixed(summary.meanUs, 1),
                  formatFixed(summary.worstUs, 1),
                  formatFixed(summary.sizesUs, 1),
                  formatFixed(summary.busiestExpert, 2)});
  table.printTable(os, /*withHeading=*/false);
}

/// The maximum number of devices in a table.
static constexpr int64_t kMostShown = 32;

void moe::plan::printDispatchText(raw_ostream &os, const DispatchInput &,
                                  const DispatchAnswer &answer) {
  const DispatchPlan &plan = answer.plan;
  int64_t n = plan.target.getSize();
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
  printParameters(os, answer.parameters);
  // The pass has no option for measured links.
  if (!answer.hasMeasuredPairs)
    os << "\nin a program: moe-opt IN --moe-plan-dispatch="
       << describePass(answer.parameters.file, answer) << "\n";
}

void moe::plan::printDispatchPicture(raw_ostream &os, const DispatchInput &,
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
  map.rows = map.columns = plan.target.getSize();
  map.value = percent;
  map.describe = [&](int64_t i, int64_t j) -> std::string {
    return formatv("device {0} to {1}: {2:F2} %, {3} tokens", i, j,
                   percent(i, j), plan.tokens.at(i, j));
  };
  map.print(os);
}

void moe::plan::printDispatchTraffic(raw_ostream &os, const DispatchInput &,
                                     const DispatchAnswer &answer) {
  os << traffic::printTrace(makeTraffic(answer));
}
