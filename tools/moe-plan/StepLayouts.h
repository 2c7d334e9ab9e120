// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of a job with other dispatchers, overlaps and layouts.

#ifndef MOE_TOOLS_MOE_PLAN_STEPLAYOUTS_H
#define MOE_TOOLS_MOE_PLAN_STEPLAYOUTS_H

#include "Command.h"
#include "SweepLayouts.h"
#include "moe/Estimate/Step.h"

namespace moe::plan {

/// The job with another dispatcher or overlap.
struct StepAlternative {
  std::string dispatcher;
  estimate::Overlap overlap = estimate::Overlap::None;
  /// None if the job cannot have it, for the reason `whyNot`.
  std::optional<double> stepUs;
  /// Exchanges with experts that computing does not hide, of the busiest stage.
  double exchangeUs = 0, tokensPerSecond = 0;
  std::optional<double> utilisation;
  std::string whyNot;
};

/// All dispatchers with and without overlap, fastest first, then those that the
/// job cannot have.
std::vector<StepAlternative>
listAlternatives(const estimate::Job &job, const platform::Platform &platform);

llvm::StringRef getOverlapName(estimate::Overlap overlap);

void printAlternatives(llvm::json::OStream &out,
                       llvm::ArrayRef<StepAlternative> alternatives);
void printAlternatives(llvm::raw_ostream &os,
                       llvm::ArrayRef<StepAlternative> alternatives);

/// A layout that fits, with its fastest dispatcher and overlap.
struct StepLayout {
  SweepLayout layout;
  StepAlternative best;
};

/// All layouts that fit, fastest first. `job` states all but the layout. Shows
/// progress.
Result<std::vector<StepLayout>>
rankStepLayouts(const estimate::Job &job, const SweepQuestion &question,
                const platform::Platform &platform);

void printStepLayouts(llvm::json::OStream &out,
                      llvm::ArrayRef<StepLayout> layouts, size_t rows);
void printStepLayouts(llvm::raw_ostream &os, llvm::ArrayRef<StepLayout> layouts,
                      size_t rows);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_STEPLAYOUTS_H
