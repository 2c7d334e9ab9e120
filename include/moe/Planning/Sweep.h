// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a job that fit, ranked.

#ifndef MOE_PLANNING_SWEEP_H
#define MOE_PLANNING_SWEEP_H

#include "moe/Planning/StepChoice.h"
#include "moe/Planning/SweepTimes.h"
#include "moe/Planning/TrainingInput.h"

namespace moe::planning {

struct SweepInput : TimedTrainingInput {
  SweepInput() : TimedTrainingInput(Of::Sweep) {}

  FlagsOption flags{table};
  FlagOption compiled{table, "compiled",
                      "Time the fastest programs that moe-opt compiles for "
                      "each layout, instead "
                      "of the job as its framework runs it (moe-plan step)"};
  TextOption schedule{
      table, "schedule",
      "With --compiled: schedule of the training step, as in moe-opt "
      "--moe-compile (default: layers)",
      "WORD", "layers"};
  IntegerOption rows{table,
                     "rows",
                     "Largest number of layouts in the table (default: 20)",
                     {.unit = "layouts"}};
};

/// A layout's program as it was compiled.
struct CompiledLayout {
  /// What of the step is in no program: what is computed again, weights that
  /// are gathered, the output layer, and how much longer gradients are summed
  /// than 16-bit ones by all ranks.
  double leftOutUs = 0;
  /// As `StepTimes` has them, of the longest piece.
  std::string form = {};
  bool onceANode = false;
  /// Sums of gradients hide behind the backward pass, as far as they do.
  bool hidesSums = false;
};

/// A layout with its step.
struct RankedLayout {
  SweepLayout layout;
  double stepUs = 0, tokensPerSecond = 0;
  std::optional<double> utilisation;
  /// No other takes as little memory and is as fast.
  bool isPareto = false;
  std::string why;
  /// The step as the framework runs it, with the dispatchers and overlaps that
  /// were weighed; or else the program.
  std::optional<StepChoice> choice;
  std::optional<CompiledLayout> compiled;
};

/// The layouts in the fastest programs that our compiler makes; `isPareto` is
/// not set. A step has all micro-batches, with what is computed again,
/// the stages' bubble, weights that are gathered, and the output layer. Fails
/// if one cannot be compiled or timed. Shows progress.
Result<std::vector<RankedLayout>>
rankPrograms(const SweepQuestion &question, llvm::ArrayRef<SweepLayout> layouts,
             const StepCompilation &compilation,
             const platform::Platform &platform);

struct SweepAnswer {
  static constexpr unsigned kJsonIndent = 2;

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
  bool compiled = false;
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// `moe-plan step` with what all layouts have in common, as a command line.
  std::string stepWords;
  /// How copies of tokens travel, as a command line has it; the file of loads
  /// that commands compile for, the command that makes it, and what was given;
  /// empty where loads are even, or the file is the user's.
  std::string routingWords, traffic, trafficCommand, load;
  /// Rows of the table.
  int64_t rows = 20;
  /// The framework in whose flags layouts are written; none where none is.
  ParallelismPreset flagsOf = ParallelismPreset::None;

  /// The rows of the table.
  llvm::ArrayRef<RankedLayout> getShown() const {
    return llvm::ArrayRef(ranked).take_front(size_t(rows));
  }

  /// The commands that predict a layout alone: `moe-plan step`; or, if programs
  /// were compiled, those that compile it, where stages differ the program of
  /// one with most layers.
  std::string describeCommands(const RankedLayout &entry) const;

  /// The flags that give a job a layout, its exchanges and what overlaps as
  /// they were timed, or why there are none.
  std::string describeFlags(const RankedLayout &entry) const;

  /// What these leave out of the layout's step, in sentences; empty where
  /// moe-sim says the same.
  std::string describeLeftOut(const RankedLayout &entry) const;

  /// Why there is no layout, in one line.
  std::string describeNone() const;
};

Result<SweepAnswer> planSweep(SweepInput &in);

std::string getTitle(const SweepAnswer &answer);
void printJSON(llvm::json::OStream &out, const SweepAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEP_H
