// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a job that fit, ranked.

#ifndef MOE_PLANNING_SWEEP_H
#define MOE_PLANNING_SWEEP_H

#include "moe/Planning/JobFlags.h"
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

/// The compiled program of a layout.
struct CompiledLayout {
  /// Time of the step that no program contains: recomputation, gathers of
  /// weights, the output layer, and the additional time of sums of gradients
  /// compared with 16-bit gradients of all ranks.
  double leftOutUs = 0;
  /// The fields of `StepTimes` for the longest piece.
  std::string form = {};
  bool onceANode = false;
  /// True if sums of gradients overlap the backward pass.
  bool hidesSums = false;
};

/// A layout with its step.
struct RankedLayout {
  SweepLayout layout;
  double stepUs = 0, tokensPerSecond = 0;
  std::optional<double> utilisation;
  /// True if no other layout takes as little memory and is as fast.
  bool isPareto = false;
  std::string why;
  /// Either the step as the framework runs it, with the compared dispatchers
  /// and overlaps, or the compiled program.
  std::optional<StepChoice> choice;
  std::optional<CompiledLayout> compiled;
  /// Effects that the framework's predicted step leaves out, one phrase each.
  std::vector<std::string> notModelled = {};
};

/// Ranks the layouts by the fastest programs that our compiler makes; does not
/// set `isPareto`. A step includes all micro-batches, recomputation, the bubble
/// of the stages, gathers of weights, and the output layer. Fails if a layout
/// cannot be compiled or timed. Shows progress.
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
  /// The config of the model, the map of its family (empty if not given), the
  /// value of --platform, and the platform's own name.
  std::string config, configMap, platform, machine;
  std::vector<std::string> ignoredKeys;
  bool ignoresFitted = false;
  /// The rate of large GEMMs relative to the peak, and the peak in TFLOP/s;
  /// nullopt if the platform has no times of GEMMs.
  std::optional<double> gemmShare, peakTflops;
  bool compiled = false;
  ScheduleChoice schedule = ScheduleChoice::Layers;
  /// The command line of `moe-plan step` with the options that all layouts
  /// share.
  std::string stepWords;
  /// The routing options of command lines; the file of loads that commands
  /// compile for, and the command that creates it; the given load. Empty if
  /// loads are even or the file is the user's.
  std::string routingWords, traffic, trafficCommand, load;
  /// Largest number of rows in the table.
  int64_t rows = 20;
  /// The framework for which flags are written, if any.
  ParallelismPreset flagsOf = ParallelismPreset::None;

  /// Returns the layouts in the table.
  llvm::ArrayRef<RankedLayout> getShown() const {
    return llvm::ArrayRef(ranked).take_front(size_t(rows));
  }

  /// Returns the commands that predict a single layout: `moe-plan step`, or the
  /// commands that compile it if programs were compiled. If stages differ,
  /// these compile the program of a stage with the most layers.
  std::string describeCommands(const RankedLayout &entry) const;

  /// Returns the flags that give a job the layout, exchanges and overlap that
  /// were timed, or the reason that there are none.
  JobFlags writeFlags(const RankedLayout &entry) const;

  /// Returns sentences about the parts of the layout's step that the commands
  /// leave out; empty if moe-sim predicts the same step.
  std::string describeLeftOut(const RankedLayout &entry) const;

  /// Returns the reason that there is no layout, in one line.
  std::string describeNone() const;
};

Result<SweepAnswer> planSweep(SweepInput &in);

std::string getTitle(const SweepAnswer &answer);
void printJSON(llvm::json::OStream &out, const SweepAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEP_H
