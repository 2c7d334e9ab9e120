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

Status KernelImages::load(const void *data, size_t bytes, Image *&image) {
  image = &images[data];
  if (image->module)
    return {};
  // The driver reads PTX up to its zero; other images have many.
  if (!std::memchr(data, 0, bytes))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected an image with a zero at its end, got none in %zu "
                 "bytes",
                 bytes);
  cuda::Result result = driver.ModuleLoadData(&image->module, data);
  if (result == cuda::kSuccess)
    return {};
  image->module = nullptr;
  return error(MOERT_UNAVAILABLE, "its image of %zu bytes cannot be loaded: %s",
               bytes, driver.describe(result).c_str());
}

Status KernelImages::load(const void *data, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  Image *image = nullptr;
  Status status = load(data, bytes, image);
  if (status.ok())
    return status;
  return Status(status.getCode(),
                "kernels of the program: " + status.getMessage());
}

Status KernelImages::find(const moert_kernel_args &kernel,
                          cuda::Function &function) {
  std::lock_guard<std::mutex> lock(mutex);
  Image *loaded = nullptr;
  if (Status status =
          load(kernel.image, static_cast<size_t>(kernel.image_bytes), loaded);
      !status.ok())
    return error(status.getCode(), "kernel '%s': %s", kernel.name,
                 status.getMessage().c_str());
  Image &image = *loaded;
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
