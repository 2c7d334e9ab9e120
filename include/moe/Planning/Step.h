// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a training step as a job runs it.

#ifndef MOE_PLANNING_STEP_H
#define MOE_PLANNING_STEP_H

#include "moe/Planning/StepChoice.h"
#include "moe/Planning/TrainingInput.h"

namespace moe::planning {

struct StepInput : TimedTrainingInput {
  StepInput() : TimedTrainingInput(Of::Step) {}

  TextOption pipelineLayout{
      table, "pipeline-layout",
      "Layers of each part of the model, as Megatron's "
      "--pipeline-model-parallel-layout has them: \"Et|(tt|)*30mL\"",
      "TEXT"};
  FlagOption compares{
      table, "compare",
      "Also predict the step with every dispatcher of the platform, with and "
      "without overlap, fastest first"};
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

  /// Whether the rank's memory holds the job; none if neither the platform nor
  /// an option states it.
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
