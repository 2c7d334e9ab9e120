//===- KernelImages.cpp - Kernels that come with programs -----------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/KernelImages.h"
#include <cstring>

using namespace moert;
using namespace moert::nccl;

Status KernelImages::find(const moert_kernel_args &kernel,
                          cuda::Function &function) {
  std::lock_guard<std::mutex> lock(mutex);
  Image &image = images[kernel.image];
  if (!image.module) {
    // The driver reads PTX up to its zero; other images have many.
    if (!std::memchr(kernel.image, 0, kernel.image_bytes))
      return error(MOERT_INVALID_ARGUMENT,
                   "kernel '%s': expected an image with a zero at its end, got "
                   "none in %lld bytes",
                   kernel.name, static_cast<long long>(kernel.image_bytes));
    cuda::Result result = driver.ModuleLoadData(&image.module, kernel.image);
    if (result != cuda::kSuccess) {
      image.module = nullptr;
      return error(MOERT_UNAVAILABLE,
                   "kernel '%s': its image of %lld bytes cannot be loaded: %s",
                   kernel.name, static_cast<long long>(kernel.image_bytes),
                   driver.describe(result).c_str());
    }
  }
  auto known = image.functions.find(kernel.name);
  if (known == image.functions.end()) {
    cuda::Function found = nullptr;
    cuda::Result result =
        driver.ModuleGetFunction(&found, image.module, kernel.name);
    if (result != cuda::kSuccess)
      return error(MOERT_UNAVAILABLE,
                   "kernel '%s' cannot be had from its image: %s", kernel.name,
                   driver.describe(result).c_str());
    known = image.functions.emplace(kernel.name, found).first;
  }
  function = known->second;
  return {};
}

Status KernelImages::launch(const moert_kernel_args &kernel,
                            cuda::Stream stream) {
  cuda::Function function = nullptr;
  Status status = find(kernel, function);
  if (!status.ok())
    return status;
  auto narrow = [](int64_t size) { return static_cast<unsigned>(size); };
  return driver.check(
      driver.LaunchKernel(function, narrow(kernel.grid[0]),
                          narrow(kernel.grid[1]), narrow(kernel.grid[2]),
                          narrow(kernel.block[0]), narrow(kernel.block[1]),
                          narrow(kernel.block[2]), narrow(kernel.shared_bytes),
                          stream, kernel.arguments, nullptr),
      kernel.name);
}

void KernelImages::unload() {
  for (auto &[address, image] : images)
    if (image.module)
      driver.ModuleUnload(image.module);
  images.clear();
}
