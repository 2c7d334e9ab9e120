/*===- moert_plan.h - Planners at run time --------------------------*- C -*-===*
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Of libmoert_plan, which programs link beside libmoert. Errors are told by
 * `moert_last_error`.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_PLAN_H
#define MOERT_PLAN_H

#include "moert.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===
 * Planners: what the compiler's cost model and planners answer, while a
 * program runs. They need no context and no job. Times are predictions.
 *===----------------------------------------------------------------------===*/

typedef struct moert_plan_machine moert_plan_machine;

/** A point of an efficiency curve (SPEC CC-3): at `bytes` the fraction `ratio`
 * of the bandwidth is reached. Bytes grow, 0 < ratio <= 1. */
typedef struct moert_plan_point {
  double bytes;
  double ratio;
} moert_plan_point;

typedef enum moert_plan_collective {
  MOERT_PLAN_ALL_TO_ALL = 0,
  MOERT_PLAN_ALL_GATHER = 1,
  MOERT_PLAN_REDUCE_SCATTER = 2,
  MOERT_PLAN_ALL_REDUCE = 3
} moert_plan_collective;

/** A measured model: a collective whose outermost level this belongs to takes
 * `alpha_us` + `us_per_byte` times the bytes of its buffer. A collective may
 * have several, of groups of different `group_ranks` or `ranks_together`. */
typedef struct moert_plan_fit {
  moert_plan_collective collective;
  double alpha_us;
  double us_per_byte;
  /** Ranks of the group it was measured on, for other groups to be scaled by;
   * 0 for not at all. */
  int64_t group_ranks;
  /** How many of these lay in each instance of the level before; 0 for as many
   * as fill one. */
  int64_t ranks_together;
} moert_plan_fit;

/** One level of links, from the innermost outward; members as in a platform's
 * file (docs/reference/platform-file.md). */
typedef struct moert_plan_level {
  /** For errors; may be NULL. */
  const char *name;
  int64_t ranks;
  double gigabytes_per_second;
  /** Ranks that share an endpoint of this bandwidth; 1 for one each. */
  int64_t ranks_per_nic;
  double latency_us;
  const moert_plan_point *efficiency;
  int32_t num_efficiency;
  /** Not 0: the curve leaves the latency out, so it is added. */
  int32_t curve_is_latency_free;
  const moert_plan_fit *fits;
  int32_t num_fits;
} moert_plan_level;

/** What tasks of a rank share (SPEC MO-9). */
typedef enum moert_plan_resource {
  MOERT_PLAN_INTER = 0,
  MOERT_PLAN_INTRA = 1,
  MOERT_PLAN_COPY = 2,
  MOERT_PLAN_COMPUTE = 3
} moert_plan_resource;

/** Tasks of `slowed` take `factor` times as long, at least 1, beside one of
 * `by`. */
typedef struct moert_plan_contention {
  moert_plan_resource slowed;
  moert_plan_resource by;
  double factor;
} moert_plan_contention;

/** A machine in plain numbers. Set up by `moert_plan_machine_default`. */
typedef struct moert_plan_machine_config {
  /** `sizeof(moert_plan_machine_config)` of the caller; other sizes as moert.h
   * says. */
  size_t struct_size;
  /** For errors and reasons; may be NULL. */
  const char *name;
  const moert_plan_level *levels;
  int32_t num_levels;
  /** Copies on the device; 0 GB/s for a machine that says nothing of them. */
  double copy_gigabytes_per_second;
  double copy_latency_us;
  const moert_plan_point *copy_efficiency;
  int32_t num_copy_efficiency;
  /** A GEMM takes `gemm_alpha_us` and `gemm_us_per_mac` for each
   * multiply-accumulate (SPEC FS-1); both 0 for a machine that says nothing of
   * them. */
  double gemm_alpha_us;
  double gemm_us_per_mac;
  /** No chunk is planned smaller (SPEC MO-5). */
  double minimum_message_bytes;
  /** Beside each operation of a pipelined chain (SPEC MO-8). */
  double pipeline_stall_us;
  const moert_plan_contention *contention;
  int32_t num_contention;
  /** Fraction, >= 0 and below 1, by which predicted times differ when they are
   * as good as equal: the simplest is chosen. */
  double uncertainty;
} moert_plan_machine_config;

/** No name, levels, copies, GEMMs, minimum, stall, contention or uncertainty.
 * Writes `size` bytes, the `sizeof(moert_plan_machine_config)` of the caller,
 * and no more. */
MOERT_API moert_status
moert_plan_machine_default_sized(moert_plan_machine_config *config,
                                 size_t size);
/** The same for callers that do not say their size: those of the first
 * interface that had it. C and C++ get the macro. */
MOERT_API moert_status
moert_plan_machine_default(moert_plan_machine_config *config);
#define moert_plan_machine_default(config)                                     \
  moert_plan_machine_default_sized((config), sizeof(moert_plan_machine_config))
/** Checks and keeps a machine. Several threads may use it. */
MOERT_API moert_status
moert_plan_machine_create(const moert_plan_machine_config *config,
                          moert_plan_machine **machine);
MOERT_API moert_status moert_plan_machine_destroy(moert_plan_machine *machine);

/** Time of a collective that all groups run at once: `num_groups` groups of
 * `group_size` ranks, one group after the other in `ranks`, no rank twice.
 * `bytes` is the local operand of an all-to-all, all-reduce or reduce-scatter,
 * the result of an all-gather. */
MOERT_API moert_status moert_plan_collective_time(
    const moert_plan_machine *machine, moert_plan_collective collective,
    const int64_t *ranks, int64_t group_size, int64_t num_groups, double bytes,
    double *time_us);

/** Strategies of an all-to-all (SPEC MO-1 to MO-7). */
typedef enum moert_plan_strategy {
  MOERT_PLAN_BASELINE = 0,
  MOERT_PLAN_O1 = 1,
  MOERT_PLAN_O2 = 2,
  MOERT_PLAN_O3 = 3
} moert_plan_strategy;
#define MOERT_PLAN_NUM_STRATEGIES 4

/** One strategy with its best number of chunks. */
typedef struct moert_plan_strategy_time {
  /** 0 when it cannot be used: `why_not` says why, cut to its room. */
  int32_t possible;
  int64_t chunks;
  double time_us;
  /** Times of one chunk's stages; of the baseline, only the all-to-all. */
  double all_to_all_us;
  double all_gather_us;
  double copy_us;
  char why_not[256];
} moert_plan_strategy_time;

typedef struct moert_plan_all_to_all_result {
  moert_plan_strategy chosen;
  int64_t chunks;
  double time_us;
  /** By `moert_plan_strategy`. */
  moert_plan_strategy_time strategies[MOERT_PLAN_NUM_STRATEGIES];
} moert_plan_all_to_all_result;

/** The best way to exchange `bytes` bytes a rank over `ep` ranks, where `tp`
 * consecutive ranks hold the same: what `moe-plan all-to-all` answers. `chunks`
 * is the only number of chunks to try, or 0 for all up to `max_chunks`, in
 * [1, 65536]; `bytes` in [1, 2^53]. */
MOERT_API moert_status moert_plan_all_to_all(
    const moert_plan_machine *machine, int64_t bytes, int64_t ep, int64_t tp,
    int64_t chunks, int64_t max_chunks, moert_plan_all_to_all_result *result);

/** A phase of an MoE layer (SPEC FS-2); all but the capacity factor at least
 * 1. */
typedef struct moert_plan_layer {
  int64_t micro_batch;
  int64_t seq_len;
  int64_t hidden;
  int64_t ffn_hidden;
  int64_t top_k;
  /** Slots of an expert over its even share of tokens; 0 for no limit. */
  double capacity_factor;
  /** GEMMs of an expert: 2 of a GPT FFN, 3 of a gated one. */
  int64_t gemms;
  /** Consecutive ranks that split the tokens, and an expert. */
  int64_t tp;
  int64_t esp;
  /** Bytes of an element of the tokens on their way. */
  double element_bytes;
  /** Not 0: the backward pass. */
  int32_t backward;
} moert_plan_layer;

typedef struct moert_plan_degree_result {
  /** The best number of chunks, and its time in FSMoE's order (SPEC FS-3). */
  int64_t degree;
  double time_us;
  /** Without pipelining. */
  double degree_one_us;
  /** What no degree in no order beats. */
  double lower_bound_us;
} moert_plan_degree_result;

/** Into how many chunks, from 1 to `max_degree` in [1, 64], to cut the tokens
 * of a layer when an all-reduce of gradients that takes `gradient_us` runs
 * beside it (0 for none): what `moe-plan degree` answers. The machine must know
 * its GEMMs. */
MOERT_API moert_status moert_plan_degree(const moert_plan_machine *machine,
                                         const moert_plan_layer *layer,
                                         double gradient_us,
                                         int64_t max_degree,
                                         moert_plan_degree_result *result);

/** Which way a pair of servers with circuits may send (SPEC MF-4). */
typedef enum moert_plan_routing {
  /** Over circuits and packets at once, in the shares that end first. */
  MOERT_PLAN_SPLIT = 0,
  /** Over circuits only; pairs without any over packets. */
  MOERT_PLAN_EXCLUSIVE = 1
} moert_plan_routing;

/** How long circuits are looked for. */
typedef enum moert_plan_effort {
  /** mFabric's Algorithm 1 (SPEC MF-2). */
  MOERT_PLAN_GREEDY = 0,
  /** Tens of microseconds for 8 servers. */
  MOERT_PLAN_FAST = 1,
  /** Milliseconds. */
  MOERT_PLAN_THOROUGH = 2
} moert_plan_effort;

/** Servers and what they send each other. Set up by
 * `moert_plan_circuits_default`. */
typedef struct moert_plan_circuits_args {
  /** `sizeof(moert_plan_circuits_args)` of the caller; other sizes as moert.h
   * says. */
  size_t struct_size;
  /** 1 to 1024 servers, with `optical_degree` NICs on the circuit switch and
   * `eps_nics` on the packet network each, 0 to 4096. */
  int32_t num_servers;
  int32_t optical_degree;
  int32_t eps_nics;
  moert_plan_routing routing;
  moert_plan_effort effort;
  /** NUMA nodes of a server; NIC k of d is on node k * nodes / d. */
  int32_t numa_nodes;
  /** [num_servers, num_servers], of any unit; the diagonal does not count. */
  const double *demand;
  /** Circuits that are up, [num_servers, num_servers], or NULL: of plans whose
   * time is within the fraction `uncertainty` of the best found, the one that
   * changes fewest ports. */
  const int32_t *keep;
  double uncertainty;
  /** [num_servers, optical_degree + eps_nics], not 0 for a NIC that does not
   * work, those on the circuit switch first; NULL when all do. */
  const int32_t *failed;
} moert_plan_circuits_args;

/** Times are in demand units over what one NIC carries; infinity where demand
 * has no way. */
typedef struct moert_plan_circuits_result {
  double time;
  /** What no circuits are faster than. */
  double bound;
  double greedy_time;
  /** Of the circuits of `keep` whose NICs work, of none without. */
  double kept_time;
  int64_t changed_ports;
} moert_plan_circuits_result;

/** A circuit between NIC `nic` of `server` and NIC `peer_nic` of `peer`, which
 * is the greater server. */
typedef struct moert_plan_link {
  int32_t server;
  int32_t nic;
  int32_t peer;
  int32_t peer_nic;
} moert_plan_link;

/** No servers, split routing, fast, one NUMA node, nothing to keep. Writes
 * `size` bytes, the `sizeof(moert_plan_circuits_args)` of the caller, and no
 * more. C and C++ get the macro. */
MOERT_API moert_status
moert_plan_circuits_default_sized(moert_plan_circuits_args *args, size_t size);
#define moert_plan_circuits_default(args)                                      \
  moert_plan_circuits_default_sized((args), sizeof(moert_plan_circuits_args))

/** Which servers circuits should join: what `moe-fabric circuits` answers (SPEC
 * MF-2 to MF-6). Writes how many circuits each two servers have to
 * `circuits[num_servers, num_servers]`, and, where `links` is not NULL, which
 * NICs they are plugged into, at most num_servers * optical_degree / 2 of them,
 * with their number to `num_links`. `result` may be NULL. */
MOERT_API moert_status moert_plan_circuits(const moert_plan_circuits_args *args,
                                           int32_t *circuits,
                                           moert_plan_link *links,
                                           int32_t *num_links,
                                           moert_plan_circuits_result *result);

/** What is known of a predicted load. */
typedef struct moert_plan_load_result {
  /** How many directions of loads the samples tell apart: with fewer than
   * experts, matrices that are far apart fit them as well. */
  int32_t rank;
  /** The sum of squares that the fit leaves, and the most that a better one
   * could take off it. */
  double error;
  double gap;
} moert_plan_load_result;

/** The load of a layer from that of the layer before, by the matrix that turns
 * `num_samples` earlier loads into each other best (mFabric's Copilot, SPEC
 * MF-11): `before` and `after` are [num_samples, num_experts] numbers of tokens
 * of the two layers, `weights` the samples' or NULL for equal ones, and `now`
 * the tokens of the layer before, [num_experts]. Writes shares, which add up to
 * 1, to `predicted[num_experts]`. 1 to 4096 experts, 1 to 65536 samples, each of
 * at least one token; at most `rounds` steps of the fit, at least 1. `result`
 * may be NULL. */
MOERT_API moert_status moert_plan_predict_load(
    int32_t num_experts, int32_t num_samples, const double *before,
    const double *after, const double *weights, const double *now,
    int64_t rounds, double *predicted, moert_plan_load_result *result);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_PLAN_H */
