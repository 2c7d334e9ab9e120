// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected number of nodes that receive a token.

#include "moe/Cost/ExpectedNodes.h"
#include <algorithm>
#include <cmath>
#include <numeric>

double moe::cost::getExpectedNodes(int64_t experts, int64_t topK,
                                   int64_t nodes) {
  // Multiply the quotient of both binomials factor by factor, so that none
  // overflows.
  int64_t others = experts - experts / nodes;
  double none = 1;
  for (int64_t i = 0; i < topK; ++i)
    none *= i < others ? double(others - i) / double(experts - i) : 0;
  return double(nodes) * (1 - none);
}

namespace {

/// Elementary symmetric sums of odds: entry j sums the products of the odds of
/// any `j` experts of a set, up to the number of choices per token.
using Sums = std::vector<double>;

} // namespace

/// Returns the sums of the union of two disjoint sets.
static Sums multiply(const Sums &a, const Sums &b) {
  Sums sums(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; i + j < a.size(); ++j)
      sums[i + j] += a[i] * b[j];
  return sums;
}

/// Returns, for each set, the sums of the union of all other sets.
static std::vector<Sums> joinOthers(const std::vector<Sums> &own,
                                    const Sums &none) {
  std::vector<Sums> others(own.size(), none);
  Sums before = none, behind = none;
  for (size_t i = 0; i < own.size(); ++i) {
    others[i] = multiply(others[i], before);
    before = multiply(before, own[i]);
    size_t last = own.size() - 1 - i;
    others[last] = multiply(others[last], behind);
    behind = multiply(behind, own[last]);
  }
  return others;
}

/// Returns the odds of an expert being chosen. Chances of 0 and 1 are clamped
/// because sums need finite, positive odds; experts without copies keep odds of
/// 0.
static double getOdds(double copies, double tokens) {
  constexpr double kLeast = 1e-4;
  double chance = std::clamp(copies / tokens, kLeast, 1 - kLeast);
  return copies > 0 ? chance / (1 - chance) : 0;
}

std::vector<double>
moe::cost::getExpectedTokens(const std::vector<double> &copies, int64_t topK,
                             int64_t nodes) {
  std::vector<double> expected(static_cast<size_t>(nodes));
  double tokens =
      std::accumulate(copies.begin(), copies.end(), 0.0) / double(topK);
  if (tokens <= 0)
    return expected;
  size_t perNode = copies.size() / expected.size();
  Sums one(static_cast<size_t>(topK) + 1);
  one[0] = 1;
  std::vector<Sums> own(expected.size(), one), rest;
  for (size_t node = 0; node < expected.size(); ++node)
    for (size_t e = node * perNode; e < (node + 1) * perNode; ++e)
      for (size_t j = one.size() - 1; j > 0; --j)
        own[node][j] += own[node][j - 1] * getOdds(copies[e], tokens);
  auto sumOf = [&](size_t node) {
    auto first = copies.begin() + static_cast<std::ptrdiff_t>(node * perNode);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(perNode),
                           0.0);
  };
  // The odds are already close to the given counts, so a few rounds suffice.
  constexpr int kRounds = 3;
  for (int round = 0; round <= kRounds; ++round) {
    rest = joinOthers(own, one);
    for (size_t node = 0; node < expected.size() && round < kRounds; ++node) {
      Sums both = multiply(own[node], rest[node]);
      double chosen = 0;
      for (size_t j = 0; j < one.size(); ++j)
        chosen += double(j) * own[node][j] * rest[node][one.size() - 1 - j];
      double factor = sumOf(node) / tokens * both.back() / chosen;
      double power = 1;
      if (std::isfinite(factor))
        for (double &sum : own[node]) {
          sum *= power;
          power *= factor;
        }
    }
  }
  for (size_t node = 0; node < expected.size(); ++node) {
    double none = rest[node].back() / multiply(own[node], rest[node]).back();
    auto first = copies.begin() + static_cast<std::ptrdiff_t>(node * perNode);
    auto last = first + static_cast<std::ptrdiff_t>(perNode);
    double sum = sumOf(node);
    double least = std::max(*std::max_element(first, last),
                            sum / double(std::min<size_t>(topK, perNode)));
    double most = std::min(sum, tokens);
    // If the odds are too far apart for the sum to be finite, take the upper
    // bound.
    double found = std::isfinite(none) ? tokens * (1 - none) : most;
    expected[node] = std::min(std::max(found, least), most);
  }
  return expected;
}
