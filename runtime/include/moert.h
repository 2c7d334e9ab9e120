/*===- moert.h - The C ABI of the runtime ---------------------------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What compiled programs and hand-written ones call to run on the ranks of a
 * job. C11 and C++. ../README.md tells the whole story; in short:
 *
 * - Every call returns a `moert_status`; no exception crosses this interface.
 *   `moert_last_error` tells in words what went wrong, on which rank and why.
 * - A `moert_context` is one rank's place in a job. Nothing is taken from
 *   thread-local or process-wide state, so many ranks may live in one process.
 * - Calls that put work on a stream return at once. Work of one stream runs in
 *   the order it was put there; between streams only events order it. All
 *   ranks put collectives on their streams in one order.
 * - The first failure of work or of communication, on any rank, aborts the
 *   job: no rank waits for data that will not come. Each rank's next wait
 *   returns what failed, or `MOERT_ABORTED` with the cause of another's
 *   failure in words. Only `moert_finalize`, the `destroy` functions and
 *   `moert_last_error` make sense then.
 * - Deadlines are microseconds from now; `MOERT_DEADLINE_DEFAULT` stands for
 *   the one of the configuration. A wait with deadline 0 looks once.
 * - Objects of one context may be used from several threads, a single stream
 *   or communicator from one thread at a time.
 * - Pointers to data point into the memory space that streams of the backend
 *   work on: `MOERT_MEMORY_DEVICE`, which on CPU backends is ordinary memory.
 *   Data must stay in place until the work that uses it has ended. Small
 *   arrays that describe a call (ranks, sizes, offsets, strides) are ordinary
 *   memory and read before the call returns.
 * - Tensors are row-major and contiguous where no strides are given. Sizes and
 *   counts are elements unless the name says bytes.
 * - Configurations and the arguments of kernels are structs that begin with
 *   their own size, `sizeof` of the caller. Later versions add members at the
 *   end, whose zero means what there was before them. So a smaller struct, down
 *   to that of interface 0.7, is taken with zeros in place of what it lacks; of
 *   a larger one the bytes that this library does not know must be zero, since
 *   otherwise the caller asks for what nobody would do. All else is
 *   INVALID_ARGUMENT, and nothing is read of it.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_H
#define MOERT_H

#include <stddef.h>
#include <stdint.h>

/** Version of this interface. A change of the major number breaks callers; a
 * change of the minor number only adds. Before 1.0 the minor number may break
 * callers too. */
#define MOERT_VERSION_MAJOR 0
#define MOERT_VERSION_MINOR 12

#if defined(__GNUC__)
#define MOERT_API __attribute__((visibility("default")))
#else
#define MOERT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. Every call returns one; no exception crosses this
 * interface. The numbers do not change within a major version. */
typedef enum moert_status {
  /** Done. */
  MOERT_OK = 0,
  /** An argument is out of its range; nothing was done. Also: data that work
   * on a stream found to be out of range, e.g. the number of an expert. */
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

/** Element types. Integers have no sign of their own: sums and products wrap,
 * minima and maxima compare them as signed. */
typedef enum moert_type {
  MOERT_F64 = 0,
  MOERT_F32 = 1,
  MOERT_F16 = 2,
  MOERT_BF16 = 3,
  MOERT_I64 = 4,
  MOERT_I32 = 5,
  MOERT_I16 = 6,
  MOERT_I8 = 7
} moert_type;

/** How a collective reduces, numbered as in the `moe` dialect. Every step is
 * rounded to the element type; NaN wins over numbers, and a NaN that was
 * computed is the positive quiet one. On nccl, as NCCL does it: steps of sums
 * may be rounded elsewhere; minima and maxima pass NaN over where any member
 * has a number, and which bits a NaN has is not defined. */
typedef enum moert_reduction {
  MOERT_SUM = 0,
  MOERT_PROD = 1,
  MOERT_MIN = 2,
  MOERT_MAX = 3
} moert_reduction;

/** Where a buffer lives. */
typedef enum moert_memory_space {
  /** Memory the calling thread reads and writes. */
  MOERT_MEMORY_HOST = 0,
  /** Memory the streams of the backend read and write; ordinary memory on CPU
   * backends. */
  MOERT_MEMORY_DEVICE = 1
} moert_memory_space;

typedef struct moert_context moert_context;
typedef struct moert_stream moert_stream;
typedef struct moert_event moert_event;
typedef struct moert_comm moert_comm;
typedef struct moert_buffer moert_buffer;

/** Stands for the deadline of the context's configuration. */
#define MOERT_DEADLINE_DEFAULT INT64_C(-1)

/*===----------------------------------------------------------------------===
 * Start and end
 *===----------------------------------------------------------------------===*/

/** One level of the links that the backend `host` can emulate. */
typedef struct moert_link {
  /** Ranks that such a unit spans; ranks r and s are in one unit when
   * r / span == s / span. Ascending; the last level spans all ranks. */
  int32_t span;
  /** Bandwidth of one rank's link at this level in 1e9 bytes per second, in
   * each direction; greater than 0. */
  double gigabytes_per_second;
  /** Latency of a collective that crosses this level, in microseconds. */
  double latency_us;
} moert_link;

/** How a rank joins a job. Set up by `moert_config_default`. */
typedef struct moert_config {
  /** `sizeof(moert_config)` of the caller. */
  size_t struct_size;
  /** "host", "mpi" or "nccl". */
  const char *backend;
  /** This rank, in [0, world_size). */
  int32_t rank;
  /** Ranks of the job, at least 1. */
  int32_t world_size;
  /** Where the ranks meet. host: any name, the same for the ranks of one job
   * of this process. nccl: "HOST:PORT" where rank 0 listens. mpi: not used,
   * mpirun connects the ranks. See also `all_gather`. */
  const char *address;
  /** Secret of the job; a rank that shows another one is refused. May be
   * empty. */
  const char *token;
  /** Default deadline of every wait, in microseconds, greater than 0: also how
   * long a collective waits on its stream for the other ranks.
   * `MOERT_DEADLINE_DEFAULT` stands for the backend's: 60 s on host and mpi;
   * 600 s on nccl, where a step between two collectives, a checkpoint or the
   * first load of a kernel may take minutes. */
  int64_t deadline_us;
  /** nccl: ordinal of the device among those that the process sees, or -1 for
   * `local_rank` modulo their number; where that is not known either, for
   * `rank` modulo their number. */
  int32_t device;
  /** host: links to emulate, `num_links` of them, or none. Collectives then
   * take at least: the greatest latency of a level that they cross, plus the
   * greatest over levels of bytes / bandwidth (SPEC CC-1), after all ranks
   * have arrived. A level's link serves one collective at a time. */
  const moert_link *links;
  int32_t num_links;
  /** Not read: here structs of interface 0.7 end with nothing of their own. */
  int32_t padding;
  /** This rank among those of its node, from 0 on; -1 when it is not known. */
  int32_t local_rank;
  /** nccl: how many blocks, each of which takes a multiprocessor, a collective
   * is run by at least and at most, and how many of them make a cluster. Fewer
   * leave more of the device to what is computed meanwhile. 0 leaves it to what
   * programs were compiled for (`moert_program`), and where that is nothing, to
   * NCCL; -1 to NCCL whatever it is. Needs NCCL 2.17: UNAVAILABLE with an older
   * one. */
  int32_t min_ctas, max_ctas, cga_cluster_size;
  /** nccl and host: how ranks tell each other bytes, in place of `address`, which
   * is not read then; NULL for the hub at `address`. With host, ranks may then be
   * processes of one machine, which connect to each other; without it they are
   * threads of one process. Gathers `bytes` bytes of every
   * rank, the same number at every call of a job, in the order of ranks into
   * `all`, and returns 0 when they are there; anything else ends the job here.
   * All ranks give one or none.
   *
   * It is called once in `moert_init`, once for each communicator and for what
   * is exchanged beside streams (optical switches), on a thread of the
   * context's own, one call at a time, while the thread that called this
   * library waits: MPI needs MPI_THREAD_SERIALIZED, Python its lock released.
   * No device is current there. One that does not return by the deadline ends
   * the job here; `moert_finalize` leaves its thread behind after 2 s, and until
   * it returns `bootstrap_user` and the code stay where they are.
   *
   * What is weaker than with the hub, on nccl:
   * - All ranks of the job make communicators at the same time and in one
   *   order, each for a group that it is a member of: one that is left out of
   *   `moert_comm_create` keeps the others waiting until the deadline. Compiled
   *   programs do it so.
   * - Collectives are not compared: ranks that call different ones, or other
   *   sizes, run into the deadline, or go on with wrong data.
   * - Errors of a deadline do not say who is missing.
   * - A process that ends is not noticed, nor is one that has left the job.
   * - A failure is known on its own rank: others run into their deadlines,
   *   unless `aborted` there and `must_abort` here carry it. */
  int (*all_gather)(void *user, const void *mine, void *all, size_t bytes);
  /** Whether the job has to end, as its caller knows: anything but 0 does, as
   * `moert_abort`. Asked some 20 times a second until the job has failed, on
   * another thread of the context's own, also while `all_gather` is under way.
   * May be NULL; only beside `all_gather`. */
  int (*must_abort)(void *user);
  /** Told once, on that thread, when the job has failed on this rank, whoever
   * found it; `reason` is there until it returns. `moert_finalize` returns after
   * it has been told, or after 2 s. May be NULL; only beside `all_gather`. */
  void (*aborted)(void *user, const char *reason);
  /** What the three are called with. */
  void *bootstrap_user;
  /** nccl: 1 lets `moert_program_run`, and so `moe_p`, capture the second run of
   * a program with the same inputs and results as a CUDA graph, and launch that
   * from then on: one call of the driver a run. UNAVAILABLE with a driver for
   * CUDA before 11.4. Programs in which the host has a part while they run are
   * refused by name. */
  int32_t cuda_graph;
  /** nccl: 1 lets memory of `moert_buffer_create`, the workspaces that the
   * context keeps among it, be NCCL's (ncclMemAlloc), and registered with each
   * communicator that is the context's own (ncclCommRegister): collectives need
   * no copies and fewer blocks, where the links allow it. 0 does so for what is
   * made once a program was prepared or run that was compiled for it; -1 never.
   * Needs NCCL 2.19: UNAVAILABLE with an older one. */
  int32_t register_buffers;
} moert_config;

/** Fills in the defaults: backend "host", rank 0 of 1, address "local", no
 * token, the backend's deadline, device and local rank -1, no emulated links,
 * NCCL's own choice of blocks, nothing of the caller's to meet by. Writes `size`
 * bytes, the `sizeof(moert_config)` of the caller, and no more. */
MOERT_API moert_status moert_config_default_sized(moert_config *config,
                                                  size_t size);
/** The same for callers that do not say their size: those of interface 0.7,
 * whose members alone it writes. C and C++ get the macro. */
MOERT_API moert_status moert_config_default(moert_config *config);
#define moert_config_default(config)                                           \
  moert_config_default_sized((config), sizeof(moert_config))

/** Overwrites rank, local rank, world size, address and token of `config` by
 * what the launcher's environment variables say (README, "Environment
 * variables"), and leaves alone what they do not. The strings live as long as
 * the process.
 * Nothing else in this library reads a variable behind the caller's back. */
MOERT_API moert_status moert_config_from_environment(moert_config *config);

/** Whether a backend can be used on this machine. Writes the reason why not,
 * or what was found (libraries and versions), into `text`, cut to `size`
 * bytes with the terminating zero. Returns MOERT_OK, MOERT_UNAVAILABLE, or
 * MOERT_INVALID_ARGUMENT for an unknown name. */
MOERT_API moert_status moert_backend_info(const char *backend, char *text,
                                          size_t size);

/** Joins a job; returns when all ranks have joined. Errors: UNAVAILABLE (the
 * reason is in `moert_last_error(NULL)`), DEADLINE_EXCEEDED naming the ranks
 * that did not come, INVALID_ARGUMENT, e.g. for a rank that is there already
 * or a wrong token (which leaves the others alone). */
MOERT_API moert_status moert_init(const moert_config *config,
                                  moert_context **context);

/** Waits for the work of all streams of this rank, leaves the job, and
 * destroys the context with everything made from it that is left. Does so
 * also when it reports an error. Does not wait for the work of other ranks. */
MOERT_API moert_status moert_finalize(moert_context *context,
                                      int64_t deadline_us);

/** Ends the job for all ranks: their waits return ABORTED with this reason. */
MOERT_API moert_status moert_abort(moert_context *context, const char *reason);

MOERT_API int32_t moert_rank(const moert_context *context);
MOERT_API int32_t moert_world_size(const moert_context *context);

/** What the last failed call of this thread found, in words: rank, call, what
 * was expected and what found. When the job was aborted and no call of this
 * thread has failed, why it was. Valid until this thread's next call; empty
 * when there is nothing to tell. `context` may be NULL. */
MOERT_API const char *moert_last_error(const moert_context *context);

/** The name of a status, e.g. "MOERT_MISMATCH". */
MOERT_API const char *moert_status_name(moert_status status);

/** Bytes of one element, 0 for an unknown type. */
MOERT_API size_t moert_type_size(moert_type type);

/*===----------------------------------------------------------------------===
 * Buffers
 *===----------------------------------------------------------------------===*/

/** Allocates `bytes` bytes, aligned to at least 64, content undefined. */
MOERT_API moert_status moert_buffer_create(moert_context *context,
                                           size_t bytes,
                                           moert_memory_space space,
                                           moert_buffer **buffer);
MOERT_API moert_status moert_buffer_destroy(moert_buffer *buffer);
MOERT_API void *moert_buffer_data(const moert_buffer *buffer);
MOERT_API size_t moert_buffer_size(const moert_buffer *buffer);

/*===----------------------------------------------------------------------===
 * Streams and events
 *===----------------------------------------------------------------------===*/

/** The most urgent priority that backends tell from those before it. */
#define MOERT_MOST_URGENT (-5)

/** A queue of work that runs one piece after another. `priority` 0 is normal,
 * a lower number is more urgent (a hint; `host` ignores it, what `mpi` makes of
 * it says runtime/README.md; `nccl` maps 0 to MOERT_MOST_URGENT onto the
 * priorities that the device has). `name` stands in errors and may be NULL. */
MOERT_API moert_status moert_stream_create(moert_context *context,
                                           const char *name, int32_t priority,
                                           moert_stream **stream);
/** nccl: makes the caller's stream (a CUstream or cudaStream_t; NULL is the
 * default one) one of the context's, for `moe_p_enqueue` and all other calls.
 * It stays the caller's: `moert_stream_destroy` forgets it without waiting, and
 * it is destroyed only after that, or after `moert_finalize`, which waits for
 * its work. UNAVAILABLE on CPU backends, whose streams are all of
 * `moert_stream_create`. */
MOERT_API moert_status moert_stream_adopt(moert_context *context,
                                          const char *name, void *native_stream,
                                          moert_stream **stream);
/** Waits (default deadline) for its work first. Communicators of the stream
 * must have been destroyed. */
MOERT_API moert_status moert_stream_destroy(moert_stream *stream);
/** The job's stream of this name and priority: made at the first call, the
 * same at every further one, and destroyed by `moert_finalize`, not by
 * `moert_stream_destroy`. So a program that is called at every step of a
 * training makes its streams once, and all programs of a context share them;
 * they run one at a time. */
MOERT_API moert_status moert_stream_get(moert_context *context,
                                        const char *name, int32_t priority,
                                        moert_stream **stream);
/** Products of matrices that are put on the stream from here on leave `sms`
 * streaming multiprocessors of a GPU free, so that collectives can start while
 * a product runs; 0, as at first, leaves none. CPU backends ignore it. nccl:
 * cuBLAS's products do so, kernels of this library and of programs do not.
 * INVALID_ARGUMENT if the device has no more than `sms`; UNAVAILABLE if cuBLAS
 * is missing or has no such setting. Since interface 0.12. */
MOERT_API moert_status moert_stream_leave_sms(moert_stream *stream,
                                              int32_t sms);
/** Waits until all work put on the stream so far has ended. */
MOERT_API moert_status moert_stream_synchronize(moert_stream *stream,
                                                int64_t deadline_us);

/** A point in a stream. Fresh events count as reached. */
MOERT_API moert_status moert_event_create(moert_context *context,
                                          moert_event **event);
/** One that also keeps when it was reached, which takes devices longer. */
MOERT_API moert_status moert_event_create_timed(moert_context *context,
                                                moert_event **event);
MOERT_API moert_status moert_event_destroy(moert_event *event);
/** The event is reached when all work put on the stream so far has ended. May
 * be recorded again; waits that were placed before keep their meaning. */
MOERT_API moert_status moert_event_record(moert_event *event,
                                          moert_stream *stream);
/** Work put on the stream from now on waits for the event's last record. */
MOERT_API moert_status moert_stream_wait_event(moert_stream *stream,
                                               moert_event *event);
/** Sets `reached` to 1 or 0, without waiting. */
MOERT_API moert_status moert_event_query(moert_event *event, int *reached);
MOERT_API moert_status moert_event_synchronize(moert_event *event,
                                               int64_t deadline_us);
/** Microseconds between two events of `moert_event_create_timed` that were
 * reached. */
MOERT_API moert_status moert_event_elapsed(moert_event *start,
                                           moert_event *end,
                                           double *elapsed_us);

/** Puts a function on the stream: on a CPU backend, the body of a task. It
 * must not call this library. A result other than 0 aborts the job. `name`
 * stands in errors. Streams of a GPU refuse it (UNAVAILABLE). */
MOERT_API moert_status moert_launch(moert_stream *stream, const char *name,
                                    int (*function)(void *), void *argument);

/** Machine code of a program's kernels, for one architecture. */
typedef struct moert_cubin {
  /** The compute capability that it is for, 10 * major + minor, at least 10:
   * devices of the same major number and of this or a later minor one run it. */
  int32_t architecture;
  int32_t padding;   /**< 0 */
  const void *image; /**< as ptxas has written it */
  int64_t bytes;     /**< at least 1 */
} moert_cubin;

/** A kernel that comes with the program, not with this library. */
typedef struct moert_kernel_args {
  uint32_t size;    /**< `sizeof(moert_kernel_args)` */
  const char *name; /**< of the kernel in its image */
  /** What the device's driver loads: PTX with its terminating zero, a cubin or
   * a fat binary. It is loaded at the first launch and known by its address:
   * it stays there unchanged until `moert_finalize`. */
  const void *image;
  int64_t image_bytes; /**< at least 1 */
  /** Blocks, in [1, 2^31 - 1], [1, 65535] and [1, 65535]. */
  int64_t grid[3];
  /** Threads of a block, in [1, 1024], [1, 1024] and [1, 64], 1024 at most. */
  int64_t block[3];
  /** Where each argument's value is: 8 bytes, a pointer or an integer. Read
   * before the call returns. */
  void **arguments;
  int32_t num_arguments; /**< in [0, 512] */
  int64_t shared_bytes;  /**< memory of a block, in [0, 49152] */
  /** The same kernels as machine code, in any order; NULL for none. Loaded is
   * the one of the latest architecture that fits the device; `image` where none
   * does, or where the driver cannot load it. */
  const moert_cubin *cubins;
  int64_t num_cubins; /**< in [0, 64] */
} moert_kernel_args;
/** Puts a kernel of a program on the stream. CPU backends refuse it by name
 * (UNAVAILABLE). So are images of which the driver can load none, in the
 * driver's words and with what the device is, and a kernel that is not in the
 * one that was loaded; the job goes on. */
MOERT_API moert_status moert_launch_kernel(moert_stream *stream,
                                           const moert_kernel_args *args);

/** Keeps the stream busy for some time: an emulated operation. */
MOERT_API moert_status moert_delay(moert_stream *stream, double duration_us);

/*===----------------------------------------------------------------------===
 * Compiled programs. An object file of `moe-translate --emit=object` has, for a
 * program `p`, these functions, which its header declares:
 *
 *   moert_status moe_p_enqueue(moert_context *, moert_stream *stream,
 *                              void **inputs, void **results, void *workspace);
 *   int64_t moe_p_workspace_bytes(void);
 *   moert_status moe_p_prepare(moert_context *);
 *   moert_status moe_p(moert_context *, void **inputs, void **results);
 *
 * - `moe_p_enqueue` puts one run of the program behind what is on `stream` by
 *   now; work that is put there later comes after all of it. In between the
 *   program works on streams of the job (`moert_stream_get`). It reads the
 *   arrays of pointers before it returns, and what they point to when the
 *   stream comes to it. The host waits MOE_p_HOST_WAITS times, as the header
 *   says, for counts or switches that it needs; 0 times as a rule.
 * - What the first call makes (streams, communicators, events) the context
 *   keeps: later calls make nothing, and no threads. `moe_p_prepare` does that
 *   part beforehand; it is a rendezvous of all ranks, as the first call is.
 * - The workspace is `moe_p_workspace_bytes()` bytes of the memory that streams
 *   work on, aligned to MOERT_WORKSPACE_ALIGNMENT. Its content means nothing
 *   between runs. Inputs, results and workspace stay the caller's, and in place
 *   until the run has ended; runs under way may not share a workspace unless
 *   one stream orders them.
 * - On nccl, a program in which the host has no part (`host_part`) can be
 *   captured: a run that is put on a stream while somebody captures it becomes
 *   part of the graph, to be launched as often as wanted, on the same memory.
 *   It has run before on these streams, and the graph is destroyed before
 *   `moert_finalize`. Others are refused by name, and do nothing.
 * - `moe_p` is a run with a workspace and on a stream that the context keeps,
 *   and waits for its end.
 * - A context's programs are called from one thread at a time, by all ranks in
 *   one order.
 *===----------------------------------------------------------------------===*/

/** The interface that this header is of, as programs keep it. */
#define MOERT_ABI_VERSION (MOERT_VERSION_MAJOR * 65536 + MOERT_VERSION_MINOR)

/** What a workspace is aligned to, in bytes. */
#define MOERT_WORKSPACE_ALIGNMENT 64

/** What a compiled program says of itself. */
typedef struct moert_program {
  uint32_t size;        /**< `sizeof(moert_program)` */
  uint32_t abi_version; /**< MOERT_ABI_VERSION of its compiler */
  int32_t num_ranks;    /**< of the job; 0: any number */
  int32_t host_waits;   /**< waits of the host in a run, at most */
  int32_t num_inputs;
  int32_t num_results;
  const char *name;
  const int64_t *input_bytes;  /**< of each input */
  const int64_t *result_bytes; /**< of each result */
  int64_t workspace_bytes;
  int64_t host_bytes; /**< of the host's memory that streams write */
  int64_t num_events;
  moert_status (*enqueue)(moert_context *, moert_stream *, void **, void **,
                          void *);
  const void *image;   /**< of the kernels it brings along, or NULL */
  int64_t image_bytes; /**< with a zero byte at their end */
  /** What the host has to do in each run, beside putting work on streams, in
   * words; NULL for nothing: such a program can be captured. */
  const char *host_part;
  /** The same kernels as machine code, see `moert_kernel_args`. */
  const moert_cubin *cubins;
  int64_t num_cubins;
  /** What the platform that it was compiled for says of NCCL, 0 where that is
   * nothing, as in `moert_config`. It holds for communicators and buffers that
   * the context makes once the program was prepared or run, where the job's
   * configuration has 0; programs of one context must agree, but for 0. */
  int32_t min_ctas, max_ctas, cga_cluster_size, register_buffers;
} moert_program;

/** What a compiled program calls before anything else. Checks that this library
 * runs programs of its interface, that the job has its number of ranks and that
 * there is a pointer for each input and result that has bytes, and for the
 * workspace if it has any. Those without, and an array of none, may be NULL.
 * Errors are INVALID_ARGUMENT with the program's name. `host_memory` gets
 * `host_bytes` bytes that the context keeps. */
MOERT_API moert_status moert_program_begin(moert_context *context,
                                           const moert_program *program,
                                           moert_stream *stream,
                                           void *const *inputs,
                                           void *const *results,
                                           void *workspace, void **host_memory);
/** The part of it that needs no pointers; makes what the context keeps for the
 * program, but for streams and communicators, and loads its kernels. Those that
 * a GPU's driver cannot load are UNAVAILABLE, in its words. */
MOERT_API moert_status moert_program_prepare(moert_context *context,
                                             const moert_program *program);
/** Runs a program with a workspace and on a stream that the context keeps, and
 * waits for its end (default deadline). */
MOERT_API moert_status moert_program_run(moert_context *context,
                                         const moert_program *program,
                                         void **inputs, void **results);

/** What a program calls before the functions of a library beside this one, which
 * it may run without: MOERT_OK when `function`, one of them by a weak
 * reference, is in the process, else UNAVAILABLE naming the library. */
MOERT_API moert_status moert_program_needs(moert_context *context,
                                           const void *function,
                                           const char *library);

/** The context's event of this number, for compiled programs: made at the first
 * call, the same at every further one, and destroyed by `moert_finalize`. All
 * programs of a context share them, since a wait that was placed keeps its
 * meaning when the event is recorded again. */
MOERT_API moert_status moert_event_get(moert_context *context, int32_t number,
                                       moert_event **event);

/** `moert_launch` of a function whose argument is `bytes` bytes: they are copied
 * before this call returns, aligned to 16. */
MOERT_API moert_status moert_launch_packed(moert_stream *stream,
                                           const char *name,
                                           int (*function)(void *),
                                           const void *argument, size_t bytes);

/** How many of each a context has made since it began, by itself or because it
 * was asked to, and how often the host has waited for a stream or an event. */
typedef struct moert_counts {
  uint32_t size;   /**< `sizeof(moert_counts)`, set by the caller */
  int64_t buffers; /**< allocations; a buffer that is used again is none */
  int64_t streams;
  int64_t events;
  int64_t communicators;
  int64_t host_waits;
} moert_counts;
MOERT_API moert_status moert_context_counts(const moert_context *context,
                                            moert_counts *counts);

/*===----------------------------------------------------------------------===
 * Communicators
 *===----------------------------------------------------------------------===*/

/** The ranks of a group and the stream their collectives run on: one
 * communicator for each pair of the two. `ranks` lists `size` different ranks
 * in group order, the own among them. `key` tells communicators of one group
 * apart (e.g. the number of the stream); all members give the same. Returns
 * when all members have come. Destroy it before creating the same again.
 * Errors: MISMATCH when members list another order of the same ranks,
 * DEADLINE_EXCEEDED naming the members that did not come. */
MOERT_API moert_status moert_comm_create(moert_stream *stream,
                                         const int32_t *ranks, int32_t size,
                                         uint64_t key, int64_t deadline_us,
                                         moert_comm **comm);
/** The job's communicator of these ranks, in this order, on a stream of
 * `moert_stream_get`: created at the first call, which is a
 * `moert_comm_create` of all members with a key made from the stream's name
 * and priority, and the same at every further call, which waits for nobody.
 * Destroyed by `moert_finalize`, not by `moert_comm_destroy`. All members ask
 * for their communicators in one order. Errors: as `moert_comm_create`, and
 * INVALID_ARGUMENT for another stream. */
MOERT_API moert_status moert_comm_get(moert_stream *stream,
                                      const int32_t *ranks, int32_t size,
                                      int64_t deadline_us, moert_comm **comm);
/** nccl: makes the caller's communicator (a ncclComm_t) that of these ranks, in
 * this order, for all streams: `moert_comm_create` and `moert_comm_get` make
 * none then. All its members adopt theirs, before the first communicator of
 * these ranks: else MISMATCH from those calls. It stays the caller's, who keeps
 * it until `moert_finalize`. It is never aborted and never destroyed: after a
 * failure a collective under way on it ends when the caller aborts it, and the
 * words of the error say so. Collectives of several streams that share it run
 * one after another. UNAVAILABLE on CPU backends. */
MOERT_API moert_status moert_comm_adopt(moert_context *context,
                                        const int32_t *ranks, int32_t size,
                                        void *native_comm);
/** Waits (default deadline) for the work of its stream first. */
MOERT_API moert_status moert_comm_destroy(moert_comm *comm);
MOERT_API int32_t moert_comm_size(const moert_comm *comm);
/** Position of this rank in the group. */
MOERT_API int32_t moert_comm_rank(const moert_comm *comm);

/*===----------------------------------------------------------------------===
 * Collectives. Put on the communicator's stream; n is the group's size. Send
 * and receive buffers do not overlap unless stated. All members call the same
 * collective with the same counts, type and reduction: else MISMATCH on all.
 *===----------------------------------------------------------------------===*/

/** Block all-to-all, `moe.all_to_all` with split = concat = 0. Both buffers
 * hold n blocks of `block` elements; block j of `send` becomes block [my
 * position] of `receive` at position j. */
MOERT_API moert_status moert_all_to_all(moert_comm *comm, const void *send,
                                        void *receive, int64_t block,
                                        moert_type type);

/** `moe.ragged_all_to_all`: rows of `row` elements. `send_sizes[j]` rows of
 * `send`, from row `send_offsets[j]`, go to the member at position j; what
 * comes from position i fills `receive` from row `receive_offsets[i]`, an
 * offset of the receiver's own. Rows nothing is written to keep their value.
 * The buffers hold `send_rows` and `receive_rows` rows; every run must lie
 * inside and runs received must not overlap (INVALID_ARGUMENT); sizes must be
 * those the peers expect (MISMATCH). */
MOERT_API moert_status moert_ragged_all_to_all(
    moert_comm *comm, const void *send, int64_t send_rows, void *receive,
    int64_t receive_rows, int64_t row, const int64_t *send_offsets,
    const int64_t *send_sizes, const int64_t *receive_offsets,
    const int64_t *receive_sizes, moert_type type);

/** Joins the members' `count` elements in group order: `receive` holds n
 * times as many. `send` may be the own place in `receive`. */
MOERT_API moert_status moert_all_gather(moert_comm *comm, const void *send,
                                        void *receive, int64_t count,
                                        moert_type type);

/** Reduces n blocks of `block` elements in ascending group order (within a
 * tolerance on nccl) and leaves each member with its block. */
MOERT_API moert_status moert_reduce_scatter(moert_comm *comm, const void *send,
                                            void *receive, int64_t block,
                                            moert_type type,
                                            moert_reduction reduction);

/** Reduces `count` elements in ascending group order (within a tolerance on
 * nccl); every member gets all. `send` may be `receive`. */
MOERT_API moert_status moert_all_reduce(moert_comm *comm, const void *send,
                                        void *receive, int64_t count,
                                        moert_type type,
                                        moert_reduction reduction);

/** Work after it starts when all members have come to it. */
MOERT_API moert_status moert_barrier(moert_comm *comm);

/*===----------------------------------------------------------------------===
 * Local data movement
 *===----------------------------------------------------------------------===*/

/** Most dims of a strided copy. */
#define MOERT_MAX_DIMS 8

/** Copies `bytes` bytes between any two memory spaces. */
MOERT_API moert_status moert_copy(moert_stream *stream, void *target,
                                  const void *source, size_t bytes);

/** Drop, assemble and transpose: copies a box of `sizes[0..dims)` elements.
 * Strides are elements, 0 in the source only (broadcast). What the target holds
 * where its elements overlap each other or the source is not defined. */
MOERT_API moert_status moert_copy_strided(moert_stream *stream, void *target,
                                          const int64_t *target_strides,
                                          const void *source,
                                          const int64_t *source_strides,
                                          const int64_t *sizes, int32_t dims,
                                          moert_type type);

/** Writes `count` zeros. */
MOERT_API moert_status moert_fill_zero(moert_stream *stream, void *target,
                                       int64_t count, moert_type type);

/*===----------------------------------------------------------------------===
 * Modules of a layer (SPEC FS-12): S tokens, M hidden size, E experts, k
 * experts a token, C capacity. Meaning as in the `moe` dialect's reference
 * page, on CPU backends bit for bit as in the compiler's interpreter.
 *===----------------------------------------------------------------------===*/

typedef enum moert_gate_kind {
  MOERT_GATE_SOFTMAX = 0,
  MOERT_GATE_SIGMOID = 1,
  /** Logits choose; weights are the softmax over those of the chosen. */
  MOERT_GATE_GSHARD = 2,
  /** Scores are the square root of the softplus of the logits. */
  MOERT_GATE_SQRT_SOFTPLUS = 3
} moert_gate_kind;

/** `moe.gate`. On devices logits are sums of 32-bit floats, 64-bit ones where an
 * operand is f64, and scores 64-bit floats: the choice is that of CPU backends
 * where logits are not within this rounding of each other. */
typedef struct moert_gate_args {
  uint32_t size; /**< `sizeof(moert_gate_args)` */
  moert_gate_kind kind;
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t experts;    /**< E */
  int64_t top_k;      /**< k, in [1, E] */
  int64_t top_groups; /**< groups to choose from; 1 of 1 for no groups */
  int64_t num_groups; /**< divides E */
  int normalize;      /**< divide the weights of a token by their sum */
  double scale;       /**< then multiply them */
  const void *x;      /**< [S, M] of `type` */
  const void *router; /**< [M, E] of `router_type` */
  const void *bias;   /**< [E] of `bias_type`, or NULL; sigmoid only */
  void *ids;          /**< [S, k] of `ids_type`, an integer type */
  void *weights;      /**< [S, k] of `weights_type` */
  moert_type type, router_type, bias_type, ids_type, weights_type;
  /* Zero where unused. */
  const void *noise;      /**< [M, E] of `noise_type`, or NULL; gshard only */
  const void *projection; /**< [M, projected] of `projection_type`, or NULL;
                               softmax only. The router is then [projected, E],
                               and logits are cosines over `temperature`. */
  const void *seed;       /**< one int64_t: noise and jitter need it */
  int64_t projected;
  double temperature; /**< finite and positive with a projection */
  double jitter;      /**< in (0, 1), or 0 for none; softmax only */
  moert_type noise_type, projection_type;
  int biased; /**< the router is [M + 1, E], its last row is added to logits;
                   softmax and sigmoid only */
} moert_gate_args;
MOERT_API moert_status moert_gate(moert_stream *stream,
                                  const moert_gate_args *args);

typedef enum moert_order_kind {
  MOERT_ORDER_CHOICE = 0,
  MOERT_ORDER_TOKEN = 1
} moert_order_kind;

/** `moe.permute`: writes the whole buffer, free slots as zeros. Expert numbers
 * outside of [0, E) abort the job with INVALID_ARGUMENT. */
typedef struct moert_order_args {
  uint32_t size; /**< `sizeof(moert_order_args)` */
  moert_order_kind kind;
  int64_t tokens;   /**< S */
  int64_t hidden;   /**< M */
  int64_t top_k;    /**< k */
  int64_t experts;  /**< E */
  int64_t capacity; /**< C */
  const void *x;    /**< [S, M] of `type`, any type */
  const void *ids;  /**< [S, k] of `ids_type` */
  void *buffer;     /**< [E, C, M] of `type` */
  void *slots;      /**< [S, k] of `ids_type`; -1: no slot */
  moert_type type, ids_type;
} moert_order_args;
MOERT_API moert_status moert_order(moert_stream *stream,
                                   const moert_order_args *args);

/** `moe.expert_counts`: how many copies of tokens go to each expert, of each of
 * `parts` parts of the tokens by itself. Expert -1 is none, and not counted;
 * numbers outside of [-1, E) abort the job with INVALID_ARGUMENT. */
typedef struct moert_expert_counts_args {
  uint32_t size; /**< `sizeof(moert_expert_counts_args)` */
  int64_t parts;   /**< n */
  int64_t tokens;  /**< S of each part */
  int64_t top_k;   /**< k */
  int64_t experts; /**< E */
  const void *ids; /**< [n, S, k] of `ids_type` */
  void *counts;    /**< [n, E] of `counts_type`, an integer type that holds S*k */
  moert_type ids_type, counts_type;
} moert_expert_counts_args;
MOERT_API moert_status moert_expert_counts(
    moert_stream *stream, const moert_expert_counts_args *args);

/** `moe.permute_rows`: copies of tokens as rows, sorted by expert and without
 * holes; those of one expert in the order of their choices or of their tokens,
 * as `moert_order` has them. A copy for expert -1 is not sent: it has no row,
 * and as many rows at the end stay as they are. Numbers outside of [-1, E)
 * abort the job with INVALID_ARGUMENT. */
typedef struct moert_order_rows_args {
  uint32_t size; /**< `sizeof(moert_order_rows_args)` */
  moert_order_kind kind;
  int64_t tokens;  /**< S */
  int64_t hidden;  /**< M */
  int64_t top_k;   /**< k */
  int64_t experts; /**< E */
  const void *x;   /**< [S, M] of `type`, any type */
  const void *ids; /**< [S, k] of `ids_type` */
  void *rows;      /**< [S * k, M] of `type` */
  void *slots;     /**< [S, k] of `ids_type`: the row of each copy; -1: none */
  moert_type type, ids_type;
} moert_order_rows_args;
MOERT_API moert_status moert_order_rows(moert_stream *stream,
                                        const moert_order_rows_args *args);

/** `moe.ragged_plan`: from how many rows each rank of a group has for each
 * expert, who sends what to whom, and where. Done when the call returns; all
 * arrays are ordinary memory. Of a group of G ranks position p has experts
 * [p * E / G, (p + 1) * E / G); each rank has its rows sorted by expert
 * (`moert_order_rows`), and receives those of position 0, then of 1, and so on,
 * into `limit` rows. The ranks of another group, `joined` of them, may each do
 * so with a group of their own, and then gather what they have received, that
 * of position q from row q * `limit` on; without one `joined` is 1 and
 * `joined_position` 0.
 * - `members`: [joined, G], which rank of the job is at each position, for
 *   messages; null where nobody asks for them.
 * - `counts`: [joined, G, E] of `counts_type`, the rows of each position for
 *   each expert, the same on all ranks. All other arrays are of `type`, which
 *   holds joined * limit.
 * - `send_offsets`, `send_sizes`, `receive_offsets`, `receive_sizes`: [G], as
 *   `moert_ragged_all_to_all` takes them from the rank at these positions.
 * - `run_offsets`, `run_sizes`: [joined, G, E / G], the rows gathered that come
 *   from each position for each own expert, as `moert_experts` takes them.
 * INVALID_ARGUMENT, which harms nothing: a negative count; numbers that do not
 * fit `type`; and on every rank alike, in the same words, when any of them
 * would receive more than `limit` rows: which rank, how many, and what raises
 * the limit. So none sends what another has no memory for. */
MOERT_API moert_status moert_ragged_plan(
    moert_context *context, int64_t position, int64_t ranks,
    int64_t joined_position, int64_t joined, const int32_t *members,
    int64_t experts, int64_t limit, const void *counts, moert_type counts_type,
    void *send_offsets, void *send_sizes, void *receive_offsets,
    void *receive_sizes, void *run_offsets, void *run_sizes, moert_type type);

/** `moe.distinct_nodes`: the nodes of each token's experts, each once, in the
 * order in which they come first, and -1 in the places left. Expert e is on node
 * e / (E / N), expert -1 on none. Numbers outside of [-1, E), and a token with
 * experts on more than w nodes, abort the job with INVALID_ARGUMENT. */
typedef struct moert_distinct_nodes_args {
  uint32_t size; /**< `sizeof(moert_distinct_nodes_args)` */
  int64_t tokens;  /**< S */
  int64_t top_k;   /**< k */
  int64_t experts; /**< E */
  int64_t nodes;   /**< N, divides E */
  int64_t width;   /**< w, 1 to min(k, N) */
  const void *ids; /**< [S, k] of `ids_type` */
  void *result;    /**< [S, w] of `ids_type` */
  moert_type ids_type;
} moert_distinct_nodes_args;
MOERT_API moert_status moert_distinct_nodes(
    moert_stream *stream, const moert_distinct_nodes_args *args);

/** `moe.limit_choices`: choices within limits. Expert e counts towards limit
 * e / (E / L); of the copies of one limit the first so many, in the order of
 * their choices or of their tokens as `moert_order` has them, keep their expert,
 * the others get -1. Expert -1 stays, and counts towards none. Numbers outside of
 * [-1, E), and limits below 0, abort the job with INVALID_ARGUMENT. */
typedef struct moert_limit_choices_args {
  uint32_t size; /**< `sizeof(moert_limit_choices_args)` */
  moert_order_kind kind;
  int64_t tokens;     /**< S */
  int64_t top_k;      /**< k */
  int64_t experts;    /**< E */
  int64_t groups;     /**< L, divides E */
  const void *ids;    /**< [S, k] of `ids_type` */
  const void *limits; /**< [L] of `limits_type` */
  void *result;       /**< [S, k] of `ids_type` */
  moert_type ids_type, limits_type;
} moert_limit_choices_args;
MOERT_API moert_status moert_limit_choices(
    moert_stream *stream, const moert_limit_choices_args *args);

/** `moe.quantize`: rows as numbers of e4m3 (the 8-bit float whose largest number
 * is 448 and that has no infinity), a byte each, with a scale for each block of
 * so many elements of a row, the last one shorter. The scale is the largest
 * magnitude of the block / 448 as a 32-bit float, at least 2^-126; an element is
 * x / scale as a 32-bit float, then to nearest, ties to even, no farther from 0
 * than 448. A block with an infinity or a NaN has NaN as scale and elements. */
typedef struct moert_quantize_args {
  uint32_t size; /**< `sizeof(moert_quantize_args)` */
  int64_t rows;   /**< S */
  int64_t hidden; /**< M */
  int64_t block;  /**< B, at least 1 */
  const void *x;  /**< [S, M] of `type`: f32, f16 or bf16 */
  void *values;   /**< [S, M] bytes */
  void *scales;   /**< [S, ceil(M / B)] of f32 */
  moert_type type;
} moert_quantize_args;
MOERT_API moert_status moert_quantize(moert_stream *stream,
                                      const moert_quantize_args *args);

/** `moe.dequantize`: numbers of e4m3 times the scales of their blocks, as 32-bit
 * floats, rounded to the result's type. */
typedef struct moert_dequantize_args {
  uint32_t size; /**< `sizeof(moert_dequantize_args)` */
  int64_t rows;       /**< S */
  int64_t hidden;     /**< M */
  int64_t block;      /**< B, at least 1 */
  const void *values; /**< [S, M] bytes */
  const void *scales; /**< [S, ceil(M / B)] of f32 */
  void *result;       /**< [S, M] of `type`: f32, f16 or bf16 */
  moert_type type;
} moert_dequantize_args;
MOERT_API moert_status moert_dequantize(moert_stream *stream,
                                        const moert_dequantize_args *args);

/** `moe.node_plan`: as `moert_ragged_plan`, for tokens that are sent once to
 * each of N nodes of L ranks, and handed on there. Rank n * L + l is at place l
 * of node n, and has experts [p * E / G, (p + 1) * E / G) of G = N * L for p its
 * number; ranks exchange with those of their place in all nodes, then with those
 * of their node. The ranks of another group, `joined` of them, may each do so,
 * and then gather what they have received inside their nodes, as with
 * `moert_ragged_plan`.
 * - `members`: [joined, G], which rank of the job each is, as there.
 * - `counts`: [joined, G, E + N] of `counts_type`, of each rank its copies for
 *   each expert, then its tokens for each node (`moert_distinct_nodes`), the same
 *   on all ranks. All other arrays are of `type`, which holds joined times both
 *   limits.
 * - `node_send_offsets` to `node_receive_sizes`: [N], of the exchange between
 *   nodes, into `node_limit` rows.
 * - `send_offsets` to `receive_sizes`: [L], of the one inside of this rank's
 *   node, into `limit` rows, for copies that are sorted by expert.
 * - `run_offsets`, `run_sizes`: [joined, L, E / G], the rows received inside,
 *   and gathered, that come from each place for each own expert.
 * Errors: as `moert_ragged_plan`, for both limits. */
MOERT_API moert_status moert_node_plan(
    moert_context *context, int64_t node, int64_t nodes, int64_t place,
    int64_t places, int64_t joined_position, int64_t joined,
    const int32_t *members, int64_t experts,
    int64_t node_limit, int64_t limit, const void *counts,
    moert_type counts_type, void *node_send_offsets, void *node_send_sizes,
    void *node_receive_offsets, void *node_receive_sizes, void *send_offsets,
    void *send_sizes, void *receive_offsets, void *receive_sizes,
    void *run_offsets, void *run_sizes, moert_type type);

/** `moe.unpermute`. */
typedef struct moert_unorder_args {
  uint32_t size; /**< `sizeof(moert_unorder_args)` */
  int64_t tokens;      /**< S */
  int64_t hidden;      /**< M */
  int64_t top_k;       /**< k */
  int64_t rows;        /**< rows of the buffer, E * C */
  const void *buffer;  /**< [rows, M] of `type` */
  const void *slots;   /**< [S, k] of `slots_type`, each in [-1, rows) */
  const void *weights; /**< [S, k] of `weights_type` */
  void *result;        /**< [S, M] of `type` */
  moert_type type, slots_type, weights_type;
} moert_unorder_args;
MOERT_API moert_status moert_unorder(moert_stream *stream,
                                     const moert_unorder_args *args);

typedef enum moert_experts_kind {
  MOERT_EXPERTS_GPT = 0,
  MOERT_EXPERTS_SWIGLU = 1,
  MOERT_EXPERTS_GEGLU = 2,
  MOERT_EXPERTS_CLAMPED_SWIGLU = 3
} moert_experts_kind;

typedef enum moert_activation {
  MOERT_GELU = 0,
  MOERT_RELU = 1,
  MOERT_SILU = 2,
  MOERT_QUICK_GELU = 3,
  MOERT_RELU2 = 4 /**< the square of relu */
} moert_activation;

/** `moe.experts`: on CPU backends sums as 64-bit floats; on devices sums as
 * 32-bit floats (64-bit ones of f64) in an order that only sizes and device
 * decide. Each product, and each operand of the last one, is rounded once to
 * `type`.
 *
 * With `kept` the inner products are kept for the gradients, packed: K parts (1
 * of gpt, else 2) of as many rows as `x` has, [K, rows, H], first of w1. Each
 * expert has its rows, run by run, behind all rows of the expert before it;
 * rows behind the last run's are not written. It overlaps no other argument.
 *
 * Which rows belong to which expert: [experts, rows], or, with `run_offsets`
 * and `run_sizes`, the `runs` runs of each expert in a buffer of `rows` rows in
 * all. Both are [runs, experts] in ordinary memory and read before the call
 * returns. Runs lie inside of the buffer and do not overlap (INVALID_ARGUMENT).
 * Rows of no run may hold anything and are not read; those of the result keep
 * what they hold. */
typedef struct moert_experts_args {
  uint32_t size; /**< `sizeof(moert_experts_args)` */
  moert_experts_kind kind;
  moert_activation activation; /**< gpt only */
  int64_t experts;             /**< experts of this rank */
  int64_t rows;                /**< rows of each; with runs, of all */
  int64_t hidden;              /**< M */
  int64_t ffn;                 /**< H */
  const void *x;               /**< [experts, rows, M]; with runs, [rows, M] */
  const void *w1;              /**< [experts, M, H]: W1, or the gate's */
  const void *w2;              /**< [experts, M, H], Wup; gpt: NULL */
  const void *w3;              /**< [experts, H, M]: W2, or Wdown */
  void *result;                /**< as `x` */
  moert_type type;             /**< of all */
  /* Zero where unused. */
  const int64_t *run_offsets; /**< [runs, experts]: the first row of each run */
  int32_t runs;               /**< runs of each expert, at least 1 */
  const int64_t *run_sizes;   /**< [runs, experts]: the rows of each run */
  int biased; /**< w1 and w2 are [experts, M + 1, H], w3 [experts, H + 1, M]:
                   the last row is added to each row of the product */
  void *kept; /**< [K, rows, H], or NULL; since interface 0.11 */
} moert_experts_args;
MOERT_API moert_status moert_experts(moert_stream *stream,
                                     const moert_experts_args *args);

/*===----------------------------------------------------------------------===
 * Gradients and gates that mix. On CPU backends sums are 64-bit floats in
 * ascending order, rounded once; on devices 32-bit ones (64-bit where an operand
 * is f64) in an order that only sizes and device decide, so that replicas agree.
 * `d` before a name is the gradient of the loss with respect to it.
 *===----------------------------------------------------------------------===*/

/** `moe.experts_dgrad` and `moe.experts_wgrad`. What is between the GEMMs is
 * computed again from `x`, unless dgrad gets what the forward pass `kept`, or
 * wgrad what dgrad `handed` on: what went into the last product, then the
 * gradients of what the inner ones gave, K + 1 parts in the form of `kept`.
 * Each writes its own results only; the other's may be NULL. Runs are as those
 * of `moert_experts`: rows of `x` and `dy` that are of none may hold anything,
 * and none of them goes into the gradient of a weight, whose sums go over an
 * expert's runs in their order. */
typedef struct moert_experts_grad_args {
  uint32_t size; /**< `sizeof(moert_experts_grad_args)` */
  moert_experts_kind kind;
  moert_activation activation; /**< gpt only */
  int64_t experts;             /**< experts of this rank */
  int64_t rows;                /**< rows of each; with runs, of all */
  int64_t hidden;              /**< M */
  int64_t ffn;                 /**< H */
  const void *x;               /**< [experts, rows, M]; with runs, [rows, M] */
  const void *w1, *w2, *w3;    /**< as in `moert_experts_args` */
  const void *dy;              /**< as `x`, of the result */
  void *dx;                    /**< of dgrad: as `x` */
  void *dw1, *dw2, *dw3;       /**< of wgrad: as `w1`, `w2`, `w3` */
  moert_type type;             /**< of all */
  /* Zero where unused. */
  const int64_t *run_offsets; /**< [runs, experts]: the first row of each run */
  int32_t runs;               /**< runs of each expert, at least 1 */
  const int64_t *run_sizes;   /**< [runs, experts]: the rows of each run */
  int biased;                 /**< as in `moert_experts_args` */
  const void *kept; /**< of dgrad: [K, rows, H], or NULL; since 0.11 */
  void *handed;     /**< [K + 1, rows, H] or NULL: dgrad writes, wgrad reads it;
                         since 0.11 */
} moert_experts_grad_args;
MOERT_API moert_status
moert_experts_dgrad(moert_stream *stream, const moert_experts_grad_args *args);
MOERT_API moert_status
moert_experts_wgrad(moert_stream *stream, const moert_experts_grad_args *args);

/** `moe.scatter`: writes the whole buffer, free slots as zeros. A slot out of
 * its range, or there twice, aborts the job with INVALID_ARGUMENT. */
typedef struct moert_scatter_args {
  uint32_t size; /**< `sizeof(moert_scatter_args)` */
  int64_t tokens;      /**< S */
  int64_t hidden;      /**< M */
  int64_t top_k;       /**< k */
  int64_t rows;        /**< rows of the buffer */
  const void *x;       /**< [S, M] of `type` */
  const void *slots;   /**< [S, k] of `slots_type`, each in [-1, rows) */
  const void *weights; /**< [S, k] of `weights_type`, or NULL: all 1 */
  void *buffer;        /**< [rows, M] of `type` */
  moert_type type, slots_type, weights_type;
} moert_scatter_args;
MOERT_API moert_status moert_scatter(moert_stream *stream,
                                     const moert_scatter_args *args);

/** `moe.unpermute_wgrad`. */
typedef struct moert_unorder_wgrad_args {
  uint32_t size; /**< `sizeof(moert_unorder_wgrad_args)` */
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t top_k;      /**< k */
  int64_t rows;       /**< rows of the buffer */
  const void *dy;     /**< [S, M] of `type` */
  const void *buffer; /**< [rows, M] of `type` */
  const void *slots;  /**< [S, k] of `slots_type`, each in [-1, rows) */
  void *result;       /**< [S, k] of `result_type` */
  moert_type type, slots_type, result_type;
} moert_unorder_wgrad_args;
MOERT_API moert_status moert_unorder_wgrad(
    moert_stream *stream, const moert_unorder_wgrad_args *args);

/** `moe.gate_grad`. An expert number out of its range, or twice at one token,
 * aborts the job with INVALID_ARGUMENT. */
typedef struct moert_gate_grad_args {
  uint32_t size; /**< `sizeof(moert_gate_grad_args)` */
  moert_gate_kind kind;
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t experts;    /**< E */
  int64_t top_k;      /**< k, in [1, E] */
  int normalize;      /**< as the gate's */
  double scale;       /**< as the gate's */
  const void *x;      /**< [S, M] of `type` */
  const void *router; /**< [M, E] of `router_type` */
  const void *ids;    /**< [S, k] of `ids_type`, each in [0, E) */
  const void *dw;     /**< [S, k] of `dw_type` */
  void *dx;           /**< [S, M] of `type` */
  void *drouter;      /**< [M, E] of `router_type` */
  moert_type type, router_type, ids_type, dw_type;
  /* Zero where unused; as the gate's, but for `dfurther`. */
  const void *noise;      /**< [M, E] of `further_type`, or NULL */
  const void *projection; /**< [M, projected] of `further_type`, or NULL */
  const void *seed;       /**< one int64_t: noise and jitter need it */
  void *dfurther;         /**< the noise's or the projection's gradient */
  int64_t projected;
  double temperature, jitter;
  moert_type further_type;
  int64_t biased; /**< the gate's: the router and its gradient are [M + 1, E];
                       wide, to lie behind the padding of earlier callers */
} moert_gate_grad_args;
MOERT_API moert_status moert_gate_grad(moert_stream *stream,
                                       const moert_gate_grad_args *args);

/** The value of `moe.dense` and `moe.dense_dgrad`, which stand for parts of a
 * model that are not modelled: each of `count` elements over `parts`. */
typedef struct moert_dense_args {
  uint32_t size; /**< `sizeof(moert_dense_args)` */
  int64_t count;
  int64_t parts; /**< at least 1 */
  const void *x; /**< [count] */
  void *result;  /**< [count] */
  moert_type type;
} moert_dense_args;
MOERT_API moert_status moert_dense(moert_stream *stream,
                                   const moert_dense_args *args);

/** What a softmax of `moe.expert_choice` runs over. */
typedef enum moert_choice_scores {
  MOERT_CHOICE_EXPERTS = 0,
  MOERT_CHOICE_TOKENS = 1
} moert_choice_scores;

/** `moe.expert_choice`. */
typedef struct moert_expert_choice_args {
  uint32_t size; /**< `sizeof(moert_expert_choice_args)` */
  moert_choice_scores scores;
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t experts;    /**< E */
  int64_t capacity;   /**< C; `slots_type` holds E * C - 1 */
  const void *x;      /**< [S, M] of `type` */
  const void *router; /**< [M, E] of `router_type` */
  void *slots;        /**< [S, E] of `slots_type`; -1: no slot */
  void *weights;      /**< [S, E] of `weights_type` */
  moert_type type, router_type, slots_type, weights_type;
} moert_expert_choice_args;
MOERT_API moert_status moert_expert_choice(
    moert_stream *stream, const moert_expert_choice_args *args);

/** `moe.expert_choice_grad`. */
typedef struct moert_expert_choice_grad_args {
  uint32_t size; /**< `sizeof(moert_expert_choice_grad_args)` */
  moert_choice_scores scores;
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t experts;    /**< E */
  const void *x;      /**< [S, M] of `type` */
  const void *router; /**< [M, E] of `router_type` */
  const void *slots;  /**< [S, E] of `slots_type`; below 0: not chosen */
  const void *dw;     /**< [S, E] of `dw_type` */
  void *dx;           /**< [S, M] of `type` */
  void *drouter;      /**< [M, E] of `router_type` */
  moert_type type, router_type, slots_type, dw_type;
} moert_expert_choice_grad_args;
MOERT_API moert_status moert_expert_choice_grad(
    moert_stream *stream, const moert_expert_choice_grad_args *args);

/** `moe.soft_gate`. */
typedef struct moert_soft_gate_args {
  uint32_t size; /**< `sizeof(moert_soft_gate_args)` */
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t slots;      /**< N, of all experts together */
  const void *x;      /**< [S, M] of `type` */
  const void *router; /**< [M, N] of `router_type` */
  void *dispatch;     /**< [S, N] of `dispatch_type` */
  void *combine;      /**< [S, N] of `combine_type` */
  moert_type type, router_type, dispatch_type, combine_type;
} moert_soft_gate_args;
MOERT_API moert_status moert_soft_gate(moert_stream *stream,
                                       const moert_soft_gate_args *args);

/** `moe.soft_permute`: tokens [S, M] to slots [N, M]; `moe.soft_unpermute`: slots
 * to tokens. */
typedef struct moert_soft_mix_args {
  uint32_t size; /**< `sizeof(moert_soft_mix_args)` */
  int64_t tokens;      /**< S */
  int64_t hidden;      /**< M */
  int64_t slots;       /**< N */
  const void *x;       /**< what is mixed, of `type` */
  const void *weights; /**< [S, N] of `weights_type` */
  void *result;        /**< of `type` */
  moert_type type, weights_type;
} moert_soft_mix_args;
MOERT_API moert_status moert_soft_order(moert_stream *stream,
                                        const moert_soft_mix_args *args);
MOERT_API moert_status moert_soft_unorder(moert_stream *stream,
                                          const moert_soft_mix_args *args);

/** `moe.soft_gate_grad`. */
typedef struct moert_soft_gate_grad_args {
  uint32_t size; /**< `sizeof(moert_soft_gate_grad_args)` */
  int64_t tokens;        /**< S */
  int64_t hidden;        /**< M */
  int64_t slots;         /**< N, of all experts together */
  const void *x;         /**< [S, M] of `type` */
  const void *router;    /**< [M, N] of `router_type` */
  const void *ddispatch; /**< [S, N] of `ddispatch_type` */
  const void *dcombine;  /**< [S, N] of `dcombine_type` */
  void *dx;              /**< [S, M] of `type` */
  void *drouter;         /**< [M, N] of `router_type` */
  moert_type type, router_type, ddispatch_type, dcombine_type;
} moert_soft_gate_grad_args;
MOERT_API moert_status moert_soft_gate_grad(
    moert_stream *stream, const moert_soft_gate_grad_args *args);

/** `moe.soft_wgrad`. */
typedef struct moert_soft_wgrad_args {
  uint32_t size; /**< `sizeof(moert_soft_wgrad_args)` */
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t slots;      /**< N */
  const void *x;      /**< [S, M] of `type` */
  const void *buffer; /**< [N, M] of `type` */
  void *result;       /**< [S, N] of `result_type` */
  moert_type type, result_type;
} moert_soft_wgrad_args;
MOERT_API moert_status moert_soft_wgrad(moert_stream *stream,
                                        const moert_soft_wgrad_args *args);

/** `moe.dense_wgrad`: of parameter p the sum over rows s of
 * x[s, p mod M] * dy[s, (p / M) mod M]. */
typedef struct moert_dense_wgrad_args {
  uint32_t size; /**< `sizeof(moert_dense_wgrad_args)` */
  int64_t tokens;     /**< S */
  int64_t hidden;     /**< M */
  int64_t parameters; /**< P */
  const void *x;      /**< [S, M] of `type` */
  const void *dy;     /**< [S, M] of `type` */
  void *result;       /**< [P] of `result_type` */
  moert_type type, result_type;
} moert_dense_wgrad_args;
MOERT_API moert_status moert_dense_wgrad(moert_stream *stream,
                                         const moert_dense_wgrad_args *args);

#ifdef __cplusplus
}
#endif

#endif /* MOERT_H */
