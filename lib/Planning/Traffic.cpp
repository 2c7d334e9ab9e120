// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates routing traces, and analyzes the load imbalance of given ones.

#include "moe/Planning/Traffic.h"
#include "moe/Planning/Answers.h"
#include "moe/Traffic/Generate.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;
using namespace moe;
using namespace moe::planning;
using namespace moe::traffic;

static Result<TrafficAnswer> draw(TrafficInput &in) {
  GenerateOptions options;
  std::optional<Pattern> pattern = parsePattern(in.generated.get());
  if (!pattern)
    return makeFailure("--generate: expected even, zipf, hot, communities, "
                       "drifting or busy, got '" +
                       in.generated.get() + "'");
  options.pattern = *pattern;
  int64_t drawnFrom = 0;
  struct {
    const IntegerOption &option;
    int64_t &value;
    std::optional<int64_t> fallback;
  } integers[] = {{in.ranks, options.numRanks, std::nullopt},
                  {in.experts, options.numExperts, std::nullopt},
                  {in.tokens, options.tokens, std::nullopt},
                  {in.topK, options.topK, std::nullopt},
                  {in.layers, options.numLayers, 1},
                  {in.steps, options.numSteps, 1},
                  {in.seed, drawnFrom, 0},
                  {in.communities, options.communities, 2}};
  for (auto &[option, value, fallback] : integers) {
    Result<int64_t> read = option.read(fallback);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  options.seed = uint64_t(drawnFrom);
  struct {
    const NumberOption &option;
    double &value;
  } numbers[] = {{in.exponent, options.exponent},
                 {in.share, options.share},
                 {in.drift, options.drift},
                 {in.imbalance, options.imbalance}};
  for (auto &[option, value] : numbers) {
    Result<double> read = option.read(value);
    if (!read)
      return read.getFailure();
    value = *read;
  }
  auto isFor =
      [&](const auto &option,
          std::initializer_list<Pattern> patterns) -> std::optional<Failure> {
    if (!option.isSet() || llvm::is_contained(patterns, options.pattern))
      return std::nullopt;
    return makeFailure("--" + option.getName() +
                       " is not supported with --generate=" +
                       StringRef(traffic::getName(options.pattern)));
  };
  for (auto failure : {isFor(in.exponent, {Pattern::Zipf, Pattern::Drifting}),
                       isFor(in.share, {Pattern::Hot, Pattern::Communities}),
                       isFor(in.communities, {Pattern::Communities}),
                       isFor(in.drift, {Pattern::Drifting}),
                       isFor(in.imbalance, {Pattern::Busy})})
    if (failure)
      return *failure;
  Result<Trace> trace = generate(options);
  if (!trace)
    return makeFailure("--" + trace.getError());
  TrafficAnswer answer;
  answer.trace = std::move(*trace);
  answer.isGenerated = true;
  return answer;
}

static Result<TrafficAnswer> judge(TrafficInput &in) {
  Result<Trace> trace = loadTrace(in.input);
  if (!trace)
    return trace.getFailure();
  Result<int64_t> expertParallel = in.ep.read(trace->numRanks);
  if (!expertParallel)
    return expertParallel.getFailure();
  std::vector<double> loads, exchanges, busiest;
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> byLayer;
  for (const StepTraffic &step : trace->steps)
    for (const LayerTraffic &layer : step.layers) {
      auto skew = schedule::getExpertSkew(layer.counts, *expertParallel,
                                          /*capacityFactor=*/std::nullopt);
      if (!skew)
        return makeFailure(in.input.get() + ": step " + Twine(step.step) +
                           ", layer '" + layer.layer + "': " + skew.getError());
      loads.push_back(skew->load);
      auto [own, isNew] = byLayer.try_emplace(layer.layer);
      if (isNew)
        names.push_back(layer.layer);
      own->second.push_back(skew->load);
      exchanges.push_back(skew->exchange);
      double all = 0, most = 0;
      for (int64_t e = 0; e < trace->numExperts; ++e) {
        double own = 0;
        for (int64_t i = 0; i < trace->numRanks; ++i)
          own += layer.counts.at(i, e);
        all += own;
        most = std::max(most, own);
      }
      busiest.push_back(most * double(trace->numExperts) / all);
    }
  TrafficAnswer answer;
  answer.file = in.input;
  answer.ep = *expertParallel;
  answer.busiestRank = Spread::of(loads);
  answer.exchange = Spread::of(exchanges);
  for (const std::string &layer : names)
    answer.layers.push_back({layer, Spread::of(byLayer[layer])});
  // A rank-to-rank trace does not distinguish experts of the same rank.
  if (!trace->isRankToRank)
    answer.busiestExpert = Spread::of(busiest);
  answer.trace = std::move(*trace);
  return answer;
}

Result<TrafficAnswer> moe::planning::planTraffic(TrafficInput &in) {
  bool draws = in.generated.isSet(), judges = in.input.isSet();
  if (draws == judges)
    return makeFailure("--generate or --input: expected one of them, got " +
                       Twine(draws ? "both" : "none"));
  if (draws && in.ep.isSet())
    return makeFailure("--ep requires --input");
  if (judges)
    for (const IntegerOption *option :
         {&in.ranks, &in.experts, &in.tokens, &in.topK, &in.layers, &in.steps,
          &in.seed, &in.communities})
      if (option->isSet())
        return makeFailure("--" + option->getName() + " requires --generate");
  if (judges)
    for (const NumberOption *option :
         {&in.exponent, &in.share, &in.drift, &in.imbalance})
      if (option->isSet())
        return makeFailure("--" + option->getName() + " requires --generate");
  return draws ? draw(in) : judge(in);
}

std::vector<std::pair<std::string, Spread>> TrafficAnswer::sortLayers() const {
  std::vector<size_t> order(layers.size());
  std::iota(order.begin(), order.end(), size_t(0));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-layers[a].second.mean, a) <
           std::pair(-layers[b].second.mean, b);
  });
  std::vector<std::pair<std::string, Spread>> sorted;
  for (size_t i : order)
    sorted.push_back(layers[i]);
  return sorted;
}

std::string moe::planning::getTitle(const TrafficAnswer &answer) {
  return "Traffic of " + answer.file;
}

std::string moe::planning::formatJSON(const TrafficAnswer &answer) {
  return answer.isGenerated ? printTrace(answer.trace)
                            : formatJSON<TrafficAnswer>(answer);
}

void moe::planning::printJSON(json::OStream &out, const TrafficAnswer &answer) {
  const Trace &trace = answer.trace;
  out.attribute("ranks", trace.numRanks);
  if (!trace.isRankToRank)
    out.attribute("experts", trace.numExperts);
  out.attribute("ep", answer.ep);
  out.attribute("steps", int64_t(trace.steps.size()));
  auto print = [&](StringRef key, const Spread &spread) {
    out.attributeObject(key, [&] {
      out.attribute("mean", spread.mean);
      out.attribute("p95", spread.p95);
      out.attribute("worst", spread.worst);
    });
  };
  print("busiest_rank", answer.busiestRank);
  print("exchange", answer.exchange);
  out.attributeArray("busiest_rank_by_layer", [&] {
    for (const auto &[layer, spread] : answer.layers)
      out.object([&] {
        out.attribute("layer", layer);
        out.attribute("mean", spread.mean);
        out.attribute("p95", spread.p95);
        out.attribute("worst", spread.worst);
      });
  });
  if (answer.busiestExpert)
    print("busiest_expert", *answer.busiestExpert);
  printCounts(out, trace);
}
