// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as plain numbers.
//
// The output of moe-sim: tables, the JSON of `--json` and the page of
// `--report` are all written from these structs, and a page is parsed back into
// them.

#ifndef MOE_COMPILER_PREDICTIONREPORT_H
#define MOE_COMPILER_PREDICTIONREPORT_H

#include "moe/Compiler/Decision.h"
#include "moe/Compiler/Prediction.h"
#include "moe/Platform/Load.h"

namespace moe {

struct ReportedStream {
  std::string name, resource;
  double busyUs = 0;
};

/// An exchange of one or more tasks: the data that each rank sends.
struct ReportedExchange {
  /// The part that crosses one level of the platform.
  struct Level {
    std::string name;
    /// Maximum bytes that any rank sends or receives, and that the busiest
    /// endpoint does.
    double rankBytes = 0, endpointBytes = 0;
    /// Time of the busiest endpoint.
    double us = 0;
    friend bool operator==(const Level &, const Level &) = default;
  };

  std::string kind, axes;
  /// Bytes of all its executions in the task; nullopt if unknown.
  std::optional<int64_t> bytes;
  /// "exact", "even", "upper" or "per_iteration", see `VolumeBound`.
  std::string bound;
  /// Innermost level first; index of the slowest one.
  std::vector<Level> levels;
  std::optional<size_t> slowest;
  /// Its distance from the measured range of the platform as text; empty inside
  /// the range.
  std::string extrapolation;
  /// Bytes over circuits between servers of the mesh, in each direction.
  std::vector<cost::PairLoad> circuits;
  friend bool operator==(const ReportedExchange &,
                         const ReportedExchange &) = default;
};

/// Common properties of tasks that differ only in layer and chunk.
struct ReportedKind {
  std::string name, phase;
  size_t stream = 0;
  int64_t chunks = 1;
  /// Duration of the task without contention; nullopt for measured tasks.
  std::optional<double> us;
  /// Indices of the program's exchanges.
  std::vector<size_t> exchanges;
  bool isExtrapolated = false, isRouted = false, isOverCircuits = false;
  friend bool operator==(const ReportedKind &, const ReportedKind &) = default;
};

struct ReportedTask {
  /// Index of its kind.
  size_t kind = 0;
  std::string layer;
  int64_t chunk = 0;
  double startUs = 0, endUs = 0;
  /// Indices of the tasks that it waits for, for their values or tokens.
  std::vector<size_t> after;
};

/// Times of a program over the iterations of a trace.
struct ReportedSpread {
  std::string file;
  int64_t steps = 0;
  double meanUs = 0, p95Us = 0, worstUs = 0;
  int64_t worstStep = 0;
};

/// A step of several pipeline stages, including the program.
struct ReportedStages {
  int64_t stages = 1, virtualStages = 1, microBatches = 1;
  /// "1f1b" or "gpipe".
  std::string order;
  bool waitsForSends = false;
  /// Times per micro-batch on a stage, for the transfer to the next stage, and
  /// for the gradient all-reduces after the last pass.
  double forwardUs = 0, backwardUs = 0, sendUs = 0, gradientsUs = 0;
  double stepUs = 0, bubbleUs = 0;
  double heldMicroBatches = 0;
};

/// Times of other orders of a program's tasks on their streams.
struct ReportedOrders {
  /// The best time that was found, and the lower bound for all orders.
  double bestUs = 0, boundUs = 0;
  /// True if both times are equal.
  bool isExact = false;
};

/// The record `fabric` of a program.
struct ReportedNetwork {
  std::shared_ptr<NetworkSection> section;
};

/// The routing trace of programs, and the results that depend on it.
struct ReportedTraffic {
  /// The rows that a layer's gate sent in one iteration of the file.
  struct Counts {
    int64_t step = 0;
    std::string layer;
    cost::Matrix<double> rows;
  };

  std::string file;
  int64_t steps = 0;
  /// One iteration of the file; nullopt for all of them together.
  std::optional<int64_t> step;
  std::vector<std::string> layers, paddedLayers;
  /// True if the columns of counts are ranks, not experts.
  bool isRankToRank = false;
  /// Counts of as many iterations as fit; if there are none, the reason.
  std::vector<Counts> counts;
  std::string whyNoCounts;
};

/// A change of circuits.
struct ReportedCircuits {
  /// The index of the task that changes them.
  size_t task = 0;
  /// True if the circuits are planned at run time; `regions` then has the
  /// expected ones.
  bool isExpected = false;
  /// The circuits after the change, between the servers of each region; one
  /// matrix if all regions are equal.
  std::vector<cost::Matrix<double>> regions;
};

/// Limits on the rows that each rank sends in some layers.
struct ReportedLimits {
  /// Layers with the same limits.
  std::vector<std::string> layers;
  /// Number of assignments per rank.
  int64_t copies = 0;
  /// One row per rank, or one for all; one column per rank, or per expert.
  cost::Matrix<double> limits;
};

struct ReportedProgram {
  std::string file;
  int64_t numTasks = 0, numExtrapolated = 0, numCircuitChanges = 0;
  double makespanUs = 0, lowerBoundUs = 0, longestChainUs = 0;
  int64_t peakBytes = 0;
  /// Maximum rows in the buffers of a ragged exchange, relative to the rows
  /// that each rank sends.
  double rowRoom = 1;
  std::vector<ReportedStream> streams;
  std::vector<ReportedExchange> exchanges;
  std::vector<ReportedKind> kinds;
  std::vector<ReportedTask> tasks;
  /// In task order; omits changes without known or expected circuits.
  std::vector<ReportedCircuits> circuits;
  std::vector<ReportedLimits> limits;
  /// Tasks from the start to the makespan, each of which starts when the
  /// previous one ends.
  std::vector<size_t> criticalPath;
  std::vector<BytesFrom> bytesOverTime;
  std::optional<ReportedSpread> overTrace;
  /// Model work per run, if the program states it.
  std::optional<ModelWork> work;
  /// The step that a run is part of, with one run per micro-batch.
  std::optional<ReportedStages> stages;
  std::optional<ReportedOrders> orders;
  /// Present if a network model timed the exchanges.
  std::optional<ReportedNetwork> network;

  /// Returns the tokens of the batch over the makespan, or of all micro-batches
  /// over the step. Nullopt for a program that states no work or takes no time.
  std::optional<double> getTokensPerSecond() const;
  /// Returns the model FLOPs over (the same time x ranks x peak), as a
  /// fraction. Nullopt if one of them is unknown.
  std::optional<double>
  getUtilisation(int64_t ranks, const platform::Platform &platform) const;
  /// Describes the parts of a training job that the prediction leaves out, with
  /// their times if the platform has them; `moe-plan step` predicts them. Empty
  /// for a program without stated work, because it has no rates to compare.
  std::string describeLeftOut(const platform::Platform &platform) const;

private:
  /// Returns the time of a run: with several micro-batches, its share of the
  /// step.
  double getRunUs() const;
};

/// A remark of a pass: its choice and the reason, or why it changed nothing.
struct ReportedChoice {
  /// The category of the remark, for example "moe-select-strategy".
  std::string pass;
  /// The function of the remark, if it names one. Only set in remarks that were
  /// just read, because reports do not store it.
  std::string function;
  /// True if the pass left something unchanged.
  bool isMissed = false;
  std::string text;
  /// Its numbers by name, as text.
  std::vector<std::pair<std::string, std::string>> metrics;
  /// Nullopt for a remark that is not about a choice.
  std::optional<Decision> decision;

  /// Returns the layers, with the direction if the remark is about only one;
  /// empty for a remark about the whole program.
  llvm::ArrayRef<DecidedLayer> getLayers() const {
    return decision ? llvm::ArrayRef(decision->layers)
                    : llvm::ArrayRef<DecidedLayer>();
  }

  /// Adds an argument of the remark. Fails if it is a malformed decision; the
  /// failure contains `name` as the location.
  std::optional<cost::Failure> addArgument(llvm::StringRef key,
                                           std::string value,
                                           const std::string &name);
};

/// The output of `moe-sim`.
struct PredictionReport {
  platform::Platform platform;
  int64_t ranks = 0;
  ReportedProgram program;
  std::vector<ReportedProgram> baselines;
  /// Measured run, from the slowest rank.
  std::optional<ReportedProgram> measured;
  std::optional<ReportedTraffic> traffic;
  /// Remarks of the passes that compiled the program.
  std::vector<ReportedChoice> choices;
};

/// Reads remarks that moe-opt wrote with --remark-format=yaml. The failure
/// contains `name`.
cost::Result<std::vector<ReportedChoice>> readChoices(llvm::StringRef yaml,
                                                      const std::string &name);

/// Fails if the remarks belong to another program: they name layers that it
/// does not have, or only functions that it does not have. `name` is their
/// file.
std::optional<cost::Failure>
checkChoices(llvm::ArrayRef<ReportedChoice> choices,
             const Prediction &prediction, const std::string &name);

/// Returns the reason why a program that takes `us` on its own platform does
/// not seem to have the plan in the remarks, or an empty string if it may have
/// it.
std::string findOtherPlan(llvm::ArrayRef<ReportedChoice> choices, double us);

/// Reads a timeline that moe-run wrote with --trace. Returns the rank that ends
/// last, with times relative to the first event of any rank. It has no bound,
/// no critical path and no memory. The failure contains `name` as the location.
cost::Result<ReportedProgram> readMeasured(llvm::StringRef json,
                                           const std::string &name);

/// Builds the report of a prediction and its baselines.
PredictionReport makeReport(const Prediction &prediction,
                            llvm::ArrayRef<Prediction> baselines,
                            const platform::Platform &platform);

/// Prints a table for people: totals, and the busy time of each stream with a
/// bar.
void printTable(llvm::raw_ostream &os, const PredictionReport &report);

/// Returns the report with all tasks as JSON, with units in the keys. The text
/// contains no '<', so that it can be embedded in a page.
std::string formatJSON(const PredictionReport &report);

/// Parses the output of `formatJSON`. The failure contains `name` as the
/// location.
cost::Result<PredictionReport> readReport(llvm::StringRef json,
                                          const std::string &name);

} // namespace moe

#endif // MOE_COMPILER_PREDICTIONREPORT_H
