// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer of `dispatch` as JSON.

#include "Answers.h"
#include "moe/Planning/Dispatch.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::dispatch;

static void printPolicies(json::OStream &out,
                          ArrayRef<PolicySummary> policies) {
  out.attributeArray("policies", [&] {
    for (const PolicySummary &summary : policies)
      out.object([&] {
        std::string_view name = getName(summary.policy);
        out.attribute("policy", StringRef(name.data(), name.size()));
        out.attribute("dropped", summary.dropped);
        out.attribute("redirected", summary.redirected);
        out.attribute("mean_us", summary.meanUs);
        out.attribute("worst_us", summary.worstUs);
        out.attribute("sizes_us", summary.sizesUs);
        out.attribute("busiest_expert", summary.busiestExpert);
      });
  });
}

std::string moe::planning::getTitle(const DispatchAnswer &answer) {
  return "Dispatch over " + answer.topology.print() + " on " +
         answer.parameters.machine;
}

void moe::planning::printJSON(json::OStream &out,
                              const DispatchAnswer &answer) {
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
  printTexts(out, "notes", answer.notes);
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
  printParameters(out, answer.parameters);
}
