// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of platform descriptions from files.

#ifndef MOE_LIB_PLATFORM_LOADPARTS_H
#define MOE_LIB_PLATFORM_LOADPARTS_H

#include "moe/Platform/Rates.h"
#include "moe/Support/ObjectReader.h"

namespace moe::platform {

/// More ranks than any machine has, few enough that counts never overflow.
constexpr int64_t kMaxRanks = int64_t(1) << 24;

/// Where something is from; empty where nobody says.
std::string readOrigin(support::ObjectReader &reader, std::string_view key);

/// [[bytes, ratio], ...]; none without the key.
std::optional<cost::EfficiencyCurve> readCurve(support::ObjectReader &reader,
                                               std::string_view key);

/// An entry of "levels".
cost::Level readLevel(support::ObjectReader &reader);

/// The keys of what was measured of kernels, dispatchers and hosts.
MeasuredRates readRates(support::ObjectReader &reader);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_LOADPARTS_H
