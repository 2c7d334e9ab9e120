// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Destinations of the rows of a program's layers.

#ifndef MOE_TRAFFIC_ROUTING_H
#define MOE_TRAFFIC_ROUTING_H

#include "moe/Traffic/Trace.h"

#include <map>
#include <memory>
#include <mutex>

namespace moe::traffic {

/// Returns the most rows that one rank receives, including its own.
double getMostReceived(const cost::Matrix<double> &rows);

/// Adds counts of the same shape to `sum`.
void add(schedule::ExpertCounts &sum, const schedule::ExpertCounts &counts);

/// The maximum number of token copies that the ranks of one layer send; copies
/// beyond it are dropped.
struct CopyLimits {
  /// Copies per rank: tokens times top-k.
  int64_t copies = 1;
  /// One row per rank, or one for all. The experts are divided among the
  /// columns in adjacent groups.
  cost::Matrix<int64_t> limits;

  int64_t at(int64_t rank, int64_t column) const {
    return limits.at(limits.getNumRows() == 1 ? 0 : rank, column);
  }
};

/// Returns the rows that ranks exchange if every rank routes `rows` token
/// copies to `numRanks` ranks evenly and `limits` are applied; like
/// `Routing::getRows` for balanced gates.
cost::Matrix<double> getEvenRows(int64_t numRanks, double rows,
                                 const std::vector<CopyLimits> &limits);

/// The properties of a program's layer that determine its traffic.
struct RoutedLayer {
  std::string name;
  /// Number of ranks that exchange its tokens; nullopt if unknown.
  std::optional<int64_t> numRanks;
  /// Number of experts on all of these ranks, equally many on each; nullopt if
  /// unknown.
  std::optional<int64_t> numExperts;
};

/// A trace as applied to a program: one of its steps, or the sum of all steps.
class Routing {
public:
  /// Uses the step at index `step` of the trace, or the sum over all steps if
  /// unset. `name` is the trace's file name for messages.
  Routing(std::shared_ptr<const Trace> trace, std::string name,
          std::optional<size_t> step);

  /// Returns the same trace at one of its steps. Both objects share cached
  /// results.
  Routing atStep(size_t place) const;

  const Trace &getTrace() const { return *trace; }
  const std::string &getName() const { return name; }
  /// Returns the step's number in the trace; nullopt for the sum of all steps.
  std::optional<int64_t> getStep() const {
    return step ? std::optional(trace->steps[*step].step) : std::nullopt;
  }

  /// Returns why the counts for `layer` are invalid, as far as the layer is
  /// known; fails like `getRows`.
  std::optional<cost::Failure> check(const RoutedLayer &layer) const;

  /// Returns the rows that the ranks of `layer` send each other, one row per
  /// sender, if every rank routes `rows` token copies (tokens times top-k).
  /// Counts are scaled, so the trace may be from a run of another size. If it
  /// has one row of counts, each rank uses that row. `limits` are applied one
  /// after the other, each scaled by the ratio of `rows` to its number of
  /// copies.
  ///
  /// Fails if the trace lacks the layer or its counts have other experts or
  /// ranks. The failure names the file, the key, and the expected and actual
  /// values. The layer's number of ranks must be known.
  cost::Result<cost::Matrix<double>>
  getRows(const RoutedLayer &layer, double rows,
          const std::vector<CopyLimits> &limits = {}) const;

  /// Returns the tokens that each sender (row) sends to each node (column), in
  /// contrast to `getRows`, which counts their copies. The first ranks and the
  /// first experts are on the first node. Tokens are counted if the trace has
  /// their choices, and otherwise estimated (`cost::getExpectedTokens`) for
  /// `topK` choices per token. Fails like `getRows`. The number of experts of
  /// the layer must also be known.
  cost::Result<cost::Matrix<double>> getNodeTokens(const RoutedLayer &layer,
                                                   double rows, int64_t topK,
                                                   int64_t nodes) const;

  /// Returns the scale factor for the layer's counts: 1 for counts from a run
  /// of the program itself. Fails like `getRows`.
  cost::Result<double> getScale(const RoutedLayer &layer, double rows) const;

  /// Returns, for each rank of `layer`, the experts of its gate's tokens, so
  /// that the counts exactly match the trace, or the very choices if the trace
  /// has them. The experts are `topK` different ones for each of `tokens`
  /// tokens, consecutively. Choices that the counts do not determine are drawn
  /// deterministically. A single row of counts is the sum over all ranks and is
  /// divided among them. Fails like `getRows`, and if rows do not add up to the
  /// gate's choices. The layer's numbers of ranks and experts must be known,
  /// and the routing must be for one step.
  cost::Result<std::vector<std::vector<int32_t>>>
  getChoices(const RoutedLayer &layer, int64_t tokens, int64_t topK) const;

private:
  /// Returns the traffic of the layer with this name at the step; null if none.
  const LayerTraffic *findLayer(const std::string &layer) const;
  cost::Result<const schedule::ExpertCounts *>
  find(const RoutedLayer &layer) const;
  /// Counts the tokens of a row by node from the trace's choices, at its step
  /// or in total. Returns nullopt if some step has no choices, or not `topK`
  /// per token.
  std::optional<std::vector<double>> countTokens(const RoutedLayer &layer,
                                                 int64_t row, int64_t topK,
                                                 int64_t nodes) const;
  /// Returns these counts, or else the estimated ones, for each row. The result
  /// is cached, because all variants of the layer need the same.
  cost::Matrix<double> findTokens(const RoutedLayer &layer,
                                  const schedule::ExpertCounts &counts,
                                  int64_t topK, int64_t nodes) const;
  cost::Failure fail(const std::string &key, const std::string &problem) const;
  /// Returns the key of the file with the number of experts or ranks.
  std::string getKey(const char *ofLines) const;

  std::shared_ptr<const Trace> trace;
  std::string name;
  std::optional<size_t> step;
  /// Sums of counts over all steps, by layer; the trace has the counts of one
  /// step.
  std::map<std::string, schedule::ExpertCounts, std::less<>> sums;
  /// Cached token counts by step, layer name, experts, choices per token, and
  /// nodes.
  struct FoundTokens {
    std::mutex mutex;
    std::map<std::tuple<std::optional<size_t>, std::string, int64_t, int64_t,
                        int64_t>,
             cost::Matrix<double>>
        tokens;
  };
  std::shared_ptr<FoundTokens> foundTokens = std::make_shared<FoundTokens>();
};

/// Statistics of one number over the steps of a trace.
struct Spread {
  double mean = 0;
  /// The least value that 95 % of all values do not exceed.
  double p95 = 0;
  double worst = 0;

  /// Computes the statistics of at least one value.
  static Spread of(std::vector<double> values);
};

} // namespace moe::traffic

#endif // MOE_TRAFFIC_ROUTING_H
