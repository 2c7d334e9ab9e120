// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the rows of a program's layers go.

#ifndef MOE_TRAFFIC_ROUTING_H
#define MOE_TRAFFIC_ROUTING_H

#include "moe/Traffic/Trace.h"

#include <map>
#include <memory>
#include <mutex>

namespace moe::traffic {

/// Rows that the ranks of an expert-parallel group send each other; whole where
/// counts are those of the program, else in proportion to them.
struct RowMatrix {
  int64_t numRanks = 1;
  /// Row by sender: `numRanks` times `numRanks` numbers, at least 0.
  std::vector<double> rows;

  double at(int64_t from, int64_t to) const {
    return rows[static_cast<size_t>(from * numRanks + to)];
  }
  /// The most rows that one rank receives, its own included.
  double getMostReceived() const;
};

/// Copies of tokens that a layer's ranks send at most: what is beyond is
/// dropped.
struct CopyLimits {
  /// Copies that a rank has, tokens times top-k.
  int64_t copies = 1;
  /// A row a rank, or one for all; the experts are dealt out to as many columns
  /// as a row has, side by side.
  int64_t columns = 1;
  std::vector<int64_t> limits;

  int64_t at(int64_t rank, int64_t column) const {
    size_t row = limits.size() == static_cast<size_t>(columns) ? 0 : rank;
    return limits[row * columns + column];
  }
};

/// Tokens that ranks send to nodes, each once a node; in proportion as rows
/// are.
struct NodeTokens {
  int64_t numNodes = 1;
  /// Row by sender: as many numbers as there are nodes, at least 0.
  std::vector<double> tokens;

  double at(int64_t from, int64_t node) const {
    return tokens[static_cast<size_t>(from * numNodes + node)];
  }
};

/// The rows of a layer of which every rank routes `rows` copies of tokens to
/// `numRanks` ranks, as many to each, and sends what `limits` leave of them; as
/// `Routing::getRows` for balanced gates.
RowMatrix getEvenRows(int64_t numRanks, double rows,
                      const std::vector<CopyLimits> &limits);

/// A layer of a program, as far as traffic is concerned.
struct RoutedLayer {
  std::string name;
  /// Ranks that its tokens are exchanged between; none where they are not
  /// known.
  std::optional<int64_t> numRanks;
  /// Experts on all of them, equally many on each; none where they are not
  /// known.
  std::optional<int64_t> numExperts;
};

/// A trace as a program meets it: at one of its steps, or all steps together.
class Routing {
public:
  /// The step at place `step` of the trace's; all together without. `name` is
  /// the trace's file, in messages.
  Routing(std::shared_ptr<const Trace> trace, std::string name,
          std::optional<size_t> step);

  /// The same trace at one of its steps. What one of both finds of it, the other
  /// need not find again.
  Routing atStep(size_t place) const;

  const Trace &getTrace() const { return *trace; }
  const std::string &getName() const { return name; }
  /// The step's number in the trace; none of all steps together.
  std::optional<int64_t> getStep() const {
    return step ? std::optional(trace->steps[*step].step) : std::nullopt;
  }

  /// What is wrong with the counts of a layer, as far as it is known; as
  /// `getRows` fails.
  std::optional<cost::Failure> check(const RoutedLayer &layer) const;

  /// The rows of a layer of which every rank routes `rows` copies of tokens
  /// (tokens times top-k). Counts are taken in proportion, so that they may be
  /// from a run of other sizes; those of one row stand for every rank. Fails,
  /// naming the file, its key, what was expected and what was found, when the
  /// trace lacks the layer or its counts are of other experts or ranks. The
  /// ranks of the layer must be known. `limits` cut the rows, one after the
  /// other, each in proportion to how many of its copies `rows` are.
  cost::Result<RowMatrix>
  getRows(const RoutedLayer &layer, double rows,
          const std::vector<CopyLimits> &limits = {}) const;

  /// The tokens that those rows are copies of, by the node of their experts:
  /// the first of the ranks, and of the experts, are those of the first node.
  /// They are counted where the trace has the choices of tokens, and else
  /// expected (`cost::getExpectedTokens`) of `topK` choices a token. Fails as
  /// `getRows` does. The experts of the layer must be known, too.
  cost::Result<NodeTokens> getNodeTokens(const RoutedLayer &layer, double rows,
                                         int64_t topK, int64_t nodes) const;

  /// What counts of a layer are multiplied by for this: 1 for those of a run of
  /// the program itself. Fails as `getRows` does.
  cost::Result<double> getScale(const RoutedLayer &layer, double rows) const;

  /// By rank of a layer the experts that its gate's tokens go to, so that the
  /// counts are exactly those of the trace, or the very choices where it has
  /// them: `topK` different ones of each of `tokens` tokens, one after the
  /// other. What counts leave open is drawn, always in the same way. One row is
  /// what all ranks send together, and is dealt out to them. Fails as `getRows`
  /// does, and where rows do not add up to the gate's choices. Ranks and
  /// experts of the layer must be known, and the routing be of one step.
  cost::Result<std::vector<std::vector<int32_t>>>
  getChoices(const RoutedLayer &layer, int64_t tokens, int64_t topK) const;

private:
  /// Of one step.
  const LayerTraffic *findLayer(const std::string &layer) const;
  cost::Result<const schedule::ExpertCounts *>
  find(const RoutedLayer &layer) const;
  /// The tokens of the trace's choices, at its step or at all, of a row by
  /// node; nothing where a step has none, or not of `topK` a token.
  std::optional<std::vector<double>> countTokens(const RoutedLayer &layer,
                                                 int64_t row, int64_t topK,
                                                 int64_t nodes) const;
  /// Those, or else the expected ones, of each row of its counts: found once,
  /// as all forms of a layer ask for the same.
  std::vector<std::vector<double>>
  findTokens(const RoutedLayer &layer, const schedule::ExpertCounts &counts,
             int64_t topK, int64_t nodes) const;
  cost::Failure fail(const std::string &key, const std::string &problem) const;
  /// The key of a file that says how many experts or ranks there are.
  std::string getKey(const char *ofLines) const;

  std::shared_ptr<const Trace> trace;
  std::string name;
  std::optional<size_t> step;
  /// Counts of all steps together, by layer; of one step they are in the trace.
  std::map<std::string, schedule::ExpertCounts, std::less<>> sums;
  /// What has been found of a layer's tokens: by step, name, experts, choices
  /// of a token, and nodes.
  struct FoundTokens {
    std::mutex mutex;
    std::map<std::tuple<std::optional<size_t>, std::string, int64_t, int64_t,
                        int64_t>,
             std::vector<std::vector<double>>>
        tokens;
  };
  std::shared_ptr<FoundTokens> foundTokens = std::make_shared<FoundTokens>();
};

/// One number over the steps of a trace.
struct Spread {
  double mean = 0;
  /// The least that 95 % of all do not exceed.
  double p95 = 0;
  double worst = 0;

  /// Of at least one value.
  static Spread of(std::vector<double> values);
};

} // namespace moe::traffic

#endif // MOE_TRAFFIC_ROUTING_H
