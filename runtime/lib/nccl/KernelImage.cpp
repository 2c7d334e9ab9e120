//===- KernelImage.cpp - Device kernels in this library ---------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/CudaDriver.h"

#ifdef MOERT_KERNEL_IMAGE
// The file that nvcc made, as bytes: the build says where it is.
asm(".section .rodata\n"
    ".balign 64\n"
    ".global moert_kernel_image\n"
    ".hidden moert_kernel_image\n"
    "moert_kernel_image:\n"
    ".incbin \"" MOERT_KERNEL_IMAGE "\"\n"
    ".previous\n");
extern "C" __attribute__((visibility("hidden")))
const char moert_kernel_image[];

const void *moert::cuda::getKernelImage(const Driver &) {
  return moert_kernel_image;
}
#else
const void *moert::cuda::getKernelImage(const Driver &driver) {
  return driver.KernelImage ? driver.KernelImage() : nullptr;
}
#endif
