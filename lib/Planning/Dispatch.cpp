// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatch for a topology.

#include "moe/Planning/Dispatch.h"
#include "moe/Planning/Answers.h"
#include "moe/Platform/DispatchLinks.h"
#include "moe/Platform/Pairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::dispatch;

/// Adds a note if some token would need the same expert twice, which the
/// formula ignores.
static void noteRepeats(DispatchAnswer &answer) {
  const dispatch::Demand &demand = answer.demand;
  double most = double(demand.tokens) *
                double(std::min(demand.topK, answer.getExpertsPerDevice()));
  std::span<const double> target = answer.plan.target.getValues();
  double greatest = *std::max_element(target.begin(), target.end());
  if (greatest <= most * (1 + 1e-9))
    return;
  answer.notes.push_back(
      formatv("no routing reaches the target: it has {0:F1} rows from one "
              "device to one, whose {1} experts take a token once each, {2:F0} "
              "rows at most",
              greatest, answer.getExpertsPerDevice(), most));
}

traffic::Trace moe::planning::makeTraffic(const DispatchAnswer &answer) {
  traffic::Trace trace;
  trace.numRanks = answer.topology.getNumDevices();
  trace.numExperts = answer.experts;
  Matrix<int64_t> tokens =
      spreadOverExperts(answer.plan.tokens, answer.getExpertsPerDevice());
  trace.steps.push_back(
      {0,
       {{"0", schedule::ExpertCounts::fromValues(
                  trace.numExperts,
                  {tokens.getValues().begin(), tokens.getValues().end()})}}});
  return trace;
}
static std::optional<Failure> compare(DispatchInput &in, const Links &links,
                                      DispatchAnswer &answer) {
  if (!in.trafficFile.isSet()) {
    for (const NumberOption *option : {&in.capacityFactor, &in.nodeShare})
      if (option->isSet())
        return makeFailure("--" + option->getName() + " requires --traffic");
    return std::nullopt;
  }
  Result<double> factor = in.capacityFactor.read(1.0);
  if (!factor)
    return factor.getFailure();
  std::optional<double> share;
  if (in.nodeShare.isSet()) {
    Result<double> read = in.nodeShare.read(0.0);
    if (!read)
      return read.getFailure();
    if (*read > 1)
      return makeFailure("--node-share: expected a number in [0, 1], got '" +
                         in.nodeShare.getText() + "'");
    share = *read;
  }
  Result<traffic::Trace> trace = traffic::loadTrace(in.trafficFile);
  if (!trace)
    return trace.getFailure();
  if (trace->numRanks != answer.topology.getNumDevices() ||
      trace->numExperts != answer.experts)
    return makeFailure(
        "--traffic: " + in.trafficFile.get() + ": expected rows of " +
        Twine(answer.topology.getNumDevices()) + " devices for " +
        Twine(answer.experts) + " experts, got " + Twine(trace->numRanks) +
        " for " + Twine(trace->numExperts));
  Result<std::vector<PolicySummary>> policies =
      comparePolicies(*trace, answer.demand, answer.topology, links,
                      answer.plan, *factor, share);
  if (!policies)
    return makeFailure("--traffic: " + in.trafficFile.get() + ": " +
                       policies.getError());
  answer.policies = std::move(*policies);
  answer.trace = std::move(*trace);
  return std::nullopt;
}

Result<DispatchAnswer> moe::planning::planDispatch(DispatchInput &in) {
  if (!in.platform.isSet())
    return failMissing("platform");
  std::optional<platform::MeasuredPairs> pairs;
  if (in.pairsFile.isSet()) {
    cost::Result<platform::MeasuredPairs> read =
        platform::loadPairs(in.pairsFile);
    if (!read)
      return makeFailure("--pairs: " + read.getError());
    pairs = std::move(*read);
  }
  Result<platform::Platform> loaded = in.platform.load();
  if (!loaded)
    return loaded.getFailure();
  if (!pairs && !in.topology.isSet() && loaded->topology.empty())
    return failMissing("topology");
  cost::Result<Topology> tree = in.topology.isSet()
                                    ? Topology::parse(in.topology.get())
                                : pairs ? pairs->topology
                                        : Topology::parse(loaded->topology);
  if (!tree)
    return makeFailure("--" + tree.getError());
  if (pairs &&
      (tree->getNumDevices() != pairs->links.getNumDevices() || tree->isRing()))
    return makeFailure("--topology: expected a tree of the " +
                       Twine(pairs->links.getNumDevices()) +
                       " devices of --pairs, got " + tree->print());
  DispatchAnswer answer(std::move(*tree));
  int64_t bytes = 0;
  int64_t numDevices = answer.topology.getNumDevices();
  const IntegerOption *sizes[] = {&in.tokens, &in.topK, &in.experts,
                                  &in.bytesPerToken};
  int64_t *values[] = {&answer.demand.tokens, &answer.demand.topK,
                       &answer.experts, &bytes};
  if (auto failure = in.job.checkBeside(sizes, {}))
    return *failure;
  if (in.job.isSet()) {
    Result<PlannedJob> read = in.job.read();
    if (!read)
      return read.getFailure();
    if (read->layout.ep != numDevices)
      return makeFailure("--ep: expected the " + Twine(numDevices) +
                         " devices of --topology, which exchange tokens, got " +
                         Twine(read->layout.ep));
    answer.demand.tokens = read->layout.routedTokens;
    answer.demand.topK = read->config.getSentTopK();
    answer.experts = read->config.numExperts;
    bytes = read->config.getExpertWidth() * read->getElementBytes();
  } else {
    for (auto [option, value] : zip_equal(sizes, values)) {
      Result<int64_t> read = option->read();
      if (!read)
        return read.getFailure();
      *value = *read;
    }
  }
  answer.demand.bytesPerToken = double(bytes);
  if (answer.experts % numDevices != 0)
    return makeFailure("--experts: expected a multiple of the " +
                       Twine(numDevices) + " devices of --topology, got " +
                       Twine(answer.experts));
  if (answer.demand.topK > answer.experts)
    return makeFailure("--top-k: expected at most the " +
                       Twine(answer.experts) + " experts, got " +
                       Twine(answer.demand.topK));
  if (in.local == "bandwidth")
    answer.options.local = LocalShare::Bandwidth;
  else if (in.local != "pinned")
    return makeFailure("--local: expected pinned or bandwidth, got '" +
                       in.local.get() + "'");
  if (in.planner == "exact")
    answer.options.planner = dispatch::Planner::Exact;
  else if (in.planner != "proportional")
    return makeFailure("--planner: expected proportional or exact, got '" +
                       in.planner.get() + "'");
  Result<double> share = in.leastShare.read(0.0);
  if (!share)
    return share.getFailure();
  if (*share > 1)
    return makeFailure("--least-share: expected a number in [0, 1], got '" +
                       in.leastShare.getText() + "'");
  answer.options.leastShare = *share;

  std::optional<Links> links;
  if (pairs) {
    pairs->topology = answer.topology;
    links = pairs->links.smooth(answer.topology);
    for (auto [level, link] : platform::getLevelLinks(*pairs))
      answer.links.push_back(
          {level ? "level " + std::to_string(level) : "local", link});
    answer.notes.push_back("links are " + pairs->origin +
                           ", means over the pairs of a level");
  } else {
    cost::Result<platform::DispatchLinks> made = platform::makeDispatchLinks(
        loaded->machine, answer.topology,
        cost::Bytes(double(answer.demand.getRows()) *
                    answer.demand.bytesPerToken /
                    double(answer.topology.getNumDevices())));
    if (!made)
      return makeFailure("--platform: " + made.getError());
    links = std::move(made->links);
    for (auto &[name, link] : made->byLevel)
      answer.links.push_back({name, link});
    llvm::append_range(answer.notes, made->notes);
  }
  cost::Result<DispatchPlan> plan = dispatch::planDispatch(
      answer.topology, *links, answer.demand, answer.options);
  if (!plan)
    return plan.getFailure();
  answer.plan = std::move(*plan);
  llvm::append_range(answer.notes, answer.plan.notes);
  noteRepeats(answer);
  if (std::optional<Optimum> best =
          getOptimum(answer.demand, *links, answer.options.local))
    answer.optimalUs = best->us;
  // The bisection ends slightly above the optimum.
  if (answer.optimalUs)
    answer.optimalUs = std::min(*answer.optimalUs, answer.plan.targetUs);
  if (auto failure = compare(in, *links, answer))
    return *failure;
  answer.hasMeasuredPairs = pairs.has_value();
  answer.parameters = {*loaded, platform::listParameters(loaded->machine)};
  return answer;
}

//===----------------------------------------------------------------------===//
// The answer
//===----------------------------------------------------------------------===//

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
      for (int64_t i = 0; i < plan.target.getSize(); ++i)
        out.array([&] { printRow(i); });
    });
  };
  out.attribute("topology", answer.topology.print());
  out.attribute("chosen", plan.isEven ? "even" : "target");
  rows("target", [&](int64_t i) {
    for (int64_t j = 0; j < plan.target.getSize(); ++j)
      for (int64_t e = 0; e < perDevice; ++e)
        out.value(plan.target.at(i, j) / double(perDevice));
  });
  Matrix<int64_t> tokens = spreadOverExperts(plan.tokens, perDevice);
  rows("tokens", [&](int64_t i) {
    for (int64_t count : tokens.getRow(i))
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
