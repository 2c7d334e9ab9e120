// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates routing traces, and analyzes the load imbalance of given ones.

#ifndef MOE_PLANNING_TRAFFIC_H
#define MOE_PLANNING_TRAFFIC_H

#include "moe/Planning/Planner.h"
#include "moe/Traffic/Routing.h"
#include "moe/Traffic/Trace.h"

namespace moe::planning {

struct TrafficInput : Input {
  TextOption input{table, "input",
                   "Routing trace to analyze: JSON, or "
                   "JSONL if the file name ends in .jsonl",
                   "FILE"};
  IntegerOption ep{
      table,
      "ep",
      "With --input: expert-parallel ranks (default: the trace's ranks)",
      {.unit = "ranks"}};
  TextOption generated{
      table, "generate",
      "Pattern of the generated trace: even, zipf, hot (the experts "
      "of one rank), communities (groups of ranks), drifting (zipf "
      "with a random walk) or busy (one expert; not random)",
      "PATTERN"};
  IntegerOption ranks{table,
                      "ranks",
                      "With --generate: number of ranks (required)",
                      {.unit = "ranks"}};
  IntegerOption experts{table,
                        "experts",
                        "With --generate: number of experts (required)",
                        {.unit = "experts"}};
  IntegerOption tokens{
      table,
      "tokens",
      "With --generate: tokens per rank and iteration (required)",
      {.unit = "tokens"}};
  IntegerOption topK{table,
                     "top-k",
                     "With --generate: experts per token (required)",
                     {.unit = "experts"}};
  IntegerOption layers{
      table, "layers", "Number of layers (default: 1)", {.unit = "layers"}};
  IntegerOption steps{table,
                      "steps",
                      "Number of iterations (default: 1)",
                      {.unit = "iterations"}};
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
      table,
      "communities",
      "communities: number of groups of ranks and experts (default: 2)",
      {.unit = "groups"}};
  NumberOption drift{table,
                     "drift",
                     "drifting: standard deviation per iteration of the random "
                     "walk of the logarithmic weights (default: 0.1)",
                     {/*mayBeZero=*/true}};
  NumberOption imbalance{
      table, "imbalance",
      "busy: tokens of the busiest expert over an even share (default: 1)"};
};

struct TrafficAnswer {
  static constexpr unsigned kJsonIndent = 2;

  traffic::Trace trace;
  /// True if the trace is the answer; the other members are then not set.
  bool isGenerated = false;
  std::string file;
  /// Expert-parallel ranks.
  int64_t ep = 0;
  /// Spreads over layers and steps, as multiples of the mean: tokens of the
  /// busiest rank, the most sent or received per rank, and tokens of the
  /// busiest expert (not set if the trace counts tokens by rank).
  traffic::Spread busiestRank, exchange;
  std::optional<traffic::Spread> busiestExpert;
  /// By layer, in the order of the trace: tokens of the busiest rank over the
  /// mean, over the iterations.
  std::vector<std::pair<std::string, traffic::Spread>> layers;

  /// Returns the layers by decreasing mean imbalance.
  std::vector<std::pair<std::string, traffic::Spread>> sortLayers() const;
};

Result<TrafficAnswer> planTraffic(TrafficInput &in);

std::string getTitle(const TrafficAnswer &answer);
void printJSON(llvm::json::OStream &out, const TrafficAnswer &answer);
/// Formats the generated trace, or the analysis.
std::string formatJSON(const TrafficAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_TRAFFIC_H
