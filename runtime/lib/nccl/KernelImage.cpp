// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device kernels in this library.

#include "nccl/CudaDriver.h"

#ifdef MOERT_KERNEL_IMAGE
// The bytes of the file that nvcc wrote; the build sets its path.
asm(".section .rodata\n"
    ".balign 64\n"
    ".global moert_kernel_image\n"
    ".hidden moert_kernel_image\n"
    "moert_kernel_image:\n"
    ".incbin \"" MOERT_KERNEL_IMAGE "\"\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden")))
const char moert_kernel_image[];

static const void *getKernelImage(const moert::cuda::Driver &) {
  return moert_kernel_image;
}
#else
#define MOERT_NVCC_VERSION 0
/// The emulated driver provides the image.
static const void *getKernelImage(const moert::cuda::Driver &driver) {
  return driver.KernelImage ? driver.KernelImage() : nullptr;
}
#endif

#ifdef MOERT_GROUPED_IMAGE
asm(".section .rodata\n"
    ".balign 64\n"
    ".global moert_grouped_image\n"
    ".hidden moert_grouped_image\n"
    "moert_grouped_image:\n"
    ".incbin \"" MOERT_GROUPED_IMAGE "\"\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden")))
const char moert_grouped_image[];

static const void *getGroupedImage(const moert::cuda::Driver &) {
  return moert_grouped_image;
}
#else
static const void *getGroupedImage(const moert::cuda::Driver &driver) {
  return driver.GroupedImage ? driver.GroupedImage() : nullptr;
}
#endif

using namespace moert;
using namespace moert::cuda;

std::string cuda::explainImageVersion(int nvcc, int driver) {
  // Drivers of a major version accept machine code of every nvcc with that
  // version.
  if (nvcc / 1000 <= driver / 1000)
    return "";
  return format("; nvcc %d.%d made them, which needs a driver for CUDA %d.0 or "
                "later, and the driver is for %d.%d: update it, or build with "
                "an nvcc for CUDA %d (-DMOERT_NVCC=PATH)",
                nvcc / 1000, nvcc % 1000 / 10, nvcc / 1000, driver / 1000,
                driver % 1000 / 10, driver / 1000);
}

Module cuda::loadKernels(const Driver &driver, std::string &reason) {
  const void *image = getKernelImage(driver);
  if (!image) {
    reason = "this build has no device kernels, because nvcc was not there "
             "when it was built";
    return nullptr;
  }
  Module module = nullptr;
  Result result = driver.ModuleLoadData(&module, image);
  if (result == kSuccess)
    return module;
  reason = "the device kernels of this build cannot be loaded: " +
           driver.describe(result) +
           explainImageVersion(MOERT_NVCC_VERSION, driver.version);
  return nullptr;
}

Status cuda::loadGroupedKernels(const Driver &driver, int architecture,
                                Module &module) {
  // Code for sm_90a runs on this architecture only.
  constexpr int kArchitecture = 90;
  const void *image =
      architecture == kArchitecture && driver.TensorMapEncodeTiled
          ? getGroupedImage(driver)
          : nullptr;
  module = nullptr;
  return image ? driver.check(driver.ModuleLoadData(&module, image),
                              "the kernels of grouped products")
               : Status();
}
