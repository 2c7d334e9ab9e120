// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'nccl'.

#include "nccl/NcclBackend.h"
#include "nccl/NcclContext.h"
#include <cstdlib>

using namespace moert;

/// Describes whether `device` can load the kernels of this build.
static std::string probeKernels(const cuda::Driver &driver,
                                cuda::Device device) {
  cuda::Context before = nullptr, context = nullptr;
  driver.CtxGetCurrent(&before);
  cuda::Result result = driver.DevicePrimaryCtxRetain(&context, device);
  if (result != cuda::kSuccess)
    return "its context cannot be made: " + driver.describe(result);
  std::string text = "with device kernels";
  driver.CtxSetCurrent(context);
  if (cuda::Module module = cuda::loadKernels(driver, text))
    driver.ModuleUnload(module);
  driver.CtxSetCurrent(before);
  driver.DevicePrimaryCtxRelease(device);
  return text;
}

/// Describes the effect of the process's environment on streams, or returns "".
static std::string probeConnections() {
  const char *text = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  if (!text || std::strtol(text, nullptr, 10) != 1)
    return "";
  return "; warning: CUDA_DEVICE_MAX_CONNECTIONS is 1, so all streams share "
         "one hardware queue, in which work that waits holds up whatever was "
         "launched after it, and collectives may not overlap products: unset "
         "it, or set it to 8 or more";
}

/// Describes the available libraries, or everything that is missing.
static Status probe() {
  std::string cudaReason, ncclReason;
  const cuda::Driver *driver = cuda::loadDriver(cudaReason);
  const nccl::Library *library = nccl::loadNccl(ncclReason);
  if (!driver || !library)
    return Status(MOERT_UNAVAILABLE,
                  cudaReason + (!driver && !library ? "; " : "") + ncclReason);
  int count = 0;
  char name[128] = "unknown";
  cuda::Device device = 0;
  driver->DeviceGetCount(&count);
  if (driver->DeviceGet(&device, 0) == cuda::kSuccess)
    driver->DeviceGetName(name, sizeof(name), device);
  return Status(
      MOERT_OK,
      format("nccl: %d devices, the first is %s; CUDA %d.%d in %s; NCCL "
             "%d.%d.%d in %s; %s%s",
             count, name, driver->version / 1000, driver->version % 1000 / 10,
             driver->path.c_str(), library->version / 10000,
             library->version / 100 % 100, library->version % 100,
             library->path.c_str(), probeKernels(*driver, device).c_str(),
             probeConnections().c_str()));
}

const BackendDescription &moert::getNcclBackend() {
  static const BackendDescription description{"nccl", 600000000, probe,
                                              nccl::NcclContext::create};
  return description;
}
