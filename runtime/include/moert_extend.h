/*===- moert_extend.h - Functions for extending libraries -----------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For libraries that extend libmoert: libmoert_ocs works on its jobs, and
 * libmoert_plan reports errors in the same way. Programs may use these
 * functions, too; moert.h does not include this header.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_EXTEND_H
#define MOERT_EXTEND_H

#include "moert.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of bytes per rank in an exchange. */
#define MOERT_MAX_EXCHANGE 65536

/** Exchanges data among the ranks of the job on the host: `bytes` bytes per
 * rank, equal on all ranks and at most MOERT_MAX_EXCHANGE, are gathered into
 * `all` in the order of ranks. Returns when all ranks have arrived; with 0
 * bytes, it is a barrier. All ranks must make their exchanges in the same order
 * under the same `name`, which appears in errors. Streams are not waited for.
 * Errors end the job: DEADLINE_EXCEEDED, which names the missing ranks, and
 * MISMATCH if names or sizes differ. */
MOERT_API moert_status moert_exchange(moert_context *context, const char *name,
                                      const void *own, size_t bytes, void *all,
                                      int64_t deadline_us);

/** Keeps `object` with the context until `moert_finalize`, which calls
 * `destroy` with it. If the context already keeps an object under this name,
 * `object` is destroyed at once. `kept` receives the object that the context
 * keeps. */
MOERT_API moert_status moert_keep(moert_context *context, const char *name,
                                  void *object, void (*destroy)(void *),
                                  void **kept);
/** Returns the object that is kept under a name, or NULL. */
MOERT_API void *moert_find_kept(moert_context *context, const char *name);

/** Returns the deadline of the context's configuration, in microseconds. */
MOERT_API int64_t moert_deadline_us(const moert_context *context);

/** Makes `moert_last_error` of this thread report a failed call: `words`,
 * preceded by the rank of `context`, which may be NULL, and the name of the
 * call. MOERT_OK clears the error. Returns `status`. */
MOERT_API moert_status moert_report(const moert_context *context,
                                    const char *call, moert_status status,
                                    const char *words);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_EXTEND_H */
