// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was not measured.

#ifndef MOE_COST_EXTRAPOLATION_H
#define MOE_COST_EXTRAPOLATION_H

#include "moe/Cost/Collectives.h"

namespace moe::cost {

/// How a collective whose time is extrapolated (`CostBreakdown`) is outside of
/// what the machine was measured at, for whoever measures: "groups of 2 ranks,
/// where 8 and 16 were measured", or "1024 bytes, where 8192 to 65536 were
/// measured". Without a buffer its size is not known.
std::string describeExtrapolation(const Machine &machine,
                                  const RankGroups &groups, CollectiveKind kind,
                                  std::optional<Bytes> buffer);

} // namespace moe::cost

#endif // MOE_COST_EXTRAPOLATION_H
