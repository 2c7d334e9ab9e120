/*===- moert.h - The C ABI of the runtime ---------------------------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The part of the runtime's interface that is settled: how calls report what
 * became of them. Everything else is described in ../README.md and not there
 * yet. C11 and C++.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_H
#define MOERT_H

/** Version of this interface. A change of the major number breaks callers; a
 * change of the minor number only adds. */
#define MOERT_VERSION_MAJOR 0
#define MOERT_VERSION_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. Every call returns one; no exception crosses this
 * interface. The numbers do not change within a major version. */
typedef enum moert_status {
  /** Done. */
  MOERT_OK = 0,
  /** An argument is out of its range; nothing was done. */
  MOERT_INVALID_ARGUMENT = 1,
  /** The backend, or what the call needs of it, is not available on this
   * machine: a missing library, version, device or link. */
  MOERT_UNAVAILABLE = 2,
  /** The call's deadline passed before all ranks it waits for took part. */
  MOERT_DEADLINE_EXCEEDED = 3,
  /** Ranks of a group came to different collectives: another kind, group,
   * shape, element type or order. */
  MOERT_MISMATCH = 4,
  /** Not enough memory in the memory space asked for. */
  MOERT_OUT_OF_MEMORY = 5,
  /** Another rank, or another call on this communicator, failed before. */
  MOERT_ABORTED = 6,
  /** A library beneath the backend reported an error of its own. */
  MOERT_BACKEND_ERROR = 7
} moert_status;

#ifdef __cplusplus
}
#endif

#endif /* MOERT_H */
