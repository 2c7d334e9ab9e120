// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's device kernels, as functions.

#ifndef MOERT_STANDINS_KERNELS_H
#define MOERT_STANDINS_KERNELS_H

#include <cstddef>
#include <string>
#include <vector>

namespace moert::standin {

/// A kernel of kernels.cu, compiled for the CPU.
struct Kernel {
  const char *name;
  /// Of each parameter, in bytes.
  std::vector<size_t> sizes;
  /// Runs one thread of it: the one that shim::place says.
  void (*run)(void *const *parameters);
};

/// Null when kernels.cu has no kernel of that name.
const Kernel *findKernel(const std::string &name);

/// The most shared memory that a block can ask for: that of sm_90.
constexpr size_t kMaxSharedBytes = 227 << 10;
/// That of the calling thread.
char *getSharedMemory();

} // namespace moert::standin

#endif // MOERT_STANDINS_KERNELS_H
