/*===- moert_ocs.h - Optical circuit switches -----------------------*- C
 *-*-===*
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
   * there already; -1 each where the change failed and the switch may have made
   * any part of it, which `moert_ocs_circuits` asks. */
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

/** Starts a change, after which the switch has these circuits, of which one of
 * ports 0 and 0 is none, and, at the ports of the configuration, no others.
 * Changes are made in the order they were asked for. No traffic may pass the
 * ports until it has ended. */
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

/*===----------------------------------------------------------------------===
 * Circuits that follow demand. The ranks of a job add up what their servers
 * have for each other; the rank that controls the switch plans circuits for it,
 * decides whether a change pays, and tells all what it has decided, over the
 * packet network: no other rank plans. What the switch denies, leaves
 * unanswered or says in another language is no error here: the job goes on over
 * packets, until a later decision finds the switch well again.
 *===----------------------------------------------------------------------===*/

typedef struct moert_ocs_region moert_ocs_region;

/** Servers whose optical NICs are on one switch; all but `server` alike on all
 * ranks. Set up by `moert_ocs_region_config_default`. */
typedef struct moert_ocs_region_config {
  /** `sizeof(moert_ocs_region_config)` of the caller; other sizes as moert.h
   * says. */
  size_t struct_size;
  /** The switch as `moert_ocs_find` finds it, and the rank that controls it. */
  const char *name;
  int32_t controller;
  /** 1 to 1024 servers of the region, with at most 4000 optical NICs. */
  int32_t num_servers;
  /** That of this rank, or -1 for none of them. */
  int32_t server;
  /** [num_servers, optical_degree]: the switch's port of each optical NIC, 0 of
   * one that is not to be used. */
  const int32_t *ports;
  int32_t optical_degree;
  int32_t eps_nics;
  /** 1 where a pair that has circuits sends over nothing else (SPEC MF-4). */
  int32_t exclusive;
  /** NUMA nodes of a server; NIC k of d is on node k * nodes / d. */
  int32_t numa_nodes;
  /** What a NIC carries in a direction, in bytes a microsecond. */
  double nic_bytes_per_us;
  /** What a change of p circuits takes, base + p * per_pair (SPEC MF-8); links
   * then take the `link_up_us` of the switch. */
  double reconfiguration_base_us;
  double reconfiguration_per_pair_us;
  /** The fraction, at least 0 and below 1, by which predicted times may differ
   * and be as good. */
  double uncertainty;
} moert_ocs_region_config;

typedef enum moert_ocs_action {
  /** The circuits that are up stay. */
  MOERT_OCS_KEEP = 0,
  /** The switch has new circuits, or gets them. */
  MOERT_OCS_CHANGE = 1,
  /** No circuit is to be used: all goes over packets. */
  MOERT_OCS_FALL_BACK = 2
} moert_ocs_action;

/** What was decided; alike on all ranks. */
typedef struct moert_ocs_decision {
  /** Decisions of the region before this one. */
  int64_t epoch;
  moert_ocs_action action;
  /** Why it falls back; MOERT_OK else. */
  moert_status status;
  /** Predicted, of one exchange: over what is decided, and over what was up. */
  double time_us;
  double kept_us;
  /** Predicted time of the change, and what took place of it after
   * `moert_ocs_settle`. */
  double change_us;
  double elapsed_us;
  /** Circuits that come or go. */
  int32_t changed;
  /** Decisions so far that fell back, with this one. */
  int32_t fallbacks;
  /** Why it falls back, cut to its room; "" else. */
  char why[256];
} moert_ocs_decision;

/** No name, rank 0, no servers, -1 for this rank's, split routing, one NUMA
 * node, instant changes, no uncertainty. Writes `size` bytes, the
 * `sizeof(moert_ocs_region_config)` of the caller, and no more. C and C++ get
 * the macro. */
MOERT_API moert_status moert_ocs_region_config_default_sized(
    moert_ocs_region_config *config, size_t size);
#define moert_ocs_region_config_default(config)                                \
  moert_ocs_region_config_default_sized((config),                              \
                                        sizeof(moert_ocs_region_config))

/** Makes a region on each rank of the job. UNAVAILABLE where this library was
 * built without the planners. Without a switch attached on the controlling rank
 * all decisions fall back. */
MOERT_API moert_status moert_ocs_region_create(
    moert_context *context, const moert_ocs_region_config *config,
    moert_ocs_region **region);
/** Before `moert_finalize`. Circuits stay as they are. */
MOERT_API moert_status moert_ocs_region_destroy(moert_ocs_region *region);

/** Takes a NIC out of plans from the next decision on, those on the circuit
 * switch first; counts on the rank that controls the switch. Its circuit is not
 * used from that decision on. */
MOERT_API moert_status moert_ocs_region_fail(moert_ocs_region *region,
                                             int32_t server, int32_t nic);

/** Decides on circuits for the exchanges that come, on all ranks of the job in
 * one order: the first thing that is done is that all ranks come here, after
 * which none sends over circuits until `moert_ocs_settle`, which each decision
 * needs. `bytes[num_servers]` is what this rank sends to each server in an
 * exchange, NULL for nothing. Circuits change if `exchanges` such exchanges
 * gain more than the time of the change beyond `slack_us`, the time until
 * `moert_ocs_settle`. A change starts at once, and this returns. Only what ends
 * the job, or what no switch is to blame for, is an error. */
MOERT_API moert_status moert_ocs_decide(moert_ocs_region *region,
                                        const double *bytes, double exchanges,
                                        double slack_us,
                                        moert_ocs_decision *decision);

/** Waits on all ranks until the links of the last decision are up, or are not
 * to be: the decision falls back then. Writes the circuits that may be used,
 * [num_servers, num_servers]; all zero after a fallback. What the rank that
 * controls the switch is first to fall back over, it tells on stderr. */
MOERT_API moert_status moert_ocs_settle(moert_ocs_region *region,
                                        int32_t *circuits,
                                        moert_ocs_decision *decision);

/*===----------------------------------------------------------------------===
 * The same where all ranks know the demand, or the circuits. Regions of one job
 * decide together: all ranks of the job make these calls in one order.
 *===----------------------------------------------------------------------===*/

/** The region of this rank, which lives until `moert_finalize` and then tells
 * on stderr how many decisions fell back, if several did.
 * `members[num_members]` are its ranks, as many of each server one after the
 * other; `controller` is a place among them. Optical NIC k of server i, from 0,
 * is at port 1 + i * optical_degree + k. It is number `index` of `regions`: its
 * switch is attached as `name`, and of several as `name`.`index`. The rest are
 * members of `moert_ocs_region_config`. INVALID_ARGUMENT where the job has
 * found it as another one. */
MOERT_API moert_status moert_ocs_region_find(
    moert_context *context, const char *name, const int32_t *members,
    int32_t num_members, int32_t controller, int32_t servers, int32_t regions,
    int64_t index, int32_t optical_degree, int32_t eps_nics, int32_t exclusive,
    double nic_bytes_per_us, double base_us, double per_pair_us,
    double uncertainty, moert_ocs_region **region);

/** `moert_ocs_decide` for `demand[servers, servers]` bytes of an exchange,
 * which all ranks of the region know, of MOERT_I32 or MOERT_I64. */
MOERT_API moert_status moert_ocs_region_plan(moert_ocs_region *region,
                                             const void *demand,
                                             moert_type type, double exchanges,
                                             double slack_us);
/** Changes to given circuits, number `index` of matrices [servers, servers],
 * which all ranks of the region know. INVALID_ARGUMENT where the region has no
 * such circuits. */
MOERT_API moert_status moert_ocs_region_set(moert_ocs_region *region,
                                            const int32_t *circuits,
                                            int64_t index);
/** Keeps a demand, as `moert_ocs_region_plan` takes it, under a name with the
 * region; waits for nobody. */
MOERT_API moert_status moert_ocs_region_note(moert_ocs_region *region,
                                             const char *key,
                                             const void *demand,
                                             moert_type type);
/** Writes a demand, as `moert_ocs_region_plan` takes it, and the one that was
 * noted last under this name, added up, to sum[servers, servers]; `times` the
 * demand where none was, at least once. Waits for nobody. */
MOERT_API moert_status moert_ocs_region_recall(moert_ocs_region *region,
                                               const char *key,
                                               const void *demand,
                                               moert_type type, int64_t times,
                                               int64_t *sum);
/** `moert_ocs_region_plan` for the demand that is expected under this name, on
 * all ranks of the region alike: the one that was noted last, or, where that
 * has been nearer in the steps before, the one that follows from the last
 * demand of any name (mFabric's Copilot, SPEC MF-11). `moert_ocs_region_set` of
 * the circuits given where none was noted. */
MOERT_API moert_status moert_ocs_region_predict(moert_ocs_region *region,
                                                const char *key,
                                                const int32_t *circuits,
                                                int64_t index, double exchanges,
                                                double slack_us);
/** Who sends how many rows where through delegates, the ranks of a server at
 * whose NICs its circuits end (SPEC MF-9): for the rank at `position` of a
 * region of `num_servers` servers with `places` ranks each, by counts
 * [ranks, experts] of MOERT_I32 or MOERT_I64 that all have, experts being
 * spread evenly over ranks in order. Delegates are those of the circuits that
 * the fast planner has for these counts: all ranks find the same, whatever the
 * switch does. Each has at most `turns` ranks of other servers that it sends
 * rows to, at least num_servers - 1. Written are offsets and sizes of what is
 * sent, then of what is received: gather[4, turns, places], of the server;
 * between[4, num_servers * places], of the region;
 * scatter[4, num_servers - 1, places], of the server, by the server rows come
 * from, the next one first; own[4, places], what stays there. Asks no other
 * rank. UNAVAILABLE where this library was built without the planners. */
MOERT_API moert_status moert_ocs_delegates(
    moert_context *context, int64_t position, int32_t num_servers,
    int32_t places, int64_t experts, int32_t optical_degree, int32_t eps_nics,
    int32_t exclusive, int32_t numa_nodes, int64_t turns, const void *counts,
    moert_type type, int64_t *gather, int64_t *between, int64_t *scatter,
    int64_t *own);

/** `moert_ocs_settle` of what one of these has started. */
MOERT_API moert_status moert_ocs_region_wait(moert_ocs_region *region);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_OCS_H */
