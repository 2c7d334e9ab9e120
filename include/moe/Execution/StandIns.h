// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU emulation of CUDA and NCCL (stand-ins).

#ifndef MOE_EXECUTION_STANDINS_H
#define MOE_EXECUTION_STANDINS_H

#include "moe/Cost/Result.h"
#include <string>

namespace moe {

/// Returns the folder with the stand-ins for the CUDA driver, NCCL and cuBLAS:
/// next to this program in a build, or in the installation. Fails if no folder
/// has all of them, and names the missing libraries and the searched folders.
cost::Result<std::string> findStandIns();

/// Loads the stand-ins for the lifetime of the process and returns their
/// folder. Later searches for these libraries by name find the stand-ins. Fails
/// and names the library if one of the real libraries has been loaded before.
cost::Result<std::string> loadStandIns();

} // namespace moe

#endif // MOE_EXECUTION_STANDINS_H
