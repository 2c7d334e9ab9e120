// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface for devices that programs control.

#ifndef MOE_EXECUTION_DEVICES_H
#define MOE_EXECUTION_DEVICES_H

#include "moe/Execution/Job.h"
#include "moe/Execution/Programs.h"

namespace moe::run {

/// Connections to devices of an optional component, which programs refer to by
/// name. They must outlive the jobs they are attached to.
class Devices {
public:
  virtual ~Devices() = default;

  /// Connects to the devices that `rank` controls in either program; if `rank`
  /// is nullopt, to the devices of all ranks.
  virtual std::optional<cost::Failure> open(const Programs &programs,
                                            std::optional<int32_t> rank) = 0;
  /// Makes the devices available to the programs of the job's rank.
  virtual std::optional<cost::Failure> attach(Job &job) const = 0;
};

} // namespace moe::run

#endif // MOE_EXECUTION_DEVICES_H
