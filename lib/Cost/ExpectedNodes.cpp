// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that a token goes to.

#include "moe/Cost/ExpectedNodes.h"
#include <algorithm>
#include <cmath>
#include <numeric>

double moe::cost::getExpectedNodes(int64_t experts, int64_t topK,
                                   int64_t nodes) {
  // The quotient of both binomials, choice by choice: none overflows.
  int64_t others = experts - experts / nodes;
  double none = 1;
  for (int64_t i = 0; i < topK; ++i)
    none *= i < others ? double(others - i) / double(experts - i) : 0;
  return double(nodes) * (1 - none);
}

namespace {

/// Sums of products of odds, by how many of them: of any `j` experts of a set,
/// up to the choices of a token.
using Sums = std::vector<double>;

} // namespace

/// Those of two sets together.
static Sums multiply(const Sums &a, const Sums &b) {
  Sums sums(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; i + j < a.size(); ++j)
      sums[i + j] += a[i] * b[j];
  return sums;
}

/// By set, those of all others together.
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

/// How much likelier an expert is to be chosen than not. What all tokens
/// choose, or none, has odds that sums can be made of.
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
  // Odds are near those that chances ask for: nodes get theirs in a few rounds.
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
    // Where odds are too far apart for a sum, no token is thought to be sent
    // less than it may be.
    double found = std::isfinite(none) ? tokens * (1 - none) : most;
    expected[node] = std::min(std::max(found, least), most);
  }
  return expected;
}
