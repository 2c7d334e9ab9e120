/*===- moert_ocs.h - Optical circuit switches -----------------------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The interface of libmoert_ocs, which programs link in addition to libmoert.
 * `moert_last_error` describes errors.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_OCS_H
#define MOERT_OCS_H

#include "moert.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===
 * Optical circuit switches (SPEC MF-14). TL1 commands make a switch join pairs
 * of its ports. A thread per connection sends only the differences from the
 * present cross-connects, in one batch; calls return immediately. These calls
 * need no context, and several threads may make them, except `moert_ocs_close`.
 *===----------------------------------------------------------------------===*/

typedef struct moert_ocs moert_ocs;
typedef struct moert_ocs_change moert_ocs_change;

/** The vendor's command syntax of a switch. */
typedef enum moert_ocs_dialect {
  /** ENT-PATCH, DLT-PATCH, RTRV-PATCH; the usual port is 3082. */
  MOERT_OCS_POLATIS = 0,
  /** ENT-CRS, DLT-CRS, RTRV-CRS. */
  MOERT_OCS_CALIENT = 1
} moert_ocs_dialect;

/** A circuit between two ports, numbered from 1 as on the switch. A port is an
 * end of at most one circuit. */
typedef struct moert_ocs_circuit {
  int32_t in;
  int32_t out;
} moert_ocs_circuit;

/** The address and rules of a switch. Initialize it with
 * `moert_ocs_config_default`. */
typedef struct moert_ocs_config {
  /** `sizeof(moert_ocs_config)` of the caller; moert.h describes other
   * sizes. */
  size_t struct_size;
  /** "HOST:PORT". */
  const char *address;
  moert_ocs_dialect dialect;
  /** User and password for ACT-USER, or both NULL for a switch without users.
   * TL1 transmits them unencrypted. */
  const char *user;
  const char *password;
  /** Maximum time for the conversation of a request with the switch, in
   * microseconds from the start of its turn: connecting, querying and changing
   * together. */
  int64_t deadline_us;
  /** Time until links are up after circuits were set up, in microseconds (SPEC
   * MF-8: 5.67 s on average with the paper's NICs). A change that sets up
   * circuits is done only after this time. At least 0, at most an hour. */
  double link_up_us;
  /** The `num_ports` ports at which circuits may be set up and taken down;
   * circuits of other ports stay unchanged. If there are none, nothing is taken
   * down unless `all_ports` allows it, and a change that requires it fails. */
  const int32_t *ports;
  int32_t num_ports;
  /** 1 if the caller owns every port of the switch, so that any circuit that is
   * not requested may be removed; `num_ports` must then be 0. */
  int32_t all_ports;
} moert_ocs_config;

/** The effect of a change. */
typedef struct moert_ocs_result {
  /** Number of circuits taken down and set up. Existing circuits are not set up
   * again, so there may be fewer than requested. Both are -1 if the change
   * failed and the switch may have made any part of it; `moert_ocs_circuits`
   * then queries the state. */
  int32_t removed;
  int32_t added;
  /** Time of the conversation with the switch plus the time for links to come
   * up, in microseconds. */
  double elapsed_us;
} moert_ocs_result;

/** Fills in the defaults: no address, Polatis, no user, 10 s, links that are up
 * at once, and no ports at which circuits may be taken down. Writes only `size`
 * bytes, the `sizeof(moert_ocs_config)` of the caller. */
MOERT_API moert_status moert_ocs_config_default_sized(moert_ocs_config *config,
                                                      size_t size);
/** Does the same for callers of the first interface that had this struct, which
 * do not pass a size. In C and C++, the macro below replaces it. */
MOERT_API moert_status moert_ocs_config_default(moert_ocs_config *config);
#define moert_ocs_config_default(config)                                       \
  moert_ocs_config_default_sized((config), sizeof(moert_ocs_config))

/** Connects and logs in. Errors, both here and in later requests: UNAVAILABLE
 * (no connection), DEADLINE_EXCEEDED (no complete answer in time), and
 * BACKEND_ERROR (a command that was denied or only partly executed, an answer
 * that is not TL1, or a connection that ended). The message quotes the traffic
 * in both directions, without the password. After a failure, the next request
 * connects again. */
MOERT_API moert_status moert_ocs_open(const moert_ocs_config *config,
                                      moert_ocs **ocs);
/** Ends the connection immediately and destroys its changes. Changes that have
 * not started are not made; a change in progress may or may not be made. */
MOERT_API moert_status moert_ocs_close(moert_ocs *ocs);

/** Queries the circuits of all ports of the switch. Writes the first `capacity`
 * circuits and their total number. Waits for earlier changes. */
MOERT_API moert_status moert_ocs_circuits(moert_ocs *ocs,
                                          moert_ocs_circuit *circuits,
                                          int32_t capacity, int32_t *count);

/** Starts a change. After it, the switch has these circuits and, at the ports
 * of the configuration, no others; a circuit with ports 0 and 0 is ignored.
 * Changes are made in the order of the requests. No traffic may pass the ports
 * until the change has ended. */
MOERT_API moert_status moert_ocs_configure(moert_ocs *ocs,
                                           const moert_ocs_circuit *circuits,
                                           int32_t count,
                                           moert_ocs_change **change);
/** Sets `done` to 1 if the change has ended, successfully or not, else to 0,
 * without waiting. On a rank that does not control the switch, `done` is 1
 * after the change was awaited. */
MOERT_API moert_status moert_ocs_query(moert_ocs_change *change, int *done);
/** Waits until the change has ended, and returns its status.
 * `MOERT_DEADLINE_DEFAULT` waits for the end, which the deadline of the
 * configuration enforces; if another deadline passes, call this function again.
 * After an error, the switch keeps the circuits that it reports.
 *
 * All ranks of the job must await a change of a switch from `moert_ocs_find`,
 * in the same order. Each rank returns when the links are up, or with the error
 * and message of the rank that controls the switch. `deadline_us` limits the
 * switch's part on that rank, and the job's deadline limits the wait for other
 * ranks. */
MOERT_API moert_status moert_ocs_await(moert_ocs_change *change,
                                       int64_t deadline_us);
/** Returns the result of a change that has ended. */
MOERT_API moert_status moert_ocs_change_result(moert_ocs_change *change,
                                               moert_ocs_result *result);
/** Forgets the change; a change in progress continues. */
MOERT_API moert_status moert_ocs_change_destroy(moert_ocs_change *change);

/** Gives a switch a name by which compiled programs find it on this rank; NULL
 * removes the name. The caller keeps its ownership and closes the switch after
 * `moert_finalize`. */
MOERT_API moert_status moert_ocs_attach(moert_context *context,
                                        const char *name, moert_ocs *ocs);
/** Returns the switch attached as `name` on the rank that controls it, or
 * UNAVAILABLE if there is none. Other ranks receive a placeholder. All ranks
 * must request the same changes in the same order and await them
 * (`moert_ocs_await`). A change starts when the controlling rank requests it;
 * the program must ensure that the other ranks no longer send. Valid until
 * `moert_finalize`. */
MOERT_API moert_status moert_ocs_find(moert_context *context, const char *name,
                                      int32_t controller, moert_ocs **ocs);

/*===----------------------------------------------------------------------===
 * Circuits that follow demand. The ranks of a job sum the demand between their
 * servers. The rank that controls the switch plans circuits for it, decides
 * whether a change pays, and sends the decision to all ranks over the packet
 * network; no other rank plans. If the switch denies a command, does not answer
 * or sends an invalid message, this is not an error: the job continues over
 * packets, until a later decision finds that the switch works again.
 *===----------------------------------------------------------------------===*/

typedef struct moert_ocs_region moert_ocs_region;

/** Servers that have their optical NICs on one switch. All members except
 * `server` must be equal on all ranks. Initialize it with
 * `moert_ocs_region_config_default`. */
typedef struct moert_ocs_region_config {
  /** `sizeof(moert_ocs_region_config)` of the caller; moert.h describes other
   * sizes. */
  size_t struct_size;
  /** The name of the switch for `moert_ocs_find`, and the rank that controls
   * it. */
  const char *name;
  int32_t controller;
  /** Number of servers in the region, 1 to 1024, with at most 4000 optical NICs
   * in total. */
  int32_t num_servers;
  /** The server of this rank, or -1 if the rank is in none of them. */
  int32_t server;
  /** [num_servers, optical_degree]: the switch port of each optical NIC; 0 for
   * a NIC that must not be used. */
  const int32_t *ports;
  int32_t optical_degree;
  int32_t eps_nics;
  /** 1 if a pair of servers with circuits sends only over them (SPEC MF-4). */
  int32_t exclusive;
  /** NUMA nodes per server; NIC k of d is on node k * nodes / d. */
  int32_t numa_nodes;
  /** Bandwidth of a NIC per direction, in bytes per microsecond. */
  double nic_bytes_per_us;
  /** A change of p circuits takes base + p * per_pair microseconds (SPEC MF-8);
   * links then take the `link_up_us` of the switch. */
  double reconfiguration_base_us;
  double reconfiguration_per_pair_us;
  /** Relative difference below which predicted times count as equal; at least 0
   * and below 1. */
  double uncertainty;
} moert_ocs_region_config;

typedef enum moert_ocs_action {
  /** Keep the present circuits. */
  MOERT_OCS_KEEP = 0,
  /** The switch has new circuits, or will have them. */
  MOERT_OCS_CHANGE = 1,
  /** Use no circuit: all traffic takes the packet network. */
  MOERT_OCS_FALL_BACK = 2
} moert_ocs_action;

/** A decision, equal on all ranks. */
typedef struct moert_ocs_decision {
  /** Number of earlier decisions of the region. */
  int64_t epoch;
  moert_ocs_action action;
  /** Reason of the fallback; MOERT_OK without a fallback. */
  moert_status status;
  /** Predicted times of one exchange, in microseconds: with the decided
   * circuits, and with the previous ones. */
  double time_us;
  double kept_us;
  /** Predicted time of the change, and its measured time after
   * `moert_ocs_settle`, in microseconds. */
  double change_us;
  double elapsed_us;
  /** Number of circuits that are added or removed. */
  int32_t changed;
  /** Number of decisions so far that fell back, including this one. */
  int32_t fallbacks;
  /** Reason of the fallback in words, cut to the size of the array; "" without
   * a fallback. */
  char why[256];
} moert_ocs_decision;

/** Fills in the defaults: no name, rank 0, no servers, -1 for this rank's
 * server, split routing, one NUMA node, changes without delay, and no
 * uncertainty. Writes only `size` bytes, the `sizeof(moert_ocs_region_config)`
 * of the caller. C and C++ use the macro. */
MOERT_API moert_status moert_ocs_region_config_default_sized(
    moert_ocs_region_config *config, size_t size);
#define moert_ocs_region_config_default(config)                                \
  moert_ocs_region_config_default_sized((config),                              \
                                        sizeof(moert_ocs_region_config))

/** Creates a region on each rank of the job. UNAVAILABLE if this library was
 * built without the planners. If the controlling rank has no switch attached,
 * all decisions fall back. */
MOERT_API moert_status moert_ocs_region_create(
    moert_context *context, const moert_ocs_region_config *config,
    moert_ocs_region **region);
/** Destroys a region; must be called before `moert_finalize`. Circuits stay as
 * they are. */
MOERT_API moert_status moert_ocs_region_destroy(moert_ocs_region *region);

/** Removes a NIC from plans, starting with the next decision; NICs on the
 * circuit switch have the first numbers. Only the call on the rank that
 * controls the switch has an effect. The NIC's circuit is unused from that
 * decision on. */
MOERT_API moert_status moert_ocs_region_fail(moert_ocs_region *region,
                                             int32_t server, int32_t nic);

/** Decides on circuits for the coming exchanges. All ranks of the job must call
 * it in the same order. First all ranks meet here; afterwards, no rank may send
 * over circuits until `moert_ocs_settle`, which must follow each decision.
 * `bytes[num_servers]` is the number of bytes that this rank sends to each
 * server in an exchange; NULL means none. Circuits change if `exchanges` such
 * exchanges gain more time than the part of the change that exceeds `slack_us`,
 * the time until `moert_ocs_settle`. A change starts at once, and this call
 * returns. Errors are only failures that end the job and failures that the
 * switch has not caused. */
MOERT_API moert_status moert_ocs_decide(moert_ocs_region *region,
                                        const double *bytes, double exchanges,
                                        double slack_us,
                                        moert_ocs_decision *decision);

/** Waits on all ranks until the links of the last decision are up, or until the
 * decision falls back because they cannot be. Writes the number of usable
 * circuits, [num_servers, num_servers]; all are zero after a fallback. The rank
 * that controls the switch reports the reason of its first fallback on
 * stderr. */
MOERT_API moert_status moert_ocs_settle(moert_ocs_region *region,
                                        int32_t *circuits,
                                        moert_ocs_decision *decision);

/*===----------------------------------------------------------------------===
 * The same for a demand, or for circuits, that all ranks know. Regions of one
 * job decide together: all ranks of the job must make these calls in the same
 * order.
 *===----------------------------------------------------------------------===*/

/** Returns the region of this rank. It lives until `moert_finalize`, which
 * reports on stderr how many decisions fell back, if several did.
 * `members[num_members]` are the ranks of the region, server by server with
 * equally many ranks each, and `controller` is an index into them. Optical NIC
 * k of server i is at port 1 + i * optical_degree + k, counting both from 0.
 * The region is number `index` of `regions`: its switch is attached as `name`,
 * or as `name`.`index` if there are several. The other arguments are members of
 * `moert_ocs_region_config`. INVALID_ARGUMENT if the job has already found this
 * region with other arguments. */
MOERT_API moert_status moert_ocs_region_find(
    moert_context *context, const char *name, const int32_t *members,
    int32_t num_members, int32_t controller, int32_t servers, int32_t regions,
    int64_t index, int32_t optical_degree, int32_t eps_nics, int32_t exclusive,
    double nic_bytes_per_us, double base_us, double per_pair_us,
    double uncertainty, moert_ocs_region **region);

/** Calls `moert_ocs_decide` for the `demand[servers, servers]` bytes of an
 * exchange, of type MOERT_I32 or MOERT_I64, which all ranks of the region
 * know. */
MOERT_API moert_status moert_ocs_region_plan(moert_ocs_region *region,
                                             const void *demand,
                                             moert_type type, double exchanges,
                                             double slack_us);
/** Changes to the given circuits, number `index` of an array of [servers,
 * servers] matrices, which all ranks of the region know. INVALID_ARGUMENT if
 * the region cannot have these circuits. */
MOERT_API moert_status moert_ocs_region_set(moert_ocs_region *region,
                                            const int32_t *circuits,
                                            int64_t index);
/** Stores a demand, in the form of `moert_ocs_region_plan`, under a name in the
 * region, without waiting. */
MOERT_API moert_status moert_ocs_region_note(moert_ocs_region *region,
                                             const char *key,
                                             const void *demand,
                                             moert_type type);
/** Writes the sum of a demand, in the form of `moert_ocs_region_plan`, and of
 * the demand that was noted last under this name to sum[servers, servers]. If
 * none was noted, writes `times` (at least 1) times the demand. Does not
 * wait. */
MOERT_API moert_status moert_ocs_region_recall(moert_ocs_region *region,
                                               const char *key,
                                               const void *demand,
                                               moert_type type, int64_t times,
                                               int64_t *sum);
/** Calls `moert_ocs_region_plan` for the demand that is expected under this
 * name, which is equal on all ranks of the region: the demand that was noted
 * last, or a prediction from the last demand of any name (mFabric's Copilot,
 * SPEC MF-11) if predictions were more accurate in previous steps. If none was
 * noted, calls `moert_ocs_region_set` with the given circuits. */
MOERT_API moert_status moert_ocs_region_predict(moert_ocs_region *region,
                                                const char *key,
                                                const int32_t *circuits,
                                                int64_t index, double exchanges,
                                                double slack_us);
/** Computes the row counts for an exchange through delegates, the ranks of a
 * server at the NICs where its circuits end (SPEC MF-9). The result is for the
 * rank at `position` of a region of `num_servers` servers with `places` ranks
 * each. `counts` is [ranks, experts] of MOERT_I32 or MOERT_I64, equal on all
 * ranks; experts are spread evenly over the ranks in order. Delegates follow
 * from the circuits of the fast planner for these counts, so all ranks find the
 * same ones, independently of the switch. Each delegate sends rows to at most
 * `turns` ranks of other servers; `turns` is at least num_servers - 1.
 *
 * Each result holds offsets and sizes of the sent rows, then of the received
 * rows:
 * - gather[4, turns, places], inside of the server;
 * - between[4, num_servers * places], in the region;
 * - scatter[4, num_servers - 1, places], inside of the server, by the server
 *   from which the rows come, starting with the next server;
 * - own[4, places], the rows that stay in the server.
 *
 * Does not communicate. UNAVAILABLE if this library was built without the
 * planners. */
MOERT_API moert_status moert_ocs_delegates(
    moert_context *context, int64_t position, int32_t num_servers,
    int32_t places, int64_t experts, int32_t optical_degree, int32_t eps_nics,
    int32_t exclusive, int32_t numa_nodes, int64_t turns, const void *counts,
    moert_type type, int64_t *gather, int64_t *between, int64_t *scatter,
    int64_t *own);

/** Calls `moert_ocs_settle` for a change that one of these functions has
 * started. */
MOERT_API moert_status moert_ocs_region_wait(moert_ocs_region *region);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_OCS_H */
