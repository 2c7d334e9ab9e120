/*===- moert_ocs.h - Optical circuit switches -----------------------*- C -*-===*
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Of libmoert_ocs, which programs link beside libmoert. Errors are told by
 * `moert_last_error`.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_OCS_H
#define MOERT_OCS_H

#include "moert.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===
 * Optical circuit switches (SPEC MF-14). A switch is told over TL1 which of its
 * ports to join. Only what differs from its present cross-connects is sent, in
 * one batch, by a thread of the connection; calls return at once. These calls
 * need no context, and several threads may make them, but for
 * `moert_ocs_close`.
 *===----------------------------------------------------------------------===*/

typedef struct moert_ocs moert_ocs;
typedef struct moert_ocs_change moert_ocs_change;

/** How the maker of a switch spells commands. */
typedef enum moert_ocs_dialect {
  /** ENT-PATCH, DLT-PATCH, RTRV-PATCH; port 3082 as a rule. */
  MOERT_OCS_POLATIS = 0,
  /** ENT-CRS, DLT-CRS, RTRV-CRS. */
  MOERT_OCS_CALIENT = 1
} moert_ocs_dialect;

/** A circuit between two ports, numbered from 1 as the switch does. A port is
 * an end of one circuit at most. */
typedef struct moert_ocs_circuit {
  int32_t in;
  int32_t out;
} moert_ocs_circuit;

/** How to reach a switch. Set up by `moert_ocs_config_default`. */
typedef struct moert_ocs_config {
  /** `sizeof(moert_ocs_config)` of the caller; other sizes as moert.h says. */
  size_t struct_size;
  /** "HOST:PORT". */
  const char *address;
  moert_ocs_dialect dialect;
  /** For ACT-USER, or both NULL for a switch without users. They travel
   * unencrypted, as all of TL1. */
  const char *user;
  const char *password;
  /** Longest time for a request's conversation with the switch, from its turn
   * on, in microseconds: connecting, looking and changing together. */
  int64_t deadline_us;
  /** Time until links are up after circuits were set up (SPEC MF-8: 5.67 s on
   * average with the paper's NICs); a change that sets up some is done only
   * then. At least 0, at most an hour. */
  double link_up_us;
  /** The ports that circuits may be set up and taken down at, `num_ports` of
   * them. Circuits of other ports are left alone. Without, nothing is taken
   * down unless `all_ports` says so: a change that would have to fails. */
  const int32_t *ports;
  int32_t num_ports;
  /** 1 when every port of the switch is the caller's, and whatever circuit is
   * not asked for may go; `num_ports` is then 0. */
  int32_t all_ports;
} moert_ocs_config;

/** What a change has done. */
typedef struct moert_ocs_result {
  /** Circuits taken down and set up: fewer than asked for, where some were
   * there already. */
  int32_t removed;
  int32_t added;
  /** Time of the conversation with the switch, and of links to come up. */
  double elapsed_us;
} moert_ocs_result;

/** Fills in the defaults: no address, Polatis, no user, 10 s, links at once,
 * no ports that circuits may be taken down at. Writes `size` bytes, the
 * `sizeof(moert_ocs_config)` of the caller, and no more. */
MOERT_API moert_status moert_ocs_config_default_sized(moert_ocs_config *config,
                                                      size_t size);
/** The same for callers that do not say their size: those of the first
 * interface that had it. C and C++ get the macro. */
MOERT_API moert_status moert_ocs_config_default(moert_ocs_config *config);
#define moert_ocs_config_default(config)                                       \
  moert_ocs_config_default_sized((config), sizeof(moert_ocs_config))

/** Connects and logs in. Errors, here and of what the connection does later:
 * UNAVAILABLE (nobody there), DEADLINE_EXCEEDED (no complete answer in time),
 * BACKEND_ERROR (a denied command, one done in part, something that is not TL1,
 * a connection that ended), with what was sent and received in words, but the
 * password. After a failure the next request connects anew. */
MOERT_API moert_status moert_ocs_open(const moert_ocs_config *config,
                                      moert_ocs **ocs);
/** Ends the connection at once, and destroys its changes: what they had not
 * done is not done, what they were doing may be. */
MOERT_API moert_status moert_ocs_close(moert_ocs *ocs);

/** Asks for the circuits of the switch, all of its ports'. Writes the first
 * `capacity` of them and how many there are. Waits for earlier changes. */
MOERT_API moert_status moert_ocs_circuits(moert_ocs *ocs,
                                          moert_ocs_circuit *circuits,
                                          int32_t capacity, int32_t *count);

/** Starts a change, after which the switch has these circuits and, at the
 * ports of the configuration, no others. Changes are made in the order they
 * were asked for. No traffic may pass the ports until it has ended. */
MOERT_API moert_status moert_ocs_configure(moert_ocs *ocs,
                                           const moert_ocs_circuit *circuits,
                                           int32_t count,
                                           moert_ocs_change **change);
/** Sets `done` to 1 or 0, without waiting: whether the change has ended, well
 * or not. On a rank that does not control the switch 1 once it was awaited. */
MOERT_API moert_status moert_ocs_query(moert_ocs_change *change, int *done);
/** Waits until the change has ended and returns what became of it.
 * `MOERT_DEADLINE_DEFAULT` waits for the end, which the deadline of the
 * configuration brings; when another one passes, await again. After an error
 * the circuits are those the switch says it has.
 * A change of a switch that `moert_ocs_find` gave is awaited by all ranks of
 * the job, in one order: each returns when the links are up, or with the error
 * of the rank that controls the switch, in its words. `deadline_us` bounds the
 * switch's part on that rank, and the job's deadline when the others come. */
MOERT_API moert_status moert_ocs_await(moert_ocs_change *change,
                                       int64_t deadline_us);
/** Of a change that has ended. */
MOERT_API moert_status moert_ocs_change_result(moert_ocs_change *change,
                                               moert_ocs_result *result);
/** Forgets the change; one under way goes on. */
MOERT_API moert_status moert_ocs_change_destroy(moert_ocs_change *change);

/** Gives a switch a name by which compiled programs find it on this rank, or
 * with NULL takes the name away. It stays the caller's, who closes it after
 * `moert_finalize`. */
MOERT_API moert_status moert_ocs_attach(moert_context *context,
                                        const char *name, moert_ocs *ocs);
/** The switch attached as `name` on the rank that controls it; UNAVAILABLE
 * when there is none. On other ranks something that stands for it. All ranks
 * ask for the same changes in one order and await them (`moert_ocs_await`); a
 * change starts when the controlling rank asks for it: that the others no
 * longer send is the program's own affair. Lives until `moert_finalize`. */
MOERT_API moert_status moert_ocs_find(moert_context *context, const char *name,
                                      int32_t controller, moert_ocs **ocs);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_OCS_H */
