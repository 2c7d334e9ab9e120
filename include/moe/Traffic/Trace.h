// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routing traces: the experts of tokens per step and layer.

#ifndef MOE_TRAFFIC_TRACE_H
#define MOE_TRAFFIC_TRACE_H

#include "moe/Schedule/ExpertSkew.h"

#include <string>
#include <string_view>

namespace moe::traffic {

/// The tokens that the gate of one layer sent at one step.
struct LayerTraffic {
  /// The layer's name in a program; empty if the file describes only one layer.
  std::string layer;
  /// Tokens times top-k, whole numbers; one row per rank, or one row for all of
  /// them.
  schedule::ExpertCounts counts;
  /// The experts of each row's tokens, top-k consecutive ones per token; empty
  /// if the trace does not have them.
  std::vector<std::vector<int32_t>> choices = {};
};

struct StepTraffic {
  int64_t step = 0;
  std::vector<LayerTraffic> layers;
};

/// Counts by step and layer, all with the same shape. There is at least one
/// step, each step has at least one layer, and steps have ascending numbers.
struct Trace {
  /// Number of rows of counts: the ranks, or 1 if the row represents all of
  /// them.
  int64_t numRanks = 1;
  int64_t numExperts = 0;
  /// The columns of counts are destination ranks instead of experts, as many as
  /// there are rows.
  bool isRankToRank = false;
  /// Experts per token if known; every row is then a multiple.
  std::optional<int64_t> topK;
  std::vector<StepTraffic> steps;

  /// Returns the sum over all steps and layers.
  schedule::ExpertCounts getTotal() const;
};

/// Maximum number of tokens, times top-k, per rank and step in a trace of
/// steps, because sizes of exchanges are 32-bit.
constexpr int64_t kMostRows = (int64_t(1) << 31) - 1;

/// Maximum per rank over a longer run, in a file without steps. It keeps sums
/// over all ranks exact in floating point.
constexpr int64_t kMostOfRun = (int64_t(1) << 40) - 1;

/// Reads a trace with `parseTraceFile`. A failure is one line with file, line
/// and column, the path of the key, the allowed values, and the actual value.
cost::Result<Trace> loadTrace(const std::string &path);

/// Parses one JSON object; `name` is the file in messages. The object has one
/// of these forms:
/// - {"counts": [tokens of each expert]} or {"counts": [[...], ...]} with one
///   row per rank, for one layer at one step, or sums over a longer run;
/// - {"steps": [{"step": 0, "layers": [{"layer": "3", "counts": ...}]}]},
///   optionally with "top_k" and "tokens" per rank next to "steps"; rows must
///   then add up to their product.
///
/// Instead of "counts", all forms may have "rank_counts": [[...], ...], the
/// tokens that each rank sends to each rank. At least one count per layer must
/// be above 0.
cost::Result<Trace> parseTrace(std::string_view text, const std::string &name);

/// Parses one JSON object per line, as a router writes them: first {"experts":
/// E, "ranks": R, "top_k": k}, then for every step, layer and rank {"step": 0,
/// "layer": "3", "rank": 1, "indices": [[the k experts of one token], ...]}.
/// Lines may be in any order within the same step, and steps must ascend. Every
/// rank must occur once, and at least one must have a token.
cost::Result<Trace> parseTraceLines(std::string_view text,
                                    const std::string &name);

/// Parses the text of a file: with `parseTraceLines` if the name ends in
/// ".jsonl", otherwise with `parseTrace`.
cost::Result<Trace> parseTraceFile(std::string_view text,
                                   const std::string &path);

/// Returns the index of the step with a number in a trace; `name` is the
/// trace's file in messages.
cost::Result<size_t> findStep(const Trace &trace, const std::string &name,
                              int64_t step);

/// Prints a trace in the format of `parseTrace`.
std::string printTrace(const Trace &trace);

} // namespace moe::traffic

#endif // MOE_TRAFFIC_TRACE_H
