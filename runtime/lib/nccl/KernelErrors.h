// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What device kernels found wrong.

#ifndef MOERT_NCCL_KERNELERRORS_H
#define MOERT_NCCL_KERNELERRORS_H

#include "nccl/KernelArgs.h"
#include <string>

namespace moert::cuda {

/// An error that a kernel on a device reported, in the words that the kernel of
/// the CPU backends has for it.
std::string describe(const Error &error);

} // namespace moert::cuda

#endif // MOERT_NCCL_KERNELERRORS_H
