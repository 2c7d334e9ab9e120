// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout in the flags of a framework.

#ifndef MOE_PLANNING_JOBFLAGS_H
#define MOE_PLANNING_JOBFLAGS_H

#include "moe/Options/FrameworkFlags.h"
#include "moe/Planning/SweepLayouts.h"

namespace moe::planning {

/// Returns the job of a layout with an all-to-all and without overlap.
FrameworkJob getFrameworkJob(const SweepQuestion &question,
                             const SweepLayout &layout);

/// Returns the job of a layout with a dispatcher and the overlap of the layout.
/// Its flags include the assumptions of the predicted time.
FrameworkJob getTimedFrameworkJob(const SweepQuestion &question,
                                  const SweepLayout &layout,
                                  llvm::StringRef dispatcher);

/// The flags of a job, and the framework with the first release that has all of
/// them.
struct JobFlags {
  /// "none: ..." if the framework has no such layout.
  std::string flags;
  std::string framework;
};
JobFlags writeJobFlags(ParallelismPreset framework, const ModelConfig &config,
                       const FrameworkJob &job);

} // namespace moe::planning

#endif // MOE_PLANNING_JOBFLAGS_H
