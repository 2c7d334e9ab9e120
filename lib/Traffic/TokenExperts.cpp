// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Experts of tokens that match a trace.

#include "Random.h"
#include "moe/Support/Json.h"
#include "moe/Traffic/Routing.h"
#include <algorithm>
#include <numeric>

using namespace moe;
using namespace moe::traffic;
using schedule::ExpertCounts;

/// Returns the expert counts of row `row`. Tokens for one rank are divided
/// evenly among its experts; the first ones get one more if there is a
/// remainder.
static std::vector<int64_t> getExpertCounts(const ExpertCounts &counts,
                                            int64_t row, int64_t numExperts) {
  int64_t share = numExperts / counts.getNumColumns();
  std::vector<int64_t> experts;
  for (int64_t column = 0; column < counts.getNumColumns(); ++column) {
    auto tokens = static_cast<int64_t>(counts.at(row, column));
    for (int64_t e = 0; e < share; ++e)
      experts.push_back(tokens / share + (e < tokens % share));
  }
  return experts;
}

/// Shuffles choices between tokens: random pairs swap a few times per choice,
/// unless some token would then have the same expert twice.
static void mix(std::vector<int32_t> &choices, int64_t topK, Random &random) {
  auto size = static_cast<int64_t>(choices.size());
  constexpr int64_t kSwapsEach = 4;
  for (int64_t i = 0; i < kSwapsEach * size; ++i) {
    auto a = choices.begin() + random.drawBelow(size);
    auto b = choices.begin() + random.drawBelow(size);
    auto has = [&](auto other, int32_t expert) {
      auto first = other - (other - choices.begin()) % topK;
      return std::find(first, first + topK, expert) != first + topK;
    };
    if (!has(a, *b) && !has(b, *a))
      std::iter_swap(a, b);
  }
}

/// Divides the choices of a row of counts, which add up, among `numShares`
/// shares with equally many tokens. If choices are sorted by expert, token t of
/// n takes the choices at t, t + n, t + 2n and so on. No expert has more than n
/// choices, so each token's choices differ, and the shares' counts per expert
/// differ by at most one.
static std::vector<std::vector<int32_t>>
deal(const std::vector<int64_t> &counts, int64_t topK, int64_t numShares,
     Random &random) {
  std::vector<int32_t> sorted;
  for (size_t expert = 0; expert < counts.size(); ++expert)
    sorted.insert(sorted.end(), static_cast<size_t>(counts[expert]),
                  static_cast<int32_t>(expert));
  int64_t numTokens = static_cast<int64_t>(sorted.size()) / topK;
  std::vector<std::vector<int32_t>> shares;
  for (int64_t share = 0; share < numShares; ++share) {
    std::vector<int64_t> tokens;
    for (int64_t token = share; token < numTokens; token += numShares)
      tokens.push_back(token);
    // Without shuffling, neighboring tokens and first choices would have the
    // same experts.
    random.shuffle(tokens.begin(), tokens.end());
    std::vector<int32_t> &choices = shares.emplace_back();
    for (int64_t token : tokens) {
      for (int64_t j = 0; j < topK; ++j)
        choices.push_back(sorted[static_cast<size_t>(token + j * numTokens)]);
      random.shuffle(choices.end() - topK, choices.end());
    }
    mix(choices, topK, random);
  }
  return shares;
}

/// Divides the choices of a row into equal parts, in the order of its tokens.
static std::vector<std::vector<int32_t>>
split(const std::vector<int32_t> &choices, int64_t numShares) {
  std::vector<std::vector<int32_t>> shares;
  auto size = static_cast<int64_t>(choices.size()) / numShares;
  for (int64_t share = 0; share < numShares; ++share)
    shares.emplace_back(choices.begin() + share * size,
                        choices.begin() + (share + 1) * size);
  return shares;
}

cost::Result<std::vector<std::vector<int32_t>>>
Routing::getChoices(const RoutedLayer &layer, int64_t tokens,
                    int64_t topK) const {
  cost::Result<const ExpertCounts *> found = find(layer);
  if (!found)
    return found.getFailure();
  const ExpertCounts &counts = **found;
  const LayerTraffic &traffic = *findLayer(layer.name);
  bool hasChoices = !traffic.choices.empty();
  std::string key = hasChoices ? "indices" : getKey("counts");
  std::string of = " of layer " + support::quote(layer.name);
  if (trace->topK && *trace->topK != topK)
    return fail("top_k", "expected " + std::to_string(topK) +
                             ", the experts of a token" + of + ", got " +
                             std::to_string(*trace->topK));
  if (*layer.numExperts % *layer.numRanks != 0)
    return fail(key, "expected ranks that divide the " +
                         std::to_string(*layer.numExperts) + " experts" + of +
                         ", got " + std::to_string(*layer.numRanks));
  int64_t perRow = counts.getNumRows() == 1 ? *layer.numRanks : 1;
  int64_t rowTokens = tokens * perRow;
  uint64_t seed = 0;
  for (char c : layer.name)
    seed = seed * 31 + static_cast<unsigned char>(c);
  Random random(seed);
  std::vector<std::vector<int32_t>> choices;
  for (int64_t row = 0; row < counts.getNumRows(); ++row) {
    std::string ofRow = counts.getNumRows() == 1
                            ? " of all ranks together"
                            : " of rank " + std::to_string(row);
    std::vector<int64_t> experts =
        getExpertCounts(counts, row, *layer.numExperts);
    int64_t sum = std::accumulate(experts.begin(), experts.end(), int64_t(0));
    if (sum != rowTokens * topK)
      return fail(key, "expected top-k " + std::to_string(topK) +
                           " times the " + std::to_string(rowTokens) +
                           " tokens" + ofRow + of + ", got " +
                           std::to_string(sum) + " choices");
    auto most = std::max_element(experts.begin(), experts.end());
    if (!hasChoices && *most > rowTokens)
      return fail(key, "expected no expert to be chosen more often than once "
                       "by each of the " +
                           std::to_string(rowTokens) + " tokens" + ofRow + of +
                           ", got " + std::to_string(*most) +
                           " choices of expert " +
                           std::to_string(most - experts.begin()));
    auto shares = hasChoices
                      ? split(traffic.choices[static_cast<size_t>(row)], perRow)
                      : deal(experts, topK, perRow, random);
    std::move(shares.begin(), shares.end(), std::back_inserter(choices));
  }
  return choices;
}
