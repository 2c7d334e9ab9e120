/*===- moert_cpu_image.h - Kernels of a program for the CPU ---------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The image that a program compiled for the CPU emulation of CUDA passes to
 * `moert_launch_kernel` in place of PTX. The emulated driver recognizes it by
 * its first bytes; libmoert does not distinguish them.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_CPU_IMAGE_H
#define MOERT_CPU_IMAGE_H

#include <stdint.h>

/** The first 8 bytes, including the terminating zero. */
#define MOERT_CPU_IMAGE_MAGIC "MOECPU1"

/** One kernel. `run` executes one thread: `arguments` are the arguments of the
 * launch, and `ids` holds three numbers (x, y, z) each for the block, the
 * thread in the block, the number of blocks, and the number of threads per
 * block. Threads do not synchronize and share no block memory, so they may run
 * one after another. */
typedef struct moert_cpu_kernel {
  const char *name;
  void (*run)(void **arguments, const uint32_t ids[12]);
  uint64_t num_arguments; /**< 8 bytes each, copied at the launch */
} moert_cpu_kernel;

/** Header of the image, followed by `count` kernels. */
typedef struct moert_cpu_image {
  char magic[8];
  uint64_t count;
} moert_cpu_image;

#endif /* MOERT_CPU_IMAGE_H */
