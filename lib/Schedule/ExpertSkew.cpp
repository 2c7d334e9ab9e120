// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects of uneven routing on layers.

#include "moe/Schedule/ExpertSkew.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace moe;
using namespace moe::schedule;

/// Returns why counts are invalid; empty if valid.
static std::string check(const ExpertCounts &counts, int64_t ep) {
  if (counts.getNumColumns() < 1 || counts.getNumColumns() % ep != 0)
    return "expected a number of experts that divides by the " +
           std::to_string(ep) + " expert-parallel ranks, got " +
           std::to_string(counts.getNumColumns());
  if (counts.getNumRows() != 1 && counts.getNumRows() != ep)
    return "expected the counts of one source for all or of each of the " +
           std::to_string(ep) + " expert-parallel ranks, got " +
           std::to_string(counts.getNumRows());
  double total = 0;
  for (int64_t source = 0; source < counts.getNumRows(); ++source)
    for (int64_t expert = 0; expert < counts.getNumColumns(); ++expert) {
      double tokens = counts.at(source, expert);
      if (!(tokens >= 0) || !std::isfinite(tokens))
        return "expected counts of tokens >= 0, got " + std::to_string(tokens) +
               " from source " + std::to_string(source) + " to expert " +
               std::to_string(expert);
      total += tokens;
    }
  if (total == 0)
    return "expected counts whose sum is above 0, got zeros only";
  if (!std::isfinite(total))
    return "expected counts whose sum is a number, got more than one can say";
  return "";
}

cost::Result<ExpertSkew>
moe::schedule::getExpertSkew(const ExpertCounts &counts, int64_t ep,
                             std::optional<double> capacityFactor) {
  std::string problem = check(counts, ep);
  if (!problem.empty())
    return cost::Failure{std::move(problem)};

  double total = 0;
  for (double tokens : counts.getValues())
    total += tokens;
  double capacity = capacityFactor.value_or(double(counts.getNumColumns())) *
                    total / double(counts.getNumColumns());

  // Tokens that each rank computes, sends to others and receives from others.
  std::vector<double> loads(size_t(ep), 0), sent(loads), received(loads);
  int64_t expertsPerRank = counts.getNumColumns() / ep;
  for (int64_t expert = 0; expert < counts.getNumColumns(); ++expert) {
    double all = 0;
    for (int64_t source = 0; source < counts.getNumRows(); ++source)
      all += counts.at(source, expert);
    double taken = all > capacity ? capacity / all : 1;
    int64_t owner = expert / expertsPerRank;
    loads[size_t(owner)] += taken * all;
    for (int64_t source = 0; source < ep; ++source) {
      double tokens = counts.getNumRows() == 1
                          ? counts.at(0, expert) / double(ep)
                          : counts.at(source, expert);
      if (source == owner)
        continue;
      sent[size_t(source)] += taken * tokens;
      received[size_t(owner)] += taken * tokens;
    }
  }
  ExpertSkew skew;
  if (ep == 1)
    return skew;
  double evenLoad = total / double(ep);
  double evenExchange = evenLoad * double(ep - 1) / double(ep);
  skew.load = *std::max_element(loads.begin(), loads.end()) / evenLoad;
  skew.exchange =
      std::max(*std::max_element(sent.begin(), sent.end()),
               *std::max_element(received.begin(), received.end())) /
      evenExchange;
  return skew;
}
