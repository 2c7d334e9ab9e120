/*===- moert_plan.h - Planners at run time --------------------------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The interface of libmoert_plan, which programs link in addition to libmoert.
 * `moert_last_error` describes errors.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_PLAN_H
#define MOERT_PLAN_H

#include "moert.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===
 * The compiler's cost model and planners for running programs. They need no
 * context and no job. Times are predictions.
 *===----------------------------------------------------------------------===*/

typedef struct moert_plan_machine moert_plan_machine;

/** A point of an efficiency curve (SPEC CC-3): messages of `bytes` bytes reach
 * the fraction `ratio` of the bandwidth. Bytes ascend, and 0 < ratio <= 1. */
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

/** A measured model: a collective with this level as its outermost level takes
 * `alpha_us` + `us_per_byte` times the bytes of its buffer. A collective may
 * have several fits for groups with different `group_ranks` or
 * `ranks_together`. */
typedef struct moert_plan_fit {
  moert_plan_collective collective;
  double alpha_us;
  double us_per_byte;
  /** Number of ranks in the measured group, from which the time of other groups
   * is scaled; 0 disables scaling. */
  int64_t group_ranks;
  /** Number of these ranks in each instance of the previous level; 0 means as
   * many as fill one. */
  int64_t ranks_together;
} moert_plan_fit;

/** One level of links, from the innermost outward. The members are those of a
 * platform file (docs/reference/platform-file.md). */
typedef struct moert_plan_level {
  /** For error messages; may be NULL. */
  const char *name;
  int64_t ranks;
  double gigabytes_per_second;
  /** Number of ranks that share an endpoint of this bandwidth; 1 if each rank
   * has its own. */
  int64_t ranks_per_nic;
  double latency_us;
  const moert_plan_point *efficiency;
  int32_t num_efficiency;
  /** Nonzero if the curve does not include the latency, which is then added. */
  int32_t curve_is_latency_free;
  const moert_plan_fit *fits;
  int32_t num_fits;
} moert_plan_level;

/** A resource that concurrent tasks of a rank share (SPEC MO-9). */
typedef enum moert_plan_resource {
  MOERT_PLAN_INTER = 0,
  MOERT_PLAN_INTRA = 1,
  MOERT_PLAN_COPY = 2,
  MOERT_PLAN_COMPUTE = 3
} moert_plan_resource;

/** Tasks of `slowed` take `factor` (at least 1) times as long while a task of
 * `by` runs. */
typedef struct moert_plan_contention {
  moert_plan_resource slowed;
  moert_plan_resource by;
  double factor;
} moert_plan_contention;

/** The algorithm of a library for an all-gather, a reduce-scatter or an
 * all-reduce. */
typedef enum moert_plan_algorithm {
  MOERT_PLAN_RING = 0,
  /** Only for all-reduces. */
  MOERT_PLAN_TREE = 1,
  /** Only for all-reduces. */
  MOERT_PLAN_NVLS_TREE = 2
} moert_plan_algorithm;

/** A protocol of collectives with `level` as their outermost level and no fit
 * there, as in `protocols` of a platform file
 * (docs/reference/platform-file.md). The fastest protocol determines the
 * time. */
typedef struct moert_plan_protocol {
  /** Index into `levels`. */
  int32_t level;
  moert_plan_algorithm algorithm;
  double start_us;
  double inner_step_us;
  double step_us;
  /** Above 0, at most 1. */
  double bandwidth_share;
  /** Maximum rate at which a rank forwards data; 0 means no limit. */
  double max_gigabytes_per_second;
  /** In place of the level's; may be empty. */
  const moert_plan_point *efficiency;
  int32_t num_efficiency;
} moert_plan_protocol;

/** A machine in plain numbers. Initialize it with
 * `moert_plan_machine_default`. */
typedef struct moert_plan_machine_config {
  /** `sizeof(moert_plan_machine_config)` of the caller; moert.h describes other
   * sizes. */
  size_t struct_size;
  /** For errors and reasons; may be NULL. */
  const char *name;
  const moert_plan_level *levels;
  int32_t num_levels;
  /** Rate of copies on the device; 0 GB/s if it is unknown. */
  double copy_gigabytes_per_second;
  double copy_latency_us;
  const moert_plan_point *copy_efficiency;
  int32_t num_copy_efficiency;
  /** A GEMM takes `gemm_alpha_us` plus `gemm_us_per_mac` for each
   * multiply-accumulate (SPEC FS-1); both are 0 if they are unknown. */
  double gemm_alpha_us;
  double gemm_us_per_mac;
  /** Lower limit for the size of planned chunks (SPEC MO-5). */
  double minimum_message_bytes;
  /** Time added to each operation of a pipelined chain (SPEC MO-8). */
  double pipeline_stall_us;
  const moert_plan_contention *contention;
  int32_t num_contention;
  /** Relative difference below which predicted times count as equal, >= 0 and
   * below 1; the simplest of equal choices wins. */
  double uncertainty;
  /** Since interface 0.13. */
  const moert_plan_protocol *protocols;
  int32_t num_protocols;
} moert_plan_machine_config;

/** Fills in the defaults: no name, levels, copies, GEMMs, minimum, stall,
 * contention, uncertainty or protocols. Writes only `size` bytes, the
 * `sizeof(moert_plan_machine_config)` of the caller. */
MOERT_API moert_status
moert_plan_machine_default_sized(moert_plan_machine_config *config,
                                 size_t size);
/** Does the same for callers of the first interface that had this struct, which
 * do not pass a size. In C and C++, the macro below replaces it. */
MOERT_API moert_status
moert_plan_machine_default(moert_plan_machine_config *config);
#define moert_plan_machine_default(config)                                     \
  moert_plan_machine_default_sized((config), sizeof(moert_plan_machine_config))
/** Checks a machine and stores a copy. Several threads may use it. */
MOERT_API moert_status
moert_plan_machine_create(const moert_plan_machine_config *config,
                          moert_plan_machine **machine);
MOERT_API moert_status moert_plan_machine_destroy(moert_plan_machine *machine);

/** Predicts the time of a collective that all groups run concurrently. `ranks`
 * lists `num_groups` groups of `group_size` ranks, one group after another,
 * without duplicates. `bytes` is the size of the local operand of an
 * all-to-all, all-reduce or reduce-scatter, or of the result of an
 * all-gather. */
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
  /** 0 if the strategy is impossible; `why_not` then has the reason, cut to the
   * size of the array. */
  int32_t possible;
  int64_t chunks;
  double time_us;
  /** Times of the stages of one chunk; the baseline has only the all-to-all. */
  double all_to_all_us;
  double all_gather_us;
  double copy_us;
  char why_not[256];
} moert_plan_strategy_time;

typedef struct moert_plan_all_to_all_result {
  moert_plan_strategy chosen;
  int64_t chunks;
  double time_us;
  /** Indexed by `moert_plan_strategy`. */
  moert_plan_strategy_time strategies[MOERT_PLAN_NUM_STRATEGIES];
} moert_plan_all_to_all_result;

/** Chooses the best way to exchange `bytes` bytes per rank over `ep` ranks, if
 * `tp` consecutive ranks hold the same data; `moe-plan all-to-all` prints the
 * same result. `chunks` is the only number of chunks to try, or 0 for all
 * numbers up to `max_chunks`, in [1, 65536]; `bytes` must be in [1, 2^53]. */
MOERT_API moert_status moert_plan_all_to_all(
    const moert_plan_machine *machine, int64_t bytes, int64_t ep, int64_t tp,
    int64_t chunks, int64_t max_chunks, moert_plan_all_to_all_result *result);

/** One direction (forward or backward) of an MoE layer (SPEC FS-2). All members
 * except the capacity factor must be at least 1. */
typedef struct moert_plan_layer {
  int64_t micro_batch;
  int64_t seq_len;
  int64_t hidden;
  int64_t ffn_hidden;
  int64_t top_k;
  /** Slots of an expert relative to its even share of tokens; 0 means no
   * limit. */
  double capacity_factor;
  /** Number of GEMMs per expert: 2 for a GPT FFN, 3 for a gated FFN. */
  int64_t gemms;
  /** Number of consecutive ranks that split the tokens, and that split an
   * expert. */
  int64_t tp;
  int64_t esp;
  /** Bytes per element of the communicated tokens. */
  double element_bytes;
  /** Nonzero for the backward pass. */
  int32_t backward;
} moert_plan_layer;

typedef struct moert_plan_degree_result {
  /** The best number of chunks, and its time in FSMoE's order (SPEC FS-3). */
  int64_t degree;
  double time_us;
  /** Without pipelining. */
  double degree_one_us;
  /** Lower bound for every degree and task order. */
  double lower_bound_us;
} moert_plan_degree_result;

/** Chooses the number of chunks, from 1 to `max_degree` in [1, 64], for the
 * tokens of a layer during whose execution a gradient all-reduce of
 * `gradient_us` runs (0 for none); `moe-plan degree` prints the same result.
 * The machine must have a GEMM model. */
MOERT_API moert_status moert_plan_degree(const moert_plan_machine *machine,
                                         const moert_plan_layer *layer,
                                         double gradient_us,
                                         int64_t max_degree,
                                         moert_plan_degree_result *result);

/** The networks that a pair of servers with circuits may use (SPEC MF-4). */
typedef enum moert_plan_routing {
  /** Circuits and packets concurrently, in the shares that end first. */
  MOERT_PLAN_SPLIT = 0,
  /** Only circuits; pairs without circuits use packets. */
  MOERT_PLAN_EXCLUSIVE = 1
} moert_plan_routing;

/** The effort of the search for circuits. */
typedef enum moert_plan_effort {
  /** mFabric's Algorithm 1 (SPEC MF-2). */
  MOERT_PLAN_GREEDY = 0,
  /** Tens of microseconds for 8 servers. */
  MOERT_PLAN_FAST = 1,
  /** Milliseconds. */
  MOERT_PLAN_THOROUGH = 2
} moert_plan_effort;

/** Servers and their demand for each other. Initialize it with
 * `moert_plan_circuits_default`. */
typedef struct moert_plan_circuits_args {
  /** `sizeof(moert_plan_circuits_args)` of the caller; moert.h describes other
   * sizes. */
  size_t struct_size;
  /** 1 to 1024 servers. Each has `optical_degree` NICs on the circuit switch
   * and `eps_nics` NICs on the packet network, 0 to 4096. */
  int32_t num_servers;
  int32_t optical_degree;
  int32_t eps_nics;
  moert_plan_routing routing;
  moert_plan_effort effort;
  /** NUMA nodes per server; NIC k of d is on node k * nodes / d. */
  int32_t numa_nodes;
  /** [num_servers, num_servers], in any unit; the diagonal is ignored. */
  const double *demand;
  /** Present circuits, [num_servers, num_servers], or NULL. Of the plans with a
   * time within the fraction `uncertainty` of the best one found, the planner
   * chooses the plan that changes the fewest ports. */
  const int32_t *keep;
  double uncertainty;
  /** [num_servers, optical_degree + eps_nics], nonzero for a broken NIC, the
   * NICs on the circuit switch first; NULL if all NICs work. */
  const int32_t *failed;
} moert_plan_circuits_args;

/** Times are demand units divided by the bandwidth of one NIC, and infinite if
 * demand has no path. */
typedef struct moert_plan_circuits_result {
  double time;
  /** Lower bound for the time of every choice of circuits. */
  double bound;
  double greedy_time;
  /** Time of the circuits of `keep` with working NICs, or of no circuits
   * without `keep`. */
  double kept_time;
  int64_t changed_ports;
} moert_plan_circuits_result;

/** A circuit between NIC `nic` of `server` and NIC `peer_nic` of `peer`, where
 * `server` < `peer`. */
typedef struct moert_plan_link {
  int32_t server;
  int32_t nic;
  int32_t peer;
  int32_t peer_nic;
} moert_plan_link;

/** Fills in the defaults: no servers, split routing, fast, one NUMA node, no
 * circuits to keep. Writes only `size` bytes, the
 * `sizeof(moert_plan_circuits_args)` of the caller. C and C++ use the macro. */
MOERT_API moert_status
moert_plan_circuits_default_sized(moert_plan_circuits_args *args, size_t size);
#define moert_plan_circuits_default(args)                                      \
  moert_plan_circuits_default_sized((args), sizeof(moert_plan_circuits_args))

/** Chooses the servers that circuits should join; `moe-fabric circuits` prints
 * the same result (SPEC MF-2 to MF-6). Writes the number of circuits between
 * each two servers to `circuits[num_servers, num_servers]`. If `links` is not
 * NULL, writes the NICs of each circuit to it, at most num_servers *
 * optical_degree / 2 links, and their number to `num_links`. `result` may be
 * NULL. */
MOERT_API moert_status moert_plan_circuits(const moert_plan_circuits_args *args,
                                           int32_t *circuits,
                                           moert_plan_link *links,
                                           int32_t *num_links,
                                           moert_plan_circuits_result *result);

/** The quality of a predicted load. */
typedef struct moert_plan_load_result {
  /** Number of directions of loads that the samples distinguish. If there are
   * fewer than experts, very different matrices fit the samples equally
   * well. */
  int32_t rank;
  /** Residual sum of squares of the fit, and an upper bound for the improvement
   * of a better fit. */
  double error;
  double gap;
} moert_plan_load_result;

/** Predicts the load of a layer from the load of the previous layer, with the
 * matrix that best maps `num_samples` earlier loads (mFabric's Copilot, SPEC
 * MF-11). `before` and `after` are [num_samples, num_experts] token counts of
 * the two layers, `weights` are the weights of the samples, or NULL for equal
 * ones, and `now` is the [num_experts] token counts of the previous layer.
 * Writes shares with sum 1 to `predicted[num_experts]`. There are 1 to 4096
 * experts and 1 to 65536 samples with at least one token each; the fit takes at
 * most `rounds` steps, at least 1. `result` may be NULL. */
MOERT_API moert_status moert_plan_predict_load(
    int32_t num_experts, int32_t num_samples, const double *before,
    const double *after, const double *weights, const double *now,
    int64_t rounds, double *predicted, moert_plan_load_result *result);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_PLAN_H */
