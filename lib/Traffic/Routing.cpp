// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Destinations of the rows of a program's layers.

#include "moe/Traffic/Routing.h"
#include "moe/Cost/ExpectedNodes.h"
#include "moe/Support/Json.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace moe;
using namespace moe::traffic;
using schedule::ExpertCounts;

double traffic::getMostReceived(const cost::Matrix<double> &rows) {
  double most = 0;
  for (int64_t to = 0; to < rows.getSize(); ++to) {
    double sum = 0;
    for (int64_t from = 0; from < rows.getSize(); ++from)
      sum += rows.at(from, to);
    most = std::max(most, sum);
  }
  return most;
}

void traffic::add(ExpertCounts &sum, const ExpertCounts &counts) {
  std::span<double> values = sum.getValues();
  for (size_t i = 0; i < values.size(); ++i)
    values[i] += counts.getValues()[i];
}

Routing::Routing(std::shared_ptr<const Trace> given, std::string file,
                 std::optional<size_t> place)
    : trace(std::move(given)), name(std::move(file)), step(place) {
  if (step)
    return;
  for (const StepTraffic &one : trace->steps)
    for (const LayerTraffic &layer : one.layers) {
      auto [it, isNew] = sums.try_emplace(layer.layer, layer.counts);
      if (!isNew)
        add(it->second, layer.counts);
    }
}

Routing Routing::atStep(size_t place) const {
  Routing routing(trace, name, place);
  routing.foundTokens = foundTokens;
  return routing;
}

cost::Failure Routing::fail(const std::string &key,
                            const std::string &problem) const {
  std::string where;
  if (step && trace->steps.size() > 1)
    where = "step " + std::to_string(trace->steps[*step].step) + ": ";
  return {name + ": " + where + key + ": " + problem};
}

std::string Routing::getKey(const char *ofLines) const {
  if (name.ends_with(".jsonl"))
    return ofLines;
  return trace->isRankToRank ? "rank_counts" : "counts";
}

/// A layer without a name, alone in its file, represents every layer.
static bool speaksOf(const std::string &inFile, const std::string &layer) {
  return inFile == layer || inFile.empty();
}

const LayerTraffic *Routing::findLayer(const std::string &layer) const {
  for (const LayerTraffic &each : trace->steps[*step].layers)
    if (speaksOf(each.layer, layer))
      return &each;
  return nullptr;
}

cost::Result<const ExpertCounts *>
Routing::find(const RoutedLayer &layer) const {
  std::string has;
  const ExpertCounts *found = nullptr;
  auto visit = [&](const std::string &other, const ExpertCounts &counts) {
    if (speaksOf(other, layer.name))
      found = &counts;
    has += (has.empty() ? "" : ", ") + support::quote(other);
  };
  if (step)
    for (const LayerTraffic &each : trace->steps[*step].layers)
      visit(each.layer, each.counts);
  else
    for (const auto &[other, counts] : sums)
      visit(other, counts);
  std::string of = " of layer " + support::quote(layer.name);
  if (!found)
    return fail("layer", "expected counts" + of +
                             " of the program, got those of " + has +
                             " (moe-plan traffic --layers=N generates layers 0 "
                             "to N - 1)");
  auto failColumns = [&](const std::string &expected) {
    return fail(getKey("experts"), "expected " + expected + of + ", got " +
                                       std::to_string(found->getNumColumns()));
  };
  std::string ranks = std::to_string(layer.numRanks.value_or(1)) + " ranks";
  if (trace->isRankToRank) {
    if (layer.numRanks && found->getNumColumns() != *layer.numRanks)
      return failColumns("those of the " + ranks);
  } else if (layer.numExperts && found->getNumColumns() != *layer.numExperts) {
    return failColumns("those of the " + std::to_string(*layer.numExperts) +
                       " experts");
  } else if (found->getNumColumns() % layer.numRanks.value_or(1) != 0) {
    return failColumns("experts that divide by the " + ranks);
  }
  if (layer.numRanks && found->getNumRows() != 1 &&
      found->getNumRows() != *layer.numRanks)
    return fail(getKey("ranks"),
                "expected one row for all ranks or one of each of the " +
                    ranks + of + ", got " +
                    std::to_string(found->getNumRows()) + " rows");
  return found;
}

std::optional<cost::Failure> Routing::check(const RoutedLayer &layer) const {
  cost::Result<const ExpertCounts *> counts = find(layer);
  return counts ? std::nullopt : std::optional(counts.getFailure());
}

cost::Result<double> Routing::getScale(const RoutedLayer &layer,
                                       double rows) const {
  cost::Result<const ExpertCounts *> counts = find(layer);
  if (!counts)
    return counts.getFailure();
  std::span<const double> tokens = (*counts)->getValues();
  return rows * double(*layer.numRanks) /
         std::accumulate(tokens.begin(), tokens.end(), 0.0);
}

/// Cuts the rows that one rank sends, per expert or, if the trace counts by
/// rank, per rank. If a limit covers several entries, they share it in
/// proportion; if an entry covers several limits, these are added up.
static void applyLimits(std::vector<double> &sent, int64_t rank,
                        const CopyLimits &limits, double rows) {
  int64_t numSent = static_cast<int64_t>(sent.size());
  int64_t groups = std::min(numSent, limits.limits.getNumColumns());
  double factor = rows / static_cast<double>(limits.copies);
  for (int64_t group = 0; group < groups; ++group) {
    double most = 0, all = 0;
    for (int64_t c = group * limits.limits.getNumColumns() / groups;
         c < (group + 1) * limits.limits.getNumColumns() / groups; ++c)
      most += factor * static_cast<double>(limits.at(rank, c));
    auto begin = sent.begin() + group * numSent / groups;
    auto end = sent.begin() + (group + 1) * numSent / groups;
    all = std::accumulate(begin, end, 0.0);
    if (all > most)
      std::for_each(begin, end, [&](double &each) { each *= most / all; });
  }
}

cost::Matrix<double>
traffic::getEvenRows(int64_t numRanks, double rows,
                     const std::vector<CopyLimits> &limits) {
  // The number of equal parts per rank that the finest limits distinguish.
  int64_t parts = 1;
  for (const CopyLimits &each : limits)
    if (int64_t columns = each.limits.getNumColumns(); columns % numRanks == 0)
      parts = std::lcm(parts, columns / numRanks);
  cost::Matrix<double> matrix(numRanks);
  for (int64_t from = 0; from < numRanks; ++from) {
    std::vector<double> sent(static_cast<size_t>(numRanks * parts),
                             rows / double(numRanks * parts));
    for (const CopyLimits &each : limits)
      applyLimits(sent, from, each, rows);
    for (int64_t part = 0; part < numRanks * parts; ++part)
      matrix.at(from, part / parts) += sent[static_cast<size_t>(part)];
  }
  return matrix;
}

cost::Result<cost::Matrix<double>>
Routing::getRows(const RoutedLayer &layer, double rows,
                 const std::vector<CopyLimits> &limits) const {
  cost::Result<const ExpertCounts *> found = find(layer);
  cost::Result<double> scale = getScale(layer, rows);
  if (!found)
    return found.getFailure();
  const ExpertCounts &counts = **found;
  int64_t numRanks = *layer.numRanks;
  int64_t perRank = counts.getNumColumns() / numRanks;
  // A single row is the sum over all ranks.
  double factor = counts.getNumRows() == 1 ? *scale / double(numRanks) : *scale;
  cost::Matrix<double> matrix(numRanks);
  std::vector<double> sent(static_cast<size_t>(counts.getNumColumns()));
  // All ranks send the same, unless limits differ.
  bool areAlike = counts.getNumRows() == 1 && limits.empty();
  for (int64_t from = 0; from < numRanks; ++from) {
    if (areAlike && from > 0) {
      std::ranges::copy(matrix.getRow(0), matrix.getRow(from).begin());
      continue;
    }
    for (int64_t expert = 0; expert < counts.getNumColumns(); ++expert)
      sent[static_cast<size_t>(expert)] =
          factor * counts.at(counts.getNumRows() == 1 ? 0 : from, expert);
    for (const CopyLimits &each : limits)
      applyLimits(sent, from, each, rows);
    for (int64_t expert = 0; expert < counts.getNumColumns(); ++expert)
      matrix.at(from, expert / perRank) += sent[static_cast<size_t>(expert)];
  }
  return matrix;
}

std::optional<std::vector<double>>
Routing::countTokens(const RoutedLayer &layer, int64_t row, int64_t topK,
                     int64_t nodes) const {
  if (trace->topK != topK)
    return std::nullopt;
  std::vector<double> counted(static_cast<size_t>(nodes));
  std::vector<size_t> lastToken(static_cast<size_t>(nodes));
  int64_t perNode = *layer.numExperts / nodes;
  size_t token = 0;
  for (size_t place = 0; place < trace->steps.size(); ++place) {
    if (step && place != *step)
      continue;
    for (const LayerTraffic &each : trace->steps[place].layers) {
      if (!speaksOf(each.layer, layer.name))
        continue;
      if (each.choices.empty())
        return std::nullopt;
      const std::vector<int32_t> &choices =
          each.choices[static_cast<size_t>(row)];
      for (size_t i = 0; i < choices.size(); ++i) {
        token += i % static_cast<size_t>(topK) == 0;
        auto node = static_cast<size_t>(choices[i] / perNode);
        counted[node] += lastToken[node] != token;
        lastToken[node] = token;
      }
    }
  }
  return counted;
}

cost::Result<cost::Matrix<double>>
Routing::getNodeTokens(const RoutedLayer &layer, double rows, int64_t topK,
                       int64_t nodes) const {
  cost::Result<const ExpertCounts *> found = find(layer);
  cost::Result<double> scale = getScale(layer, rows);
  if (!found)
    return found.getFailure();
  const ExpertCounts &counts = **found;
  int64_t numRanks = *layer.numRanks;
  bool isOfAll = counts.getNumRows() == 1;
  double factor = isOfAll ? *scale / double(numRanks) : *scale;
  cost::Matrix<double> ofRows = findTokens(layer, counts, topK, nodes);
  auto tokens = cost::Matrix<double>::of(numRanks, nodes);
  for (int64_t rank = 0; rank < numRanks; ++rank)
    for (int64_t node = 0; node < nodes; ++node)
      tokens.at(rank, node) = factor * ofRows.at(isOfAll ? 0 : rank, node);
  return tokens;
}

cost::Matrix<double> Routing::findTokens(const RoutedLayer &layer,
                                         const ExpertCounts &counts,
                                         int64_t topK, int64_t nodes) const {
  std::lock_guard<std::mutex> lock(foundTokens->mutex);
  auto [place, isNew] =
      foundTokens->tokens.try_emplace(
          {step, layer.name, *layer.numExperts, topK, nodes});
  if (!isNew)
    return place->second;
  // The tokens for one rank are divided evenly among its experts.
  int64_t share = *layer.numExperts / counts.getNumColumns();
  std::vector<double> all;
  for (int64_t row = 0; row < counts.getNumRows(); ++row) {
    std::optional<std::vector<double>> tokens =
        countTokens(layer, row, topK, nodes);
    std::vector<double> copies;
    for (int64_t column = 0; !tokens && column < counts.getNumColumns();
         ++column)
      copies.insert(copies.end(), static_cast<size_t>(share),
                    counts.at(row, column) / double(share));
    if (!tokens)
      tokens = cost::getExpectedTokens(copies, topK, nodes);
    all.insert(all.end(), tokens->begin(), tokens->end());
  }
  return place->second =
             cost::Matrix<double>::fromValues(nodes, std::move(all));
}

Spread Spread::of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  Spread spread;
  for (double value : values)
    spread.mean += value / double(values.size());
  spread.p95 =
      values[static_cast<size_t>(std::ceil(0.95 * double(values.size()))) - 1];
  spread.worst = values.back();
  return spread;
}
