// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes how far a prediction is from the measurements.

#ifndef MOE_COST_EXTRAPOLATION_H
#define MOE_COST_EXTRAPOLATION_H

#include "moe/Cost/Collectives.h"

namespace moe::cost {

/// Describes how a collective with an extrapolated time (`CostBreakdown`)
/// differs from the machine's measurements, so that the user knows which ones
/// to add: for example "groups of 2 ranks, where 8 and 16 were measured", or
/// "1024 bytes, where 8192 to 65536 were measured". An empty `buffer` means
/// that the size is unknown.
std::string describeExtrapolation(const Machine &machine,
                                  const RankGroups &groups, CollectiveKind kind,
                                  std::optional<Bytes> buffer);

} // namespace moe::cost

#endif // MOE_COST_EXTRAPOLATION_H
