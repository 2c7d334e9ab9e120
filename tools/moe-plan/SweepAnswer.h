// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan sweep prints.

#ifndef MOE_TOOLS_MOE_PLAN_SWEEPANSWER_H
#define MOE_TOOLS_MOE_PLAN_SWEEPANSWER_H

#include "Command.h"
#include "SweepTimes.h"

namespace moe::plan {

/// A layout with its step.
struct RankedLayout {
  SweepLayout layout;
  /// Of all micro-batches, with what is computed again, the stages' bubble,
  /// weights that are gathered, and the output layer.
  double stepUs;
  double tokensPerSecond;
  /// What of the step is in no program: what is computed again, weights that
  /// are gathered, the output layer, and how much longer gradients are summed
  /// than 16-bit ones by all ranks.
  double leftOutUs = 0;
  std::optional<double> utilisation;
  /// No other takes as little memory and is as fast.
  bool isPareto = false;
  std::string why;
  /// As `StepTimes` has them, of the longest piece.
  std::string form = {};
  bool onceANode = false;
  /// Sums of gradients hide behind the backward pass, as far as they do.
  bool hidesSums = false;
};

/// A layout's step from the times of its pieces; `isPareto` is not set. Fails
/// where weights that are gathered cannot be timed.
Result<RankedLayout> rankLayout(const SweepQuestion &question,
                                const SweepLayout &layout,
                                const LayoutTimes &times,
                                const platform::Platform &platform);

struct SweepAnswer {
  SweepQuestion question;
  SweepLayouts found;
  /// The fastest first.
  std::vector<RankedLayout> ranked;
  /// The files of the model and of its family, the latter empty where none is
  /// given, the platform as the options name it, and its own name.
  std::string config, configMap, platform, machine;
  std::vector<std::string> ignoredKeys;
  bool ignoresFitted = false;
  /// The rate of large GEMMs over the peak, and the peak in TFLOP/s; none where
  /// the platform times none.
  std::optional<double> gemmShare, peakTflops;
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// How copies of tokens travel, as a command line has it; the file of loads
  /// that commands compile for, the command that makes it, and what was given;
  /// empty where loads are even, or the file is the user's.
  std::string routingWords, traffic, trafficCommand, load;
  /// Rows of the table.
  int64_t rows = 20;
  /// The framework in whose flags layouts are written; none where none is.
  ParallelismPreset flagsOf = ParallelismPreset::None;

  /// The commands that compile a layout alone; where stages differ, the program
  /// of one with most layers.
  std::string describeCommands(const SweepLayout &layout) const;

  /// The flags that give a job a layout, its exchanges and what overlaps as they
  /// were timed, or why there are none.
  std::string describeFlags(const RankedLayout &entry) const;

  /// What these leave out of the layout's step, in sentences; empty where
  /// moe-sim says the same.
  std::string describeLeftOut(const RankedLayout &entry) const;

  /// Why there is no layout, in one line.
  std::string describeNone() const;
};

/// As members of an object that is open.
void printSweepJSON(llvm::json::OStream &out, const SweepAnswer &answer);

/// The table; behind it come settings, and then what was left out.
void printSweepTable(llvm::raw_ostream &os, const SweepAnswer &answer);
void printSweepLeftOut(llvm::raw_ostream &os, const SweepAnswer &answer);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_SWEEPANSWER_H
