// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error messages of device kernels.

#ifndef MOERT_NCCL_KERNELERRORS_H
#define MOERT_NCCL_KERNELERRORS_H

#include "nccl/KernelArgs.h"
#include <string>

namespace moert::cuda {

/// Describes an error with the message of the CPU kernel.
std::string describe(const Error &error);

} // namespace moert::cuda

#endif // MOERT_NCCL_KERNELERRORS_H
