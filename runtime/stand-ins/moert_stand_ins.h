// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests ask the stand-ins.

#ifndef MOERT_STAND_INS_H
#define MOERT_STAND_INS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Exported by the stand-in for the driver: a program that has loaded it finds
// them by dlsym(RTLD_DEFAULT, ...).

/** How often a function of the stand-ins was called in this process, by all
 * threads: "cuMemAlloc" (names are without "_v2"), "ncclSend",
 * "cublasGemmStridedBatchedEx"; or a kernel was launched: "moert_copy_box". */
uint64_t moert_stand_in_count(const char *name);
/** How many threads of this process have called the stand-ins so far. */
uint64_t moert_stand_in_threads(void);

#ifdef __cplusplus
}
#endif

#endif // MOERT_STAND_INS_H
