/*===- moert_cpu_image.h - Kernels of a program for the CPU ---------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What a program compiled for the CUDA stand-ins gives `moert_launch_kernel` in
 * the place of PTX. The driver stand-in recognises it by its first bytes; libmoert
 * does not know the difference.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_CPU_IMAGE_H
#define MOERT_CPU_IMAGE_H

#include <stdint.h>

/** The first 8 bytes, with the terminating zero. */
#define MOERT_CPU_IMAGE_MAGIC "MOECPU1"

/** One kernel. `run` is what one thread does: `arguments` as the launch has
 * them, and of `ids` three numbers each (x, y, z) for block, thread in the
 * block, blocks of the grid, and threads of a block. Threads do not wait for
 * each other and share no memory of a block, so they may run one after
 * another. */
typedef struct moert_cpu_kernel {
  const char *name;
  void (*run)(void **arguments, const uint32_t ids[12]);
  uint64_t num_arguments; /**< of 8 bytes each, to copy at the launch */
} moert_cpu_kernel;

/** The whole image: `count` kernels follow it. */
typedef struct moert_cpu_image {
  char magic[8];
  uint64_t count;
} moert_cpu_image;

#endif /* MOERT_CPU_IMAGE_H */
