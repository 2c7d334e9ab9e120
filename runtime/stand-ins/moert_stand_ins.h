// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface for tests.

#ifndef MOERT_STAND_INS_H
#define MOERT_STAND_INS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Exported by the emulated driver. A program that has loaded it finds these
// functions by dlsym(RTLD_DEFAULT, ...).

/** Returns the number of calls of a function of the emulation in this process,
 * by all threads: for example "cuMemAlloc" (names are without "_v2"),
 * "ncclSend" or "cublasGemmStridedBatchedEx"; or the number of launches of a
 * kernel, for example "moert_copy_box". */
uint64_t moert_stand_in_count(const char *name);
/** Returns the number of threads of this process that have called it so far. */
uint64_t moert_stand_in_threads(void);

#ifdef __cplusplus
}
#endif

#endif // MOERT_STAND_INS_H
