// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A machine's numbers, with origins.

#ifndef MOE_PLATFORM_MACHINEPARAMETERS_H
#define MOE_PLATFORM_MACHINEPARAMETERS_H

#include "moe/Cost/Machine.h"

namespace moe::platform {

/// Every number of the machine that an answer about communication depends on:
/// its name, its value with its unit, and where it comes from.
std::vector<std::vector<std::string>>
listParameters(const cost::Machine &machine);

/// The same with times of GEMMs, for answers about whole layers.
std::vector<std::vector<std::string>>
listLayerParameters(const cost::Machine &machine);

/// "the platform's uncertainty of 2.4 %", for what is chosen within it.
std::string describeUncertainty(const cost::Machine &machine);

} // namespace moe::platform

#endif // MOE_PLATFORM_MACHINEPARAMETERS_H
