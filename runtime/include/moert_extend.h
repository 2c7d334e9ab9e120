/*===- moert_extend.h - What libraries beside this one build on ------*- C -*-===*
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For libraries that work on the jobs of libmoert from outside, as libmoert_ocs
 * does, or tell errors as it does, as libmoert_plan. Programs may use it as well; moert.h does not include it.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_EXTEND_H
#define MOERT_EXTEND_H

#include "moert.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The most bytes of one rank in an exchange. */
#define MOERT_MAX_EXCHANGE 65536

/** The ranks of the job tell each other something on the host: `bytes` bytes of
 * each, the same number on all, at most MOERT_MAX_EXCHANGE, into `all`, in the
 * order of ranks. Returns when all have come; with 0 bytes a barrier. All ranks
 * make their exchanges in one order, under the same `name`, which stands in
 * errors. Streams are not waited for. Errors end the job: DEADLINE_EXCEEDED
 * naming the ranks that did not come, MISMATCH when names or sizes differ. */
MOERT_API moert_status moert_exchange(moert_context *context, const char *name,
                                      const void *own, size_t bytes, void *all,
                                      int64_t deadline_us);

/** Keeps `object` with the context until `moert_finalize`, which calls
 * `destroy` with it. Where something has been kept under this name already,
 * `object` is destroyed at once. `kept` is what is there now. */
MOERT_API moert_status moert_keep(moert_context *context, const char *name,
                                  void *object, void (*destroy)(void *),
                                  void **kept);
/** What is kept under a name; NULL when nothing is. */
MOERT_API void *moert_find_kept(moert_context *context, const char *name);

/** The deadline of the context's configuration, in microseconds. */
MOERT_API int64_t moert_deadline_us(const moert_context *context);

/** Makes `words` what `moert_last_error` of this thread tells about a failed
 * call, with the rank of `context`, which may be NULL, and the name of the call
 * before them; MOERT_OK empties it. Returns `status`. */
MOERT_API moert_status moert_report(const moert_context *context,
                                    const char *call, moert_status status,
                                    const char *words);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_EXTEND_H */
