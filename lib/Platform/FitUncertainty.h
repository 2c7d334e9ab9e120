// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lines are off by.

#ifndef MOE_LIB_PLATFORM_FITUNCERTAINTY_H
#define MOE_LIB_PLATFORM_FITUNCERTAINTY_H

#include "moe/Platform/Fit.h"

namespace moe::platform {

/// "all_to_all of 8 ranks at level 'nvswitch'".
std::string describe(const FitReport &report);

/// What predictions are off by as the lines are that were fitted, where the
/// machine does not say more of lines that stay.
void setUncertainty(cost::Machine &machine, FitResult &result);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_FITUNCERTAINTY_H
