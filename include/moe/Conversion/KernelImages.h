// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of kernels in a compiled program.

#ifndef MOE_CONVERSION_KERNELIMAGES_H
#define MOE_CONVERSION_KERNELIMAGES_H

#include "llvm/ADT/StringRef.h"

namespace moe {

/// Name of the global with the kernels of a program of target `nccl`, as
/// zero-terminated PTX.
inline constexpr llvm::StringLiteral kKernelImageName = "moert_kernels";

} // namespace moe

#endif // MOE_CONVERSION_KERNELIMAGES_H
