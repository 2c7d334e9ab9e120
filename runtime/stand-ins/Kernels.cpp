// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's device kernels as functions.

// This is the only translation unit of the device kernels. It includes them
// unchanged, with the shim's headers in place of CUDA's.

#include "shim/Device.h"
//
#include "nccl/kernels.cu"
//
#include "Grouped.h"
//
#include "Kernels.h"
#include <cstdint>
#include <tuple>
#include <utility>

using namespace moert::standin;

// Memory for extern __shared__ arrays of kernels, with a margin after it that
// is checked.
thread_local double
    sharedMemory[(kMaxSharedBytes + moert::shim::kSharedMargin) /
                 sizeof(double)];

char *moert::standin::getSharedMemory() {
  return reinterpret_cast<char *>(sharedMemory);
}

template <typename... Parameters, size_t... index>
static void call(void (*kernel)(Parameters...), void *const *parameters,
                 std::index_sequence<index...>) {
  kernel(*static_cast<Parameters *>(parameters[index])...);
}

template <typename... Parameters>
static void call(void (*kernel)(Parameters...), void *const *parameters) {
  call(kernel, parameters, std::index_sequence_for<Parameters...>());
}

template <typename... Parameters>
static std::vector<size_t> getSizes(void (*)(Parameters...)) {
  return {sizeof(Parameters)...};
}

const Kernel *moert::standin::findKernel(const std::string &name) {
  static const Kernel kernels[] = {
#define MOERT_KERNEL_NAME(name)                                                \
  {#name, getSizes(name), [](void *const *p) { call(name, p); }},
#include "kernel_names.inc"
  };
  for (const Kernel &kernel : kernels)
    if (name == kernel.name)
      return &kernel;
  return nullptr;
}
