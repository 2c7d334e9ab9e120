// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The uncertainty of fitted lines.

#ifndef MOE_LIB_PLATFORM_FITUNCERTAINTY_H
#define MOE_LIB_PLATFORM_FITUNCERTAINTY_H

#include "moe/Platform/Fit.h"

namespace moe::platform {

/// Returns "all_to_all of 8 ranks at level 'nvswitch'".
std::string describe(const FitReport &report);

/// Sets the machine's uncertainty to the typical error of the worst fitted
/// line, unless the machine has a greater one that no fitted line replaces.
void setUncertainty(cost::Machine &machine, FitResult &result);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_FITUNCERTAINTY_H
