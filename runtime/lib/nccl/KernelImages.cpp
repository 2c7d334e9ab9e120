// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of programs.

#include "nccl/KernelImages.h"
#include <cstring>

using namespace moert;
using namespace moert::nccl;

Status KernelImages::load(const ProgramImages &images, Image *&image) {
  image = &loaded[images.image];
  if (image->module)
    return {};
  // The driver reads PTX up to its zero; other images contain many zeros.
  if (!std::memchr(images.image, 0, static_cast<size_t>(images.bytes)))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected an image with a zero at its end, got none in %lld "
                 "bytes",
                 static_cast<long long>(images.bytes));
  std::string tried;
  auto load = [&](const void *data) {
    cuda::Result result = driver.ModuleLoadData(&image->module, data);
    if (result == cuda::kSuccess)
      return true;
    image->module = nullptr;
    tried += driver.describe(result);
    return false;
  };
  // An older driver may not accept the output of a later ptxas, but may accept
  // PTX.
  if (const moert_cubin *cubin = images.find(architecture)) {
    if (load(cubin->image))
      return {};
    tried =
        format("its cubin for %s cannot be loaded: %s; and ",
               printArchitecture(cubin->architecture).c_str(), tried.c_str());
  } else if (images.numCubins > 0) {
    tried = format("none of its cubins, for %s, fits a device of compute "
                   "capability %s, and ",
                   images.listArchitectures().c_str(),
                   printArchitecture(architecture).c_str());
  }
  tried += format("its image of %lld bytes cannot be loaded: ",
                  static_cast<long long>(images.bytes));
  if (load(images.image))
    return {};
  return Status(MOERT_UNAVAILABLE, tried);
}

Status KernelImages::load(const ProgramImages &images) {
  std::lock_guard<std::mutex> lock(mutex);
  Image *image = nullptr;
  Status status = load(images, image);
  if (status.ok())
    return status;
  return Status(status.getCode(),
                "kernels of the program: " + status.getMessage());
}

Status KernelImages::find(const moert_kernel_args &kernel,
                          cuda::Function &function) {
  std::lock_guard<std::mutex> lock(mutex);
  Image *found = nullptr;
  if (Status status = load(ProgramImages(kernel), found); !status.ok())
    return error(status.getCode(), "kernel '%s': %s", kernel.name,
                 status.getMessage().c_str());
  Image &image = *found;
  auto known = image.functions.find(kernel.name);
  if (known == image.functions.end()) {
    cuda::Function got = nullptr;
    cuda::Result result =
        driver.ModuleGetFunction(&got, image.module, kernel.name);
    if (result != cuda::kSuccess)
      return error(MOERT_UNAVAILABLE,
                   "kernel '%s' cannot be had from its image: %s", kernel.name,
                   driver.describe(result).c_str());
    known = image.functions.emplace(kernel.name, got).first;
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
  for (auto &[address, image] : loaded)
    if (image.module)
      driver.ModuleUnload(image.module);
  loaded.clear();
}
