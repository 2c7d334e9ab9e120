// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which experts tokens went to.

#ifndef MOE_TRAFFIC_TRACE_H
#define MOE_TRAFFIC_TRACE_H

#include "moe/Schedule/ExpertSkew.h"

#include <string>
#include <string_view>

namespace moe::traffic {

/// What the gate of one layer sent at one step.
struct LayerTraffic {
  /// The layer's name in a program; empty where a file speaks of one only.
  std::string layer;
  /// Tokens times top-k, whole numbers; a row a rank, or one for all of them.
  schedule::ExpertCounts counts;
  /// Where the trace has them, by row the experts of its tokens, top-k of each
  /// token one after the other; else empty.
  std::vector<std::vector<int32_t>> choices = {};
};

struct StepTraffic {
  int64_t step = 0;
  std::vector<LayerTraffic> layers;
};

/// Counts by step and layer, of one shape all of them: at least one step, each
/// with at least one layer, in ascending order of their numbers.
struct Trace {
  /// Rows of counts: ranks, or 1 where they stand for all.
  int64_t numRanks = 1;
  int64_t numExperts = 0;
  /// The columns of counts are the ranks that tokens go to, not experts: as
  /// many as there are rows.
  bool isRankToRank = false;
  /// Experts of a token, where it is known: then every row is a multiple.
  std::optional<int64_t> topK;
  std::vector<StepTraffic> steps;

  /// All steps and layers together.
  schedule::ExpertCounts getTotal() const;
};

/// Most tokens, times top-k, of one rank at one step of a trace of steps: sizes
/// of exchanges are 32-bit.
constexpr int64_t kMostRows = (int64_t(1) << 31) - 1;

/// Most of one rank over a longer run, in a file without steps: sums of all
/// ranks stay exact in floating point.
constexpr int64_t kMostOfRun = (int64_t(1) << 40) - 1;

/// Reads a trace as `parseTraceFile` does. The failure is one line: file, line
/// and column, the path of the key, what is allowed, and what was found.
cost::Result<Trace> loadTrace(const std::string &path);

/// One JSON object, `name` being the file in messages. Either
/// {"counts": [tokens of each expert]} or {"counts": [[...], ...]} with a row a
/// rank: one layer at one step, or sums over a longer run. Or {"steps": [{"step": 0, "layers": [{"layer": "3", "counts":
/// ...}]}]}, where beside "steps" may stand "top_k" and "tokens" of a rank:
/// rows must then add up to their product. In place of "counts" everywhere
/// "rank_counts": [[...], ...], what each rank sends to each. Of the counts of a
/// layer one is above 0.
cost::Result<Trace> parseTrace(std::string_view text, const std::string &name);

/// A JSON object a line, as a router writes them: first {"experts": E, "ranks":
/// R, "top_k": k}, then for every step, layer and rank {"step": 0, "layer":
/// "3", "rank": 1, "indices": [[the k experts of a token], ...]}, in any order
/// within a step, steps ascending. Every rank must be there once, and one of
/// them have a token.
cost::Result<Trace> parseTraceLines(std::string_view text,
                                    const std::string &name);

/// The text of a file: of one whose name ends in ".jsonl" by `parseTraceLines`,
/// of others by `parseTrace`.
cost::Result<Trace> parseTraceFile(std::string_view text,
                                   const std::string &path);

/// The place of a step, by its number, among those of a trace whose file is
/// `name`.
cost::Result<size_t> findStep(const Trace &trace, const std::string &name,
                              int64_t step);

/// As `parseTrace` reads it.
std::string printTrace(const Trace &trace);

} // namespace moe::traffic

#endif // MOE_TRAFFIC_TRACE_H
