// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of predictions.
//
// Planners print the entries of this list that concern the given job.
// `moe-plan limits` and docs/concepts/limitations.md show all of them.

#ifndef MOE_PLANNING_NOTMODELLED_H
#define MOE_PLANNING_NOTMODELLED_H

#include "moe/Planning/SweepLayouts.h"
#include "moe/Platform/Load.h"

namespace moe::planning {

/// A job whose time or memory is predicted, with the choices made for it.
struct PredictedJob {
  const SweepQuestion &question;
  const SweepLayout &layout;
  /// The job with its dispatcher and overlap.
  const estimate::Job &job;
  /// Null if no platform was given. A predicted time requires a platform.
  const platform::Platform *platform = nullptr;
  /// The estimate if a time is predicted, otherwise null.
  const estimate::StepEstimate *step = nullptr;
};

/// The predicted quantity that a limit concerns: the time of a step, or memory.
enum class LimitOf : uint8_t { Time, Memory };

/// A setting, part or effect that predictions leave out.
struct Limit {
  LimitOf of;
  /// The jobs concerned as text, for example "--tp > 1, Megatron".
  llvm::StringRef jobs;
  /// The omission and, if known, the direction of the prediction's error.
  llvm::StringRef what;
  bool (*concerns)(const PredictedJob &job);
};

llvm::ArrayRef<Limit> listLimits();

/// Returns one phrase for each limit that concerns a job, in the order of the
/// list, and for each unmodelled setting of its config and its framework's
/// configuration.
std::vector<std::string> listNotModelled(LimitOf of, const PredictedJob &job);

} // namespace moe::planning

#endif // MOE_PLANNING_NOTMODELLED_H
