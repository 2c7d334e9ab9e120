//===- NcclBackend.cpp - The backend 'nccl' ---------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclBackend.h"
#include "nccl/NcclContext.h"

using namespace moert;

/// Says what is there, or all that is missing.
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
             "%d.%d.%d in %s; %s",
             count, name, driver->version / 1000, driver->version % 1000 / 10,
             driver->path.c_str(), library->version / 10000,
             library->version / 100 % 100, library->version % 100,
             library->path.c_str(),
             cuda::getKernelImage(*driver)
                 ? "with device kernels"
                 : "no device kernels, because nvcc was not there when it was "
                   "built"));
}

const BackendDescription &moert::getNcclBackend() {
  static const BackendDescription description{"nccl", 600000000, probe,
                                              nccl::NcclContext::create};
  return description;
}
