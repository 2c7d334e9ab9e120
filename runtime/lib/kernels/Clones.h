// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops compiled for several instruction sets.

#ifndef MOERT_KERNELS_CLONES_H
#define MOERT_KERNELS_CLONES_H

// The loader chooses the best clone. This does not work with sanitizers, which
// are not initialized at that time.
#if defined(__x86_64__) && defined(__linux__) && !defined(MOERT_SANITIZED)
#define MOERT_CLONES                                                           \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MOERT_CLONES
#endif

#endif // MOERT_KERNELS_CLONES_H
