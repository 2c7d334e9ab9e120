// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's device kernels as functions.

#ifndef MOERT_STANDINS_KERNELS_H
#define MOERT_STANDINS_KERNELS_H

#include <cstddef>
#include <string>
#include <vector>

namespace moert::standin {

/// A kernel of kernels.cu, compiled for the CPU.
struct Kernel {
  const char *name;
  /// The bytes of each parameter.
  std::vector<size_t> sizes;
  /// Runs the thread of the kernel that shim::place identifies.
  void (*run)(void *const *parameters);
};

/// Returns null if kernels.cu has no kernel with this name.
const Kernel *findKernel(const std::string &name);

/// Maximum shared memory of a block, as on sm_90.
constexpr size_t kMaxSharedBytes = 227 << 10;
char *getSharedMemory();

} // namespace moert::standin

#endif // MOERT_STANDINS_KERNELS_H
