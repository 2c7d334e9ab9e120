// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists a machine's parameters with their origins.

#ifndef MOE_PLATFORM_MACHINEPARAMETERS_H
#define MOE_PLATFORM_MACHINEPARAMETERS_H

#include "moe/Cost/Machine.h"

namespace moe::platform {

/// Returns every machine parameter that predicted communication times depend
/// on: its name, its value with unit, and its origin.
std::vector<std::vector<std::string>>
listParameters(const cost::Machine &machine);

/// Like `listParameters`, with the GEMM times for answers about whole layers.
std::vector<std::vector<std::string>>
listLayerParameters(const cost::Machine &machine);

/// Returns "the platform's uncertainty of 2.4 %", for messages about choices.
std::string describeUncertainty(const cost::Machine &machine);

} // namespace moe::platform

#endif // MOE_PLATFORM_MACHINEPARAMETERS_H
