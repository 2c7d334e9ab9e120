// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fraction of the peak that GEMMs reach.

#ifndef MOE_PLATFORM_GEMMSHARE_H
#define MOE_PLATFORM_GEMMSHARE_H

#include "moe/Platform/Load.h"

namespace moe::platform {

/// Returns the rate of large GEMMs as a fraction of the peak used for
/// utilization. Returns nothing if the platform has no GEMM line or no peak.
inline std::optional<double> getGemmShare(const Platform &platform) {
  std::optional<cost::Stated<double>> peak = platform.getPeakTflops();
  if (!peak || !platform.machine.gemm)
    return std::nullopt;
  return 2e-6 / platform.machine.gemm->beta.value() / peak->value;
}

} // namespace moe::platform

#endif // MOE_PLATFORM_GEMMSHARE_H
