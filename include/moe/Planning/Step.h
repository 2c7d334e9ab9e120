// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a training step as a job runs it.

#ifndef MOE_PLANNING_STEP_H
#define MOE_PLANNING_STEP_H

#include "moe/Planning/JobFlags.h"
#include "moe/Planning/Measured.h"
#include "moe/Planning/StepChoice.h"
#include "moe/Planning/TrainingInput.h"

namespace moe::planning {

struct StepInput : TimedTrainingInput {
  StepInput() : TimedTrainingInput(Of::Step) {}

  FlagsOption flags{table};
  FlagOption compares{
      table, "compare",
      "Also predict the step with every dispatcher of the platform, with and "
      "without overlap, fastest first"};
  NumberOption measuredMs{
      table,
      "measured-ms",
      "Time of a step of this job as you measured it; also compare the "
      "prediction with it, and with the accuracy for published steps",
      {.unit = "ms"}};
  NumberOption calibration{
      table, "calibration",
      "Also print the predicted step times this factor, for example measured "
      "over predicted of a similar job; all other figures stay as predicted"};
};

struct StepAnswer {
  static constexpr unsigned kJsonIndent = 2;

  SweepQuestion question;
  SweepLayout layout;
  /// The fastest of the dispatchers and overlaps that the options name.
  StepAlternative step;
  /// All that were weighed; with --compare all of the platform. None if there
  /// was no choice.
  std::optional<StepChoice> choice;
  /// Set if the user states it.
  std::optional<MeasuredStep> measured;
  std::optional<double> calibration;
  /// The memory per rank of each pipeline stage, first to last; empty for one
  /// stage.
  std::vector<RankMemory> stages;
  /// Effects that the time and the memory leave out, one phrase each.
  std::vector<std::string> notModelled, notCounted;
  /// The framework of `flags`; `None` without --flags.
  ParallelismPreset flagsOf = ParallelismPreset::None;
  JobFlags flags;

  /// The step's time with the stated calibration.
  double getCalibratedUs() const {
    return step.step->stepUs * calibration.value_or(1);
  }
  /// Returns true if the rank's memory holds the job; nullopt if neither the
  /// platform nor an option states the memory.
  std::optional<bool> fits() const {
    if (!question.memory)
      return std::nullopt;
    return layout.bytes <= *question.memory;
  }
};

/// Fails on a platform without rates, and on jobs that cannot be.
Result<StepAnswer> planStep(StepInput &in);

std::string getTitle(const StepAnswer &answer);
void printJSON(llvm::json::OStream &out, const StepAnswer &answer);

/// Forward and backward microseconds of all parts, or of the experts' parts.
std::pair<double, double> sumParts(const estimate::PartList &parts,
                                   bool ofExperts);

} // namespace moe::planning

#endif // MOE_PLANNING_STEP_H
