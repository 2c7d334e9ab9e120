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
  /// None if the job cannot have it, for the reason `whyNot`.
  std::optional<estimate::StepEstimate> step;
  std::string whyNot;

  /// "deepep with 1f1b".
  std::string describe() const;
};

/// What was weighed for a job, and the reason.
struct StepChoice {
  /// Fastest first, then those that the job cannot have.
  std::vector<StepAlternative> alternatives;
  std::string why;
  /// What would make another one as fast, a sentence each.
  std::vector<std::string> wouldChange;

  const StepAlternative &getBest() const { return alternatives.front(); }
};

/// Why the job's framework rejects an overlap; empty if it takes it.
std::string refuseOverlap(const estimate::Job &job, estimate::Overlap overlap);

/// Predicts a job with each dispatcher and overlap. If it can have none, the
/// first has no step. With `obeysFramework`, a job cannot have an overlap that
/// its framework rejects.
std::vector<StepAlternative>
listAlternatives(const estimate::Job &job, const platform::Platform &platform,
                 llvm::ArrayRef<std::string> dispatchers,
                 llvm::ArrayRef<estimate::Overlap> overlaps,
                 bool obeysFramework);

/// The same, with the reason. At least one must be possible.
StepChoice explainChoice(const estimate::Job &job,
                         const platform::Platform &platform,
                         std::vector<StepAlternative> alternatives);

/// The fields of a predicted step in JSON, members of an open object.
void printStepFields(llvm::json::OStream &out, const StepAlternative &step);
/// How the busiest stage spends a step, and what is not modelled.
void printStepParts(llvm::json::OStream &out,
                    const estimate::StepEstimate &step);
/// The alternatives, and what would change the choice.
void printAlternatives(llvm::json::OStream &out, const StepChoice &choice);

} // namespace moe::planning

#endif // MOE_PLANNING_STEPCHOICE_H
