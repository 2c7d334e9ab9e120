// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in a compiled program.

#ifndef MOE_CONVERSION_KERNELIMAGES_H
#define MOE_CONVERSION_KERNELIMAGES_H

#include "llvm/ADT/StringRef.h"

namespace moe {

/// The global of a program of target `nccl` that holds its kernels as PTX, with
/// a zero at the end.
inline constexpr llvm::StringLiteral kKernelImageName = "moert_kernels";

} // namespace moe

#endif // MOE_CONVERSION_KERNELIMAGES_H
