// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of the peak GEMMs reach.

#ifndef MOE_PLATFORM_GEMMSHARE_H
#define MOE_PLATFORM_GEMMSHARE_H

#include "moe/Platform/Load.h"

namespace moe::platform {

/// The rate that large GEMMs are timed at over the peak that utilisation is
/// measured against, a fraction; none where no GEMM is timed.
inline std::optional<double> getGemmShare(const Platform &platform) {
  std::optional<cost::Stated<double>> peak = platform.getPeakTflops();
  if (!peak || !platform.machine.gemm)
    return std::nullopt;
  return 2e-6 / platform.machine.gemm->beta.value() / peak->value;
}

} // namespace moe::platform

#endif // MOE_PLATFORM_GEMMSHARE_H
