//===- MeasuredPlatform.h - A platform of what was measured -----*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOE_PROFILE_MEASUREDPLATFORM_H
#define MOE_TOOLS_MOE_PROFILE_MEASUREDPLATFORM_H

#include "Measure.h"
#include "moe/Platform/Fit.h"

namespace moe::profile {

/// A level for the ranks of a node and one for all nodes, where there are
/// several ranks of each. A level's curve is that of its all-to-all, each other
/// collective has a line of its own; copies have a curve, GEMMs a line. Every
/// figure's origin begins with "measured". `backend` and `name` stand in the
/// platform; `name` may be empty.
cost::Result<platform::FitResult> makePlatform(const Measurements &measurements,
                                               const std::string &backend,
                                               const std::string &name);

/// "all_to_all of 4 ranks on one node".
std::string describe(const platform::NcclLog &log);

} // namespace moe::profile

#endif // MOE_TOOLS_MOE_PROFILE_MEASUREDPLATFORM_H
