// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generation of random routing traces.

#include "moe/Traffic/Generate.h"
#include "Random.h"
#include "moe/Cost/FormatNumber.h"
#include "moe/Support/Json.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace moe;
using namespace moe::traffic;

static constexpr std::pair<Pattern, std::string_view> kNames[] = {
    {Pattern::Even, "even"},
    {Pattern::Zipf, "zipf"},
    {Pattern::Hot, "hot"},
    {Pattern::Communities, "communities"},
    {Pattern::Drifting, "drifting"},
    {Pattern::Busy, "busy"}};

std::string_view moe::traffic::getName(Pattern pattern) {
  for (auto [known, name] : kNames)
    if (known == pattern)
      return name;
  return "";
}

std::optional<Pattern> moe::traffic::parsePattern(std::string_view name) {
  for (auto [pattern, known] : kNames)
    if (known == name)
      return pattern;
  return std::nullopt;
}

namespace {

/// Weights of the experts of one layer.
class Layer {
public:
  Layer(const GenerateOptions &options, Random &random) : options(options) {
    order.resize(static_cast<size_t>(options.numExperts));
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order.begin(), order.end());
    hotRank = random.drawBelow(options.numRanks);
    logs.resize(order.size());
    for (size_t e = 0; e < order.size(); ++e)
      logs[e] = -options.exponent * std::log(static_cast<double>(order[e] + 1));
  }

  void walk(Random &random) {
    if (options.pattern == Pattern::Drifting)
      for (double &log : logs)
        log += options.drift * random.drawNormal();
  }

  /// Returns cumulative weights of the experts for `rank`.
  std::vector<double> getSums(int64_t rank) const {
    std::vector<double> sums(order.size());
    double greatest = *std::max_element(logs.begin(), logs.end());
    double sum = 0;
    for (size_t e = 0; e < sums.size(); ++e)
      sums[e] = sum += getWeight(rank, static_cast<int64_t>(e), greatest);
    return sums;
  }

private:
  double getWeight(int64_t rank, int64_t expert, double greatest) const {
    int64_t experts = options.numExperts;
    // The fraction `share` of all weight, spread over `count` experts.
    auto spread = [&](bool isIn, int64_t count) {
      if (count == experts)
        return 1.0;
      return isIn ? options.share / static_cast<double>(count)
                  : (1 - options.share) / static_cast<double>(experts - count);
    };
    switch (options.pattern) {
    case Pattern::Even:
    case Pattern::Busy:
      return 1;
    case Pattern::Zipf:
    case Pattern::Drifting:
      return std::exp(logs[static_cast<size_t>(expert)] - greatest);
    case Pattern::Hot: {
      int64_t perRank = experts / options.numRanks;
      return spread(expert / perRank == hotRank, perRank);
    }
    case Pattern::Communities: {
      int64_t ranks = options.numRanks / options.communities,
              own = experts / options.communities;
      return spread(expert / own == rank / ranks, own);
    }
    }
    return 0;
  }

  const GenerateOptions &options;
  /// The position of each expert, starting at 0.
  std::vector<int64_t> order;
  std::vector<double> logs;
  int64_t hotRank = 0;
};

} // namespace

static void drawToken(const std::vector<double> &sums, int64_t topK,
                      Random &random, std::vector<int64_t> &chosen) {
  chosen.clear();
  auto isChosen = [&](int64_t expert) {
    return std::find(chosen.begin(), chosen.end(), expert) != chosen.end();
  };
  auto getWeight = [&](size_t e) { return sums[e] - (e ? sums[e - 1] : 0); };
  constexpr int kMostTries = 32;
  for (int64_t j = 0; j < topK; ++j) {
    int64_t expert = -1;
    // Drawing again after a duplicate leaves the probabilities of the others
    // unchanged. If few experts remain, draw from these alone.
    for (int attempt = 0; attempt < kMostTries && expert < 0; ++attempt) {
      auto it = std::upper_bound(sums.begin(), sums.end(),
                                 random.drawUniform() * sums.back());
      if (it != sums.end() && !isChosen(it - sums.begin()))
        expert = it - sums.begin();
    }
    if (expert < 0) {
      double left = 0;
      for (size_t e = 0; e < sums.size(); ++e)
        left += isChosen(static_cast<int64_t>(e)) ? 0 : getWeight(e);
      double at = random.drawUniform() * left;
      for (size_t e = 0; e < sums.size(); ++e) {
        if (isChosen(static_cast<int64_t>(e)))
          continue;
        // Use the last remaining expert if rounding or weights of 0 exclude the
        // others.
        if (expert < 0 || getWeight(e) > 0)
          expert = static_cast<int64_t>(e);
        at -= getWeight(e);
        if (at < 0)
          break;
      }
    }
    chosen.push_back(expert);
  }
}

/// Returns the rows that each rank sends to each expert if one expert receives
/// `imbalance` times an even share: whole numbers, where the others differ by
/// at most 1.
static std::vector<double> getBusyCounts(const GenerateOptions &options) {
  int64_t copies = options.tokens * options.topK, experts = options.numExperts;
  auto busy = int64_t(std::llround(options.imbalance * double(copies) /
                                   double(experts)));
  std::vector<double> counts(size_t(experts), 0);
  counts[0] = double(std::min(busy, options.tokens));
  int64_t others = experts - 1, rest = copies - int64_t(counts[0]);
  for (int64_t e = 0; e < others; ++e)
    counts[size_t(e + 1)] =
        double(rest * (e + 1) / others - rest * e / others);
  return counts;
}

static std::string check(const GenerateOptions &options) {
  auto number = [](int64_t value) { return std::to_string(value); };
  for (auto [name, value] :
       {std::pair("ranks", options.numRanks),
        std::pair("experts", options.numExperts),
        std::pair("tokens", options.tokens), std::pair("top-k", options.topK),
        std::pair("layers", options.numLayers),
        std::pair("steps", options.numSteps),
        std::pair("communities", options.communities)})
    if (value < 1 || value > kMostRows)
      return std::string(name) + ": expected a number in [1, " +
             number(kMostRows) + "], got " + number(value);
  if (options.topK > options.numExperts)
    return "top-k: expected at most the " + number(options.numExperts) +
           " experts, got " + number(options.topK);
  if (options.pattern == Pattern::Hot &&
      options.numExperts % options.numRanks != 0)
    return "experts: expected a multiple of the " + number(options.numRanks) +
           " ranks, got " + number(options.numExperts);
  if (options.pattern == Pattern::Communities &&
      (options.numRanks % options.communities != 0 ||
       options.numExperts % options.communities != 0))
    return "communities: expected a divisor of the " +
           number(options.numRanks) + " ranks and " +
           number(options.numExperts) + " experts, got " +
           number(options.communities);
  if (!(options.share >= 0 && options.share <= 1))
    return "share: expected a number in [0, 1], got " +
           std::to_string(options.share);
  if (options.pattern == Pattern::Busy)
    for (auto [name, value] : {std::pair("layers", options.numLayers),
                               std::pair("steps", options.numSteps)})
      if (value != 1)
        return name + (": expected 1 of busy, which are alike, got " +
                       number(value));
  double most = double(options.numExperts) / double(options.topK);
  if (!(options.imbalance >= 1 && options.imbalance <= most))
    return "imbalance: expected a number in [1, " + cost::formatNumber(most) +
           "], experts over top-k, got " +
           cost::formatNumber(options.imbalance);
  for (auto [name, value] : {std::pair("exponent", options.exponent),
                             std::pair("drift", options.drift)})
    if (!(value >= 0) || !std::isfinite(value))
      return std::string(name) + ": expected a finite number >= 0, got " +
             std::to_string(value);
  double drawn = 1, counts = 1;
  for (int64_t factor :
       {options.numLayers, options.numSteps, options.numRanks}) {
    drawn *= static_cast<double>(factor);
    counts *= static_cast<double>(factor);
  }
  drawn *=
      static_cast<double>(options.tokens) * static_cast<double>(options.topK);
  counts *= static_cast<double>(options.numExperts);
  if (drawn > static_cast<double>(kMostDrawn) ||
      counts > static_cast<double>(kMostDrawn >> 4))
    return "tokens: expected at most 2^32 choices and 2^28 counts in all, got "
           "more";
  return "";
}

cost::Result<Trace> moe::traffic::generate(const GenerateOptions &options) {
  if (std::string wrong = check(options); !wrong.empty())
    return cost::Failure{wrong};
  Random random(options.seed);
  std::vector<Layer> layers;
  for (int64_t l = 0; l < options.numLayers; ++l)
    layers.emplace_back(options, random);
  Trace trace;
  trace.numRanks = options.numRanks;
  trace.numExperts = options.numExperts;
  if (options.pattern != Pattern::Busy)
    trace.topK = options.topK;
  std::vector<int64_t> chosen;
  for (int64_t s = 0; s < options.numSteps; ++s) {
    StepTraffic step;
    step.step = s;
    for (int64_t l = 0; l < options.numLayers; ++l) {
      Layer &layer = layers[static_cast<size_t>(l)];
      if (s > 0)
        layer.walk(random);
      auto counts =
          schedule::ExpertCounts::of(options.numRanks, options.numExperts);
      for (int64_t rank = 0; rank < options.numRanks; ++rank) {
        if (options.pattern == Pattern::Busy) {
          std::ranges::copy(getBusyCounts(options),
                            counts.getRow(rank).begin());
          continue;
        }
        std::vector<double> sums = layer.getSums(rank);
        for (int64_t t = 0; t < options.tokens; ++t) {
          drawToken(sums, options.topK, random, chosen);
          for (int64_t expert : chosen)
            ++counts.at(rank, expert);
        }
      }
      // A layer without a name represents every layer.
      std::string name =
          options.pattern == Pattern::Busy ? "" : std::to_string(l);
      step.layers.push_back({std::move(name), std::move(counts)});
    }
    trace.steps.push_back(std::move(step));
  }
  return trace;
}
