// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predictions as plain numbers.
//
// What moe-sim says of programs. Tables, the JSON of `--json` and the page of
// `--report` are all written from here, and a page is read back into it.

#ifndef MOE_COMPILER_PREDICTIONREPORT_H
#define MOE_COMPILER_PREDICTIONREPORT_H

#include "moe/Compiler/Decision.h"
#include "moe/Compiler/Prediction.h"
#include "moe/Platform/Load.h"

namespace moe {

/// A stream, and how long it runs a task.
struct ReportedStream {
  std::string name, resource;
  double busyUs = 0;
};

/// An exchange that tasks have, each of them once: what one rank sends.
struct ReportedExchange {
  /// What of it crosses a level of the platform.
  struct Level {
    std::string name;
    /// The most that one rank sends or receives, and that the busiest endpoint
    /// does.
    double rankBytes = 0, endpointBytes = 0;
    /// What the endpoint needs for it.
    double us = 0;
    friend bool operator==(const Level &, const Level &) = default;
  };

  std::string kind, axes;
  /// Of all its executions in the task; none where that is not known.
  std::optional<int64_t> bytes;
  /// "exact", "even", "upper" or "per_iteration", see `VolumeBound`.
  std::string bound;
  /// Innermost first; the slowest of them by its place.
  std::vector<Level> levels;
  std::optional<size_t> slowest;
  /// How it is outside of what the platform was measured at; empty inside.
  std::string extrapolation;
  /// What it sends over circuits in bytes, between servers of the mesh, in each
  /// direction.
  std::vector<cost::PairLoad> circuits;
  friend bool operator==(const ReportedExchange &,
                         const ReportedExchange &) = default;
};

/// What tasks that differ in layer and chunk alone share.
struct ReportedKind {
  std::string name, phase;
  size_t stream = 0;
  int64_t chunks = 1;
  /// What the task takes when nothing slows it down; none of what was measured.
  std::optional<double> us;
  /// Places among the exchanges of the program.
  std::vector<size_t> exchanges;
  bool isExtrapolated = false, isRouted = false, isOverCircuits = false;
  friend bool operator==(const ReportedKind &, const ReportedKind &) = default;
};

struct ReportedTask {
  /// Its place among the kinds.
  size_t kind = 0;
  std::string layer;
  int64_t chunk = 0;
  double startUs = 0, endUs = 0;
  /// The tasks whose values or tokens it waits for, by their places.
  std::vector<size_t> after;
};

/// What a program takes over the steps of a trace.
struct ReportedSpread {
  std::string file;
  int64_t steps = 0;
  double meanUs = 0, p95Us = 0, worstUs = 0;
  int64_t worstStep = 0;
};

/// A step of pipeline stages, of which the program is one.
struct ReportedStages {
  int64_t stages = 1, virtualStages = 1, microBatches = 1;
  /// "1f1b" or "gpipe".
  std::string order;
  bool waitsForSends = false;
  /// Of a micro-batch on a stage, and to the next one; sums of gradients behind
  /// the last pass.
  double forwardUs = 0, backwardUs = 0, sendUs = 0, gradientsUs = 0;
  double stepUs = 0, bubbleUs = 0;
  double heldMicroBatches = 0;
};

/// What other orders of a program's tasks on their streams would take.
struct ReportedOrders {
  /// The best that was found, and what none beats.
  double bestUs = 0, boundUs = 0;
  /// They are the same.
  bool isExact = false;
};

/// The record `fabric` of a program.
struct ReportedNetwork {
  std::shared_ptr<NetworkSection> section;
};

/// Whole numbers or shares, row by row.
using ReportedMatrix = std::vector<std::vector<double>>;

/// The traffic that programs meet, and what of them depends on it.
struct ReportedTraffic {
  /// What the gate of a layer sent at a step of the file.
  struct Counts {
    int64_t step = 0;
    std::string layer;
    ReportedMatrix rows;
  };

  std::string file;
  int64_t steps = 0;
  /// One step of it; none for all together.
  std::optional<int64_t> step;
  std::vector<std::string> layers, paddedLayers;
  /// Columns of counts are ranks, not experts.
  bool isRankToRank = false;
  /// Of steps that there is room for; why of none, else.
  std::vector<Counts> counts;
  std::string whyNoCounts;
};

/// A change of circuits.
struct ReportedCircuits {
  /// The place of the task that changes them.
  size_t task = 0;
  /// Planned when the program runs: these are expected then.
  bool isExpected = false;
  /// From its end on, between the servers of each region; one matrix where all
  /// regions have the same.
  std::vector<ReportedMatrix> regions;
};

/// What each rank of layers sends at most.
struct ReportedLimits {
  /// Layers that have the same.
  std::vector<std::string> layers;
  /// Copies of tokens that a rank has.
  int64_t copies = 0;
  /// A row a rank, or one for all; a column a rank, or an expert.
  ReportedMatrix limits;
};

/// One program.
struct ReportedProgram {
  std::string file;
  int64_t numTasks = 0, numExtrapolated = 0, numCircuitChanges = 0;
  double makespanUs = 0, lowerBoundUs = 0, longestChainUs = 0;
  int64_t peakBytes = 0;
  /// The most rows that a ragged exchange has room for, over those a rank sends.
  double rowRoom = 1;
  std::vector<ReportedStream> streams;
  std::vector<ReportedExchange> exchanges;
  std::vector<ReportedKind> kinds;
  std::vector<ReportedTask> tasks;
  /// In the order of the tasks; without such that nobody expects anything of.
  std::vector<ReportedCircuits> circuits;
  std::vector<ReportedLimits> limits;
  /// Tasks of which each starts as the one before it ends, from the start to
  /// the makespan.
  std::vector<size_t> criticalPath;
  std::vector<BytesFrom> bytesOverTime;
  std::optional<ReportedSpread> overTrace;
  /// What a run does of its model, where the program states it.
  std::optional<ModelWork> work;
  /// The step that a run is part of: as many runs as micro-batches.
  std::optional<ReportedStages> stages;
  std::optional<ReportedOrders> orders;
  /// If a model of the network priced its exchanges.
  std::optional<ReportedNetwork> network;

  /// Tokens of the batch over the makespan, or of all micro-batches over the
  /// step; none of a program that states no work or takes no time.
  std::optional<double> getTokensPerSecond() const;
  /// Model FLOPs over the same time x ranks x peak, a fraction; none where one
  /// of them is unknown.
  std::optional<double>
  getUtilisation(int64_t ranks, const platform::Platform &platform) const;
  /// What a training job takes in addition to it, and how long where the
  /// platform states it, in words; `moe-plan step` predicts it. Empty for a
  /// program that states no work, which has no rates to compare.
  std::string describeLeftOut(const platform::Platform &platform) const;

private:
  /// What a run takes, of several its share of the step.
  double getRunUs() const;
};

/// A remark of a pass: what it chose and why, or why it changed nothing.
struct ReportedChoice {
  /// The category of the remark, "moe-select-strategy".
  std::string pass;
  /// The function that the remark is about, if it names one. Only of remarks
  /// that were just read.
  std::string function;
  /// The pass has left something as it is.
  bool isMissed = false;
  std::string text;
  /// Its numbers by name, as they are written.
  std::vector<std::pair<std::string, std::string>> metrics;
  /// None for a remark about something else than a choice.
  std::optional<Decision> decision;

  /// The layers, with the direction if only that is meant; none for a remark
  /// about the whole program.
  llvm::ArrayRef<std::string> getLayers() const {
    return decision ? llvm::ArrayRef(decision->layers)
                    : llvm::ArrayRef<std::string>();
  }

  /// Adds an argument of the remark. Fails if it is a decision that cannot be
  /// read; the failure names the place in `name`.
  std::optional<cost::Failure> addArgument(llvm::StringRef key,
                                           std::string value,
                                           const std::string &name);
};

/// What `moe-sim` says.
struct PredictionReport {
  platform::Platform platform;
  int64_t ranks = 0;
  ReportedProgram program;
  std::vector<ReportedProgram> baselines;
  /// What a run took, of its slowest rank.
  std::optional<ReportedProgram> measured;
  std::optional<ReportedTraffic> traffic;
  /// What passes said when they compiled the program.
  std::vector<ReportedChoice> choices;
};

/// Reads remarks as moe-opt writes them with --remark-format=yaml. The failure
/// names `name`.
cost::Result<std::vector<ReportedChoice>> readChoices(llvm::StringRef yaml,
                                                      const std::string &name);

/// Fails if the remarks are of another program: about layers that it does not
/// have, or only about functions that it does not have. `name` is their file.
std::optional<cost::Failure>
checkChoices(llvm::ArrayRef<ReportedChoice> choices,
             const Prediction &prediction, const std::string &name);

/// Why a program that takes `us` on its own platform does not seem to have the
/// plan that the remarks report; empty if it may have it.
std::string findOtherPlan(llvm::ArrayRef<ReportedChoice> choices, double us);

/// Reads a timeline that moe-run has written with --trace: of the rank that
/// ends last, from the start of the first event of any. It has no bound, no
/// critical path, and no memory. The failure names the place in `name`.
cost::Result<ReportedProgram> readMeasured(llvm::StringRef json,
                                           const std::string &name);

/// The report of a prediction and those it is compared with.
PredictionReport makeReport(const Prediction &prediction,
                            llvm::ArrayRef<Prediction> baselines,
                            const platform::Platform &platform);

/// A table to read: totals, and per stream its busy time and a bar.
void printTable(llvm::raw_ostream &os, const PredictionReport &report);

/// The same and all tasks as JSON, units in the keys; no '<' in it, so that it
/// can stand in a page as it is.
std::string formatJSON(const PredictionReport &report);

/// Reads that. The failure names the place in `name`.
cost::Result<PredictionReport> readReport(llvm::StringRef json,
                                          const std::string &name);

} // namespace moe

#endif // MOE_COMPILER_PREDICTIONREPORT_H
