// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that stand for a GPU's.

#ifndef MOE_EXECUTION_STANDINS_H
#define MOE_EXECUTION_STANDINS_H

#include "moe/Cost/Result.h"
#include <string>

namespace moe {

/// The folder with the stand-ins for the CUDA driver, NCCL and cuBLAS: beside
/// this program in a build, or where it was installed. Fails, naming what is
/// missing and where it was looked for, when there is none with all three.
cost::Result<std::string> findStandIns();

/// Loads them from that folder, for good: whatever looks for these libraries by
/// their names finds the stand-ins from now on. Called before anything did, or
/// it fails and says which library was there first. Gives the folder.
cost::Result<std::string> loadStandIns();

} // namespace moe

#endif // MOE_EXECUTION_STANDINS_H
