// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command moe-plan traffic.

#include "Commands.h"
#include "moe/Traffic/Generate.h"
#include "moe/Traffic/Routing.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;
using namespace moe::traffic;

namespace {

class TrafficCommand : public Command {
public:
  TrafficCommand()
      : Command("traffic", "Generate a routing trace, or report the load "
                           "imbalance of a trace") {}
  std::optional<Failure> run(raw_ostream &os) override;

private:
  std::optional<Failure> draw(raw_ostream &os);
  std::optional<Failure> judge(raw_ostream &os);

  TextOption input{table, "input",
                   "Routing trace to analyze: JSON, or "
                   "JSONL if the file name ends in .jsonl",
                   "FILE"};
  IntegerOption ep{
      table, "ep",
      "With --input: expert-parallel ranks (default: the trace's ranks)"};
  TextOption generated{
      table, "generate",
      "Pattern of the generated trace: even, zipf, hot (the experts "
      "of one rank), communities (groups of ranks), drifting (zipf "
      "with a random walk) or busy (one expert; not random)",
      "PATTERN"};
  IntegerOption ranks{table, "ranks", "Number of ranks (required)"};
  IntegerOption experts{table, "experts", "Number of experts (required)"};
  IntegerOption tokens{table, "tokens",
                       "Tokens per rank and iteration (required)"};
  IntegerOption topK{table, "top-k", "Experts per token (required)"};
  IntegerOption layers{table, "layers", "Number of layers (default: 1)"};
  IntegerOption steps{table, "steps", "Number of iterations (default: 1)"};
  IntegerOption seed{
      table, "seed", "Random seed (default: 0)", {0, IntegerRange::kMaxSize}};
  NumberOption exponent{table,
                        "exponent",
                        "zipf, drifting: the expert of popularity rank p gets "
                        "a share proportional to p^-X (default: 1)",
                        {/*mayBeZero=*/true}};
  NumberOption share{table,
                     "share",
                     "hot, communities: share of the weight for the experts of "
                     "the hot rank or the own group (default: 0.75)",
                     {/*mayBeZero=*/true}};
  IntegerOption communities{
      table, "communities",
      "communities: number of groups of ranks and experts (default: 2)"};
  NumberOption drift{table,
                     "drift",
                     "drifting: standard deviation per iteration of the random "
                     "walk of the logarithmic weights (default: 0.1)",
                     {/*mayBeZero=*/true}};
  NumberOption imbalance{
      table, "imbalance",
      "busy: tokens of the busiest expert over an even share (default: 1)"};
  AnswerOptions answers{subCommand};
};

} // namespace

std::optional<Failure> TrafficCommand::draw(raw_ostream &os) {
  GenerateOptions options;
  std::optional<Pattern> pattern = parsePattern(generated.get());
  if (!pattern)
    return makeFailure("--generate: expected even, zipf, hot, communities, "
                       "drifting or busy, got '" +
                       generated.get() + "'");
  options.pattern = *pattern;
  int64_t drawnFrom = 0;
  struct {
    const IntegerOption &option;
    int64_t &value;
    std::optional<int64_t> fallback;
  } integers[] = {{ranks, options.numRanks, std::nullopt},
                  {experts, options.numExperts, std::nullopt},
                  {tokens, options.tokens, std::nullopt},
                  {topK, options.topK, std::nullopt},
                  {layers, options.numLayers, 1},
                  {steps, options.numSteps, 1},
                  {seed, drawnFrom, 0},
                  {communities, options.communities, 2}};
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
  } numbers[] = {{exponent, options.exponent},
                 {share, options.share},
                 {drift, options.drift},
                 {imbalance, options.imbalance}};
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
  for (auto failure : {isFor(exponent, {Pattern::Zipf, Pattern::Drifting}),
                       isFor(share, {Pattern::Hot, Pattern::Communities}),
                       isFor(communities, {Pattern::Communities}),
                       isFor(drift, {Pattern::Drifting}),
                       isFor(imbalance, {Pattern::Busy})})
    if (failure)
      return failure;
  Result<Trace> trace = generate(options);
  if (!trace)
    return makeFailure("--" + trace.getError());
  os << printTrace(*trace);
  return std::nullopt;
}

std::optional<Failure> TrafficCommand::judge(raw_ostream &os) {
  Result<Trace> trace = loadTrace(input);
  if (!trace)
    return trace.getFailure();
  Result<int64_t> expertParallel = ep.read(trace->numRanks);
  if (!expertParallel)
    return expertParallel.getFailure();
  std::vector<double> loads, exchanges, busiest;
  for (const StepTraffic &step : trace->steps)
    for (const LayerTraffic &layer : step.layers) {
      auto skew = schedule::getExpertSkew(layer.counts, *expertParallel,
                                          /*capacityFactor=*/std::nullopt);
      if (!skew)
        return makeFailure(input.get() + ": step " + Twine(step.step) +
                           ", layer '" + layer.layer + "': " + skew.getError());
      loads.push_back(skew->load);
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
  SmallVector<std::pair<StringRef, Spread>> rows = {
      {"busiest_rank", Spread::of(loads)}, {"exchange", Spread::of(exchanges)}};
  // Of what goes to ranks, nobody says which of their experts it is for.
  if (!trace->isRankToRank)
    rows.push_back({"busiest_expert", Spread::of(busiest)});
  Result<bool> isAnswered =
      answers.answer(os, "Traffic of " + input.get(), [&](json::OStream &out) {
        out.attribute("ranks", trace->numRanks);
        if (!trace->isRankToRank)
          out.attribute("experts", trace->numExperts);
        out.attribute("ep", *expertParallel);
        out.attribute("steps", int64_t(trace->steps.size()));
        for (const auto &[name, spread] : rows)
          out.attributeObject(name, [&, &spread = spread] {
            out.attribute("mean", spread.mean);
            out.attribute("p95", spread.p95);
            out.attribute("worst", spread.worst);
          });
        printCounts(out, *trace);
      });
  if (!isAnswered)
    return isAnswered.getFailure();
  if (*isAnswered)
    return std::nullopt;
  os << formatv("{0} steps, {1} {2} ranks, counts of {3}; times the "
                "mean, over layers and steps\n",
                trace->steps.size(),
                trace->isRankToRank
                    ? std::string("from ranks to")
                    : formatv("{0} experts on", trace->numExperts).str(),
                *expertParallel,
                trace->numRanks == 1 ? std::string("all together")
                                     : formatv("{0} ranks", trace->numRanks));
  Report table = makeList({false, true, true, true});
  table.addRow({std::string(""), std::string("mean"), std::string("p95"),
                std::string("worst")});
  const char *titles[] = {"  tokens of the busiest rank",
                          "  most that a rank sends or receives",
                          "  tokens of the busiest expert"};
  for (auto [title, row] : llvm::zip(titles, rows))
    table.addRow({std::string(title), formatFixed(row.second.mean, 3),
                  formatFixed(row.second.p95, 3),
                  formatFixed(row.second.worst, 3)});
  table.printTable(os, /*withHeading=*/false);
  return std::nullopt;
}

std::optional<Failure> TrafficCommand::run(raw_ostream &os) {
  bool draws = generated.isSet(), judges = input.isSet();
  if (draws == judges)
    return makeFailure("--generate or --input: expected one of them, got " +
                       Twine(draws ? "both" : "none"));
  if (draws && (!answers.getGiven().empty() || ep.isSet()))
    return makeFailure(
        "--" +
        (answers.getGiven().empty() ? StringRef("ep") : answers.getGiven()) +
        " requires --input");
  if (judges)
    for (const IntegerOption *option : {&ranks, &experts, &tokens, &topK,
                                        &layers, &steps, &seed, &communities})
      if (option->isSet())
        return makeFailure("--" + option->getName() + " requires --generate");
  if (judges)
    for (const NumberOption *option : {&exponent, &share, &drift, &imbalance})
      if (option->isSet())
        return makeFailure("--" + option->getName() + " requires --generate");
  return draws ? draw(os) : judge(os);
}

std::unique_ptr<Command> moe::plan::createTrafficCommand() {
  return std::make_unique<TrafficCommand>();
}
