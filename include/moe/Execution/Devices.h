// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices that programs control.

#ifndef MOE_EXECUTION_DEVICES_H
#define MOE_EXECUTION_DEVICES_H

#include "moe/Execution/Job.h"
#include "moe/Execution/Programs.h"

namespace moe::run {

/// Connections to devices of an optional component that the programs know by
/// name. They must outlive the jobs they are attached to.
class Devices {
public:
  virtual ~Devices() = default;

  /// Connects to the devices that `rank` controls in either program, or with no
  /// rank to the devices of all ranks.
  virtual std::optional<cost::Failure> open(const Programs &programs,
                                            std::optional<int32_t> rank) = 0;
  /// Lets the programs of a rank find them.
  virtual std::optional<cost::Failure> attach(Job &job) const = 0;
};

} // namespace moe::run

#endif // MOE_EXECUTION_DEVICES_H
