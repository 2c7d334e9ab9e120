// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of a job that fit, ranked.

#ifndef MOE_PLANNING_SWEEP_H
#define MOE_PLANNING_SWEEP_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/RecomputeOptions.h"
#include "moe/Planning/StateOptions.h"
#include "moe/Planning/SweepTimes.h"

namespace moe::planning {

struct SweepInput : Input {
  ConfigJob job{table,
                {JobOptions::Missing::One, JobOptions::Missing::Command}};
  MachineOptions platform{table};
  SweepLoadOptions load{table};
  IntegerOption ranks{table,
                      "ranks",
                      "Ranks of the job (default: the platform's)",
                      {.unit = "ranks"}};
  NumberOption memoryGB{
      table,
      "memory-gb",
      "Memory per rank in GB, 1e9 bytes (default: the platform's)",
      {.unit = "GB"}};
  IntegerOption microBatches{table,
                             "num-micro-batches",
                             "Micro-batches per step (default: 1)",
                             {.unit = "micro-batches"}};
  IntegerOption globalBatch{
      table,
      "global-batch",
      "Sequences per step over all ranks, instead of --num-micro-batches; each "
      "layout splits them into micro-batches",
      {.unit = "sequences"}};
  IntegerOption virtualStages{
      table,
      "virtual-stages",
      "Virtual stages (parts of the model) per stage, for layouts with several "
      "pipeline stages (default: 1)",
      {.unit = "virtual stages"}};
  IntegerOption zero{table,
                     "zero",
                     "ZeRO stage, 0 to 3 (default: 1; 0 with "
                     "--parallelism=deepspeed, 3 with torchtitan)",
                     {0, 3}};
  StateOptions state{table};
  FlagsOption flags{table};
  TextOption recompute{
      table, "recompute",
      "Activations that the backward pass recomputes: none; selective, "
      "parts of layers (--recompute-modules); full, whole layers; auto, "
      "the "
      "first of these that fits (default)",
      "WHAT", "auto"};
  RecomputeModulesOption recomputeModules{table};
  TextOption schedule{
      table, "schedule",
      "Schedule of the training step, as in moe-opt --moe-compile "
      "(default: layers)",
      "WORD", "layers"};
  IntegerOption layers{table,
                       "layers",
                       "Use only the first N MoE layers (default: all)",
                       {.unit = "layers"}};
  IntegerOption rows{table,
                     "rows",
                     "Largest number of layouts in the table (default: 20)",
                     {.unit = "layouts"}};
};

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

/// "none", "selective" or "full".
llvm::StringRef getRecomputeName(schedule::Recompute recompute);

std::string getTitle(const SweepAnswer &answer);
void printJSON(llvm::json::OStream &out, const SweepAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_SWEEP_H
