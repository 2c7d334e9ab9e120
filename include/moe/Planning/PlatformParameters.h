// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platform parameters in answers.

#ifndef MOE_PLANNING_PLATFORMPARAMETERS_H
#define MOE_PLANNING_PLATFORMPARAMETERS_H

#include "moe/Platform/Load.h"
#include "moe/Platform/MachineParameters.h"
#include <string>
#include <vector>

namespace moe::planning {

/// The parameters that an answer depends on, and their platform.
struct PlatformParameters {
  std::string machine, file;
  /// Name, value with its unit, and origin.
  std::vector<std::vector<std::string>> rows;

  PlatformParameters() = default;
  PlatformParameters(const platform::Platform &platform,
                     std::vector<std::vector<std::string>> rows)
      : machine(platform.machine.name), file(platform.file),
        rows(std::move(rows)) {}
};

} // namespace moe::planning

#endif // MOE_PLANNING_PLATFORMPARAMETERS_H
