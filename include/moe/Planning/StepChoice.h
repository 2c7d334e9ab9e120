// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher and the overlap of a job, and why.

#ifndef MOE_PLANNING_STEPCHOICE_H
#define MOE_PLANNING_STEPCHOICE_H

#include "moe/Planning/SweepLayouts.h"

namespace moe::planning {

/// A job with one dispatcher and overlap.
struct StepAlternative {
  std::string dispatcher;
  estimate::Overlap overlap = estimate::Overlap::None;
  /// Nullopt if the job cannot have this alternative, for the reason `whyNot`.
  std::optional<estimate::StepEstimate> step;
  std::string whyNot;

  /// Returns, for example, "deepep with 1f1b".
  std::string describe() const;
};

/// The compared alternatives of a job, and the reason for the choice.
struct StepChoice {
  /// Possible alternatives, fastest first, followed by impossible ones.
  std::vector<StepAlternative> alternatives;
  std::string why;
  /// Sentences about changes that would make another alternative as fast.
  std::vector<std::string> wouldChange;

  const StepAlternative &getBest() const { return alternatives.front(); }
};

/// Returns the reason if the job's framework rejects an overlap; otherwise an
/// empty string.
std::string refuseOverlap(const estimate::Job &job, estimate::Overlap overlap);

/// Predicts a job with each dispatcher and overlap. If none is possible, the
/// first has no step. With `obeysFramework`, an overlap that the framework
/// rejects is not possible.
std::vector<StepAlternative>
listAlternatives(const estimate::Job &job, const platform::Platform &platform,
                 llvm::ArrayRef<std::string> dispatchers,
                 llvm::ArrayRef<estimate::Overlap> overlaps,
                 bool obeysFramework);

/// Explains the choice of the fastest alternative. At least one must be
/// possible.
StepChoice explainChoice(const estimate::Job &job,
                         const platform::Platform &platform,
                         std::vector<StepAlternative> alternatives);

/// Prints the fields of a predicted step as members of an open JSON object.
void printStepFields(llvm::json::OStream &out, const StepAlternative &step);
/// Prints the times of the busiest stage and the effects that are not modelled.
void printStepParts(llvm::json::OStream &out,
                    const estimate::StepEstimate &step,
                    llvm::ArrayRef<std::string> notModelled);
/// Prints the alternatives and the changes that would alter the choice.
void printAlternatives(llvm::json::OStream &out, const StepChoice &choice);

} // namespace moe::planning

#endif // MOE_PLANNING_STEPCHOICE_H
