/*===- moert.h - The C ABI of the runtime ---------------------------*- C -*-===
 *
 * Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The functions by which compiled and handwritten programs run on the ranks of
 * a job, for C11 and C++. ../README.md is the full guide; in short:
 *
 * - Every call returns a `moert_status`; no exception crosses this interface.
 *   `moert_last_error` describes the error, its rank and its cause.
 * - A `moert_context` is the membership of one rank in a job. Calls do not
 *   depend on thread-local or process-wide state, so many ranks may share a
 *   process.
 * - Calls that put work on a stream return immediately. Work of one stream runs
 *   in order; only events order work of different streams. All ranks must put
 *   collectives on their streams in the same order.
 * - The first failure of work or communication on any rank aborts the job, so
 *   that no rank waits for data that will not arrive. The next wait of each
 *   rank returns the failure, or `MOERT_ABORTED` with the message of the
 *   failure on another rank. Afterwards only `moert_finalize`, the `destroy`
 *   functions and `moert_last_error` are meaningful.
 * - Deadlines are microseconds from now; `MOERT_DEADLINE_DEFAULT` selects the
 *   deadline of the configuration. A wait with deadline 0 checks once.
 * - Several threads may use objects of one context, but only one thread at a
 *   time may use a stream or communicator.
 * - Data pointers must point into the memory space of the backend's streams:
 *   `MOERT_MEMORY_DEVICE`, which is ordinary memory on CPU backends. Data must
 *   stay in place until the work that uses them has ended. Small arrays that
 *   describe a call (ranks, sizes, offsets, strides) are in ordinary memory and
 *   are read before the call returns.
 * - Tensors are row-major, and contiguous unless strides are given. Sizes and
 *   counts are in elements unless the name contains "bytes".
 * - Configurations and kernel arguments are structs that begin with their size,
 *   `sizeof` in the caller. Later versions add members at the end, and zero
 *   selects the previous behavior. Therefore smaller structs, down to the size
 *   in interface 0.7, are accepted, and missing members are zero. In larger
 *   structs, the bytes that this library does not know must be zero, because it
 *   would otherwise ignore a request. Otherwise the call returns
 *   INVALID_ARGUMENT and uses no member.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MOERT_H
#define MOERT_H

#include <stddef.h>
#include <stdint.h>

/** Version of this interface. A new major number breaks callers; a new minor
 * number only adds declarations. Before 1.0, a new minor number may break
 * callers, too. */
#define MOERT_VERSION_MAJOR 0
#define MOERT_VERSION_MINOR 16

#if defined(__GNUC__)
#define MOERT_API __attribute__((visibility("default")))
#else
#define MOERT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. Every call returns one; no exception crosses this
 * interface. The numbers do not change within a major version. */
typedef enum moert_status {
  /** The call succeeded. */
  MOERT_OK = 0,
  /** An argument is out of its range, and nothing was done. Also reported when
   * work on a stream finds data out of range, for example an expert number. */
  MOERT_INVALID_ARGUMENT = 1,
  /** The backend, or a feature that the call needs, is not available on this
   * machine: a missing library, version, device or link. */
  MOERT_UNAVAILABLE = 2,
  /** The deadline passed before all ranks that the call waits for took part. */
  MOERT_DEADLINE_EXCEEDED = 3,
  /** Ranks of a group reached different collectives: they differ in kind,
   * group, shape, element type or order. */
  MOERT_MISMATCH = 4,
  /** The requested memory space does not have enough memory. */
  MOERT_OUT_OF_MEMORY = 5,
  /** Another rank, or an earlier call on this communicator, failed. */
  MOERT_ABORTED = 6,
  /** A library that the backend uses reported an error. */
  MOERT_BACKEND_ERROR = 7
} moert_status;

/** Element types. Integers have no sign of their own: sums and products wrap,
 * and minima and maxima compare them as signed. */
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

/** The reduction of a collective, numbered as in the `moe` dialect. Every step
 * is rounded to the element type. A NaN wins over numbers, and a computed NaN
 * is the positive quiet one. The backend nccl reduces as NCCL does: steps of
 * sums may be rounded at other points, minima and maxima ignore a NaN if any
 * member has a number, and the bits of a NaN are not defined. */
typedef enum moert_reduction {
  MOERT_SUM = 0,
  MOERT_PROD = 1,
  MOERT_MIN = 2,
  MOERT_MAX = 3
} moert_reduction;

/** The memory space of a buffer. */
typedef enum moert_memory_space {
  /** Memory that the calling thread reads and writes. */
  MOERT_MEMORY_HOST = 0,
  /** Memory that the streams of the backend read and write; ordinary memory on
   * CPU backends. */
  MOERT_MEMORY_DEVICE = 1
} moert_memory_space;

typedef struct moert_context moert_context;
typedef struct moert_stream moert_stream;
typedef struct moert_event moert_event;
typedef struct moert_comm moert_comm;
typedef struct moert_buffer moert_buffer;

/** Selects the deadline of the context's configuration. */
#define MOERT_DEADLINE_DEFAULT INT64_C(-1)

/*===----------------------------------------------------------------------===
 * Start and end
 *===----------------------------------------------------------------------===*/

/** One level of the links that the backend `host` can emulate. */
typedef struct moert_link {
  /** Number of ranks in one unit of this level: ranks r and s are in the same
   * unit if r / span == s / span. Spans ascend, and the last level spans all
   * ranks. */
  int32_t span;
  /** Bandwidth of one rank's link at this level, in 1e9 bytes per second and
   * direction; greater than 0. */
  double gigabytes_per_second;
  /** Latency of a collective that crosses this level, in microseconds. */
  double latency_us;
} moert_link;

/** The way in which a rank joins a job. Initialize it with
 * `moert_config_default`. */
typedef struct moert_config {
  /** `sizeof(moert_config)` of the caller. */
  size_t struct_size;
  /** "host", "mpi" or "nccl". */
  const char *backend;
  /** This rank, in [0, world_size). */
  int32_t rank;
  /** Ranks of the job, at least 1. */
  int32_t world_size;
  /** The meeting point of the ranks. host: any name that is the same for all
   * ranks of the job in this process. nccl: "HOST:PORT" on which rank 0
   * listens. mpi: not used, because mpirun connects the ranks. See also
   * `all_gather`. */
  const char *address;
  /** Secret of the job; a rank with another secret is refused. May be empty. */
  const char *token;
  /** Default deadline of every wait, in microseconds, greater than 0. It also
   * limits how long a collective waits on its stream for the other ranks.
   * `MOERT_DEADLINE_DEFAULT` selects the backend's default: 60 s on host and
   * mpi, and 600 s on nccl, because a step between two collectives, a
   * checkpoint or the first load of a kernel may take minutes. */
  int64_t deadline_us;
  /** nccl: ordinal of the device among the devices that the process sees. -1
   * selects `local_rank` modulo their number, or `rank` modulo their number if
   * the local rank is unknown. */
  int32_t device;
  /** host: `num_links` links to emulate, or none. After all ranks have arrived,
   * a collective then takes at least the greatest latency of the levels that it
   * crosses, plus the greatest value of bytes / bandwidth over the levels (SPEC
   * CC-1). The link of a level serves one collective at a time. */
  const moert_link *links;
  int32_t num_links;
  /** Not read. Structs of interface 0.7 end here with padding. */
  int32_t padding;
  /** Number of this rank in its node, starting at 0, or -1 if it is unknown. */
  int32_t local_rank;
  /** nccl: minimum and maximum number of blocks of a collective, and number of
   * blocks per cluster. Each block occupies one multiprocessor, so fewer blocks
   * leave more of the device to concurrent kernels. 0 uses the values that
   * programs were compiled for (`moert_program`), or NCCL's choice if they have
   * none. -1 always leaves the choice to NCCL. Other values require NCCL 2.17
   * and are UNAVAILABLE with an older one. */
  int32_t min_ctas, max_ctas, cga_cluster_size;
  /** nccl and host: the function by which ranks exchange bytes. If it is set,
   * `address` is not read; NULL uses the hub at `address`. With host, the
   * function allows ranks to be processes of one machine, which connect to each
   * other; without it, ranks are threads of one process. The function gathers
   * `bytes` bytes of every rank into `all`, in the order of ranks, and returns
   * 0 when they have arrived; any other result ends the job on this rank.
   * `bytes` is the same in all calls of a job, on all ranks. Either all ranks
   * set this function or none does.
   *
   * It is called once in `moert_init`, once or twice per communicator, and for
   * exchanges outside of streams (optical switches). The calls come from a
   * thread of the context, one at a time, while the thread that called this
   * library waits: therefore MPI must provide MPI_THREAD_SERIALIZED, and Python
   * must release its lock. No device is current on that thread. A call that
   * does not return by the deadline ends the job on this rank;
   * `moert_finalize` abandons the thread after 2 s, and `bootstrap_user` and
   * the code must stay valid until the call returns.
   *
   * On nccl, the guarantees are weaker than with the hub:
   * - All ranks of the job must create communicators at the same time and in
   *   the same order, each for a group that contains the rank. If a rank does
   *   not call `moert_comm_create`, the others wait until the deadline.
   *   `moert_comm_split`, which compiled programs call, always requires this.
   * - Collectives are not compared. If ranks call different collectives or
   *   sizes, they reach the deadline, or continue with wrong data.
   * - Errors of a deadline do not name the missing ranks.
   * - The end of a process is not detected, and neither is a rank that has left
   *   the job.
   * - A failure is known only on its own rank. Other ranks reach their
   *   deadlines, unless `aborted` on the failed rank and `must_abort` on the
   *   others forward it. */
  int (*all_gather)(void *user, const void *mine, void *all, size_t bytes);
  /** Returns nonzero if the caller knows that the job must end; the effect is
   * that of `moert_abort`. It is polled about 20 times per second until the job
   * has failed, on another thread of the context, also during calls of
   * `all_gather`. May be NULL; requires `all_gather`. */
  int (*must_abort)(void *user);
  /** Called once, on the same thread as `must_abort`, when the job has failed
   * on this rank, whoever detected the failure. `reason` is valid until it
   * returns. `moert_finalize` returns after this call, or after 2 s. May be
   * NULL; requires `all_gather`. */
  void (*aborted)(void *user, const char *reason);
  /** The first argument of the three functions above. */
  void *bootstrap_user;
  /** nccl: 1 lets `moert_program_run`, and therefore `moe_p`, capture the
   * second run of a program with the same inputs and results as a CUDA graph.
   * Later runs launch this graph with one driver call per run. UNAVAILABLE with
   * a driver older than CUDA 11.4. Programs in which the host takes part during
   * a run are refused; the error names them. */
  int32_t cuda_graph;
  /** nccl: 1 allocates the memory of `moert_buffer_create`, including the
   * workspaces that the context keeps, with NCCL (ncclMemAlloc), and registers
   * it with each communicator that the context owns (ncclCommRegister).
   * Collectives then need no copies and fewer blocks, if the links allow it. 0
   * does so only for objects created after a program that was compiled for it
   * was prepared or run; -1 never does so. Requires NCCL 2.19; UNAVAILABLE with
   * an older one. */
  int32_t register_buffers;
} moert_config;

/** Fills in the defaults: backend "host", rank 0 of 1, address "local", no
 * token, the backend's deadline, device and local rank -1, no emulated links,
 * NCCL's choice of blocks, and no functions of the caller. Writes only `size`
 * bytes, the `sizeof(moert_config)` of the caller. */
MOERT_API moert_status moert_config_default_sized(moert_config *config,
                                                  size_t size);
/** Does the same for callers of interface 0.7, which do not pass a size: it
 * writes only the members of that interface. In C and C++, the macro below
 * replaces it. */
MOERT_API moert_status moert_config_default(moert_config *config);
#define moert_config_default(config)                                           \
  moert_config_default_sized((config), sizeof(moert_config))

/** Overwrites rank, local rank, world size, address and token of `config` with
 * the values of the launcher's environment variables (README, "Environment
 * variables"), and leaves the others unchanged. The strings live as long as the
 * process. No other function of this library takes settings from environment
 * variables. */
MOERT_API moert_status moert_config_from_environment(moert_config *config);

/** Returns MOERT_OK if a backend can be used on this machine, else
 * MOERT_UNAVAILABLE, or MOERT_INVALID_ARGUMENT for an unknown name. Writes the
 * reason, or the libraries and versions that were found, into `text`, cut to
 * `size` bytes including the terminating zero. */
MOERT_API moert_status moert_backend_info(const char *backend, char *text,
                                          size_t size);

/** Joins a job, and returns when all ranks have joined. Errors: UNAVAILABLE
 * (`moert_last_error(NULL)` has the reason), DEADLINE_EXCEEDED, which names the
 * missing ranks, and INVALID_ARGUMENT, for example for a rank that has already
 * joined or a wrong token (which does not affect the other ranks). */
MOERT_API moert_status moert_init(const moert_config *config,
                                  moert_context **context);

/** Waits for the work of all streams of this rank, leaves the job, and destroys
 * the context with all remaining objects made from it, also when it reports an
 * error. Does not wait for the work of other ranks. */
MOERT_API moert_status moert_finalize(moert_context *context,
                                      int64_t deadline_us);

/** Ends the job for all ranks: their waits return ABORTED with this reason. */
MOERT_API moert_status moert_abort(moert_context *context, const char *reason);

MOERT_API int32_t moert_rank(const moert_context *context);
MOERT_API int32_t moert_world_size(const moert_context *context);

/** Describes the last failed call of this thread: rank, call, expectation and
 * finding. If the job was aborted and no call of this thread has failed,
 * returns the reason of the abort. Valid until this thread's next call; empty
 * if there is no error. `context` may be NULL. */
MOERT_API const char *moert_last_error(const moert_context *context);

/** Returns the name of a status, for example "MOERT_MISMATCH". */
MOERT_API const char *moert_status_name(moert_status status);

/** Returns the bytes of one element, or 0 for an unknown type. */
MOERT_API size_t moert_type_size(moert_type type);

/*===----------------------------------------------------------------------===
 * Buffers
 *===----------------------------------------------------------------------===*/

/** Allocates `bytes` bytes, aligned to at least 64, with undefined content. */
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

/** The most urgent priority that the backends distinguish. */
#define MOERT_MOST_URGENT (-5)

/** Creates a queue whose work runs in order. `priority` 0 is normal, and lower
 * numbers are more urgent. The priority is a hint: `host` ignores it,
 * runtime/README.md describes its effect on `mpi`, and `nccl` maps the range
 * from 0 to MOERT_MOST_URGENT onto the priorities of the device. `name` appears
 * in errors and may be NULL. */
MOERT_API moert_status moert_stream_create(moert_context *context,
                                           const char *name, int32_t priority,
                                           moert_stream **stream);
/** nccl: makes the caller's stream (a CUstream or cudaStream_t; NULL is the
 * default stream) a stream of the context, for `moe_p_enqueue` and all other
 * calls. The caller keeps its ownership: `moert_stream_destroy` forgets the
 * stream without waiting. The caller may destroy it only after that call or
 * after `moert_finalize`, which waits for its work. UNAVAILABLE on CPU
 * backends, whose streams all come from `moert_stream_create`. */
MOERT_API moert_status moert_stream_adopt(moert_context *context,
                                          const char *name, void *native_stream,
                                          moert_stream **stream);
/** Waits for the stream's work (default deadline), then destroys it. The
 * communicators of the stream must have been destroyed before. */
MOERT_API moert_status moert_stream_destroy(moert_stream *stream);
/** Returns the job's stream with this name and priority. The first call creates
 * it, later calls return the same stream, and `moert_finalize` destroys it;
 * `moert_stream_destroy` must not be used. Therefore a program that runs in
 * every training step creates its streams once, and all programs of a context
 * share them, because programs run one at a time. */
MOERT_API moert_status moert_stream_get(moert_context *context,
                                        const char *name, int32_t priority,
                                        moert_stream **stream);
/** Makes matrix products that are put on the stream from now on leave `sms`
 * streaming multiprocessors of a GPU free, so that collectives can start during
 * a product. The initial value 0 leaves none. CPU backends ignore the call. On
 * nccl, only products of cuBLAS obey it, not kernels of this library or of
 * programs. INVALID_ARGUMENT if the device has at most `sms` multiprocessors;
 * UNAVAILABLE if cuBLAS is missing or has no such setting. Since interface
 * 0.12. */
MOERT_API moert_status moert_stream_leave_sms(moert_stream *stream,
                                              int32_t sms);
/** nccl: makes kernels of this library that are put on the stream from now on
 * take their scratch memory from these `bytes` bytes of MOERT_MEMORY_DEVICE,
 * aligned to MOERT_WORKSPACE_ALIGNMENT. Kernels that need more use memory that
 * the stream allocates and keeps. NULL and 0, the initial state, provide none.
 * The memory stays the caller's, who must not use it otherwise until the work
 * has ended. CPU backends ignore the call. Compiled programs provide a part of
 * their workspace, and withdraw it at their end. Withdrawing keeps the message
 * of `moert_last_error`. Since interface 0.13. */
MOERT_API moert_status moert_stream_set_scratch(moert_stream *stream,
                                                void *memory, int64_t bytes);
/** Waits until all work that is on the stream now has ended. */
MOERT_API moert_status moert_stream_synchronize(moert_stream *stream,
                                                int64_t deadline_us);

/** Creates an event, a point in a stream. A new event counts as reached. */
MOERT_API moert_status moert_event_create(moert_context *context,
                                          moert_event **event);
/** Creates an event that also records the time at which it was reached, which
 * makes it slower on devices. */
MOERT_API moert_status moert_event_create_timed(moert_context *context,
                                                moert_event **event);
MOERT_API moert_status moert_event_destroy(moert_event *event);
/** Records the event: it is reached when all work that is on the stream now has
 * ended. An event may be recorded again; earlier waits keep their meaning. */
MOERT_API moert_status moert_event_record(moert_event *event,
                                          moert_stream *stream);
/** Makes work that is put on the stream from now on wait for the last record of
 * the event. */
MOERT_API moert_status moert_stream_wait_event(moert_stream *stream,
                                               moert_event *event);
/** Sets `reached` to 1 or 0, without waiting. */
MOERT_API moert_status moert_event_query(moert_event *event, int *reached);
MOERT_API moert_status moert_event_synchronize(moert_event *event,
                                               int64_t deadline_us);
/** Measures the microseconds between two events of `moert_event_create_timed`,
 * both of which must have been reached. */
MOERT_API moert_status moert_event_elapsed(moert_event *start,
                                           moert_event *end,
                                           double *elapsed_us);

/** Puts a function on the stream: on a CPU backend, the body of a task. The
 * function must not call this library. A result other than 0 aborts the job.
 * `name` appears in errors. Streams of a GPU refuse the call (UNAVAILABLE). */
MOERT_API moert_status moert_launch(moert_stream *stream, const char *name,
                                    int (*function)(void *), void *argument);

/** Machine code of a program's kernels for one architecture. */
typedef struct moert_cubin {
  /** Compute capability of the code, 10 * major + minor, at least 10. Devices
   * with the same major number and the same or a later minor number can run
   * it. */
  int32_t architecture;
  int32_t padding;   /**< 0 */
  const void *image; /**< output of ptxas */
  int64_t bytes;     /**< at least 1 */
} moert_cubin;

/** A kernel that belongs to the program, not to this library. */
typedef struct moert_kernel_args {
  uint32_t size;    /**< `sizeof(moert_kernel_args)` */
  const char *name; /**< name of the kernel in its image */
  /** The image that the driver loads: PTX with its terminating zero, a cubin or
   * a fat binary. It is loaded at the first launch and identified by its
   * address, so it must stay there unchanged until `moert_finalize`. */
  const void *image;
  int64_t image_bytes; /**< at least 1 */
  /** Number of blocks, in [1, 2^31 - 1], [1, 65535] and [1, 65535]. */
  int64_t grid[3];
  /** Threads per block, in [1, 1024], [1, 1024] and [1, 64], and at most 1024
   * in total. */
  int64_t block[3];
  /** Addresses of the argument values. Each value has 8 bytes, a pointer or an
   * integer, and is read before the call returns. */
  void **arguments;
  int32_t num_arguments; /**< in [0, 512] */
  int64_t shared_bytes;  /**< memory per block, in [0, 49152] */
  /** The same kernels as machine code, in any order, or NULL. The driver loads
   * the code of the latest architecture that fits the device. It loads `image`
   * if there is none, or if it cannot load that code. */
  const moert_cubin *cubins;
  int64_t num_cubins; /**< in [0, 64] */
} moert_kernel_args;
/** Puts a kernel of a program on the stream. CPU backends refuse it
 * (UNAVAILABLE), and the error names the kernel. The call is also UNAVAILABLE
 * if the driver can load none of the images, in which case the error quotes the
 * driver and describes the device, or if the loaded image does not contain the
 * kernel. The job continues after these errors. */
MOERT_API moert_status moert_launch_kernel(moert_stream *stream,
                                           const moert_kernel_args *args);

/** Keeps the stream busy for some time, to emulate an operation. */
MOERT_API moert_status moert_delay(moert_stream *stream, double duration_us);

/*===----------------------------------------------------------------------===
 * Compiled programs. An object file of `moe-translate --emit=object` contains
 * these functions for a program `p`, and its header declares them:
 *
 *   moert_status moe_p_enqueue(moert_context *, moert_stream *stream,
 *                              void **inputs, void **results, void *workspace);
 *   int64_t moe_p_workspace_bytes(void);
 *   moert_status moe_p_prepare(moert_context *);
 *   moert_status moe_p(moert_context *, void **inputs, void **results);
 *
 * - `moe_p_enqueue` puts one run of the program on `stream`, after earlier and
 *   before later work of the stream. The program itself uses streams of the job
 *   (`moert_stream_get`). It reads the arrays of pointers before it returns,
 *   and the data when the stream reaches the run. The host waits
 *   MOE_p_HOST_WAITS times for counts or switches that it needs; the header
 *   defines this number, which is usually 0.
 * - The context keeps the objects that the first call creates (streams,
 *   communicators, events), so later calls create no objects and no threads.
 *   `moe_p_prepare` creates them in advance; like the first call, it is a
 *   rendezvous of all ranks.
 * - The workspace has `moe_p_workspace_bytes()` bytes of the memory of streams,
 *   aligned to MOERT_WORKSPACE_ALIGNMENT. On nccl it includes the scratch
 *   memory of kernels. Its content is undefined between runs. Inputs, results
 *   and workspace belong to the caller and must stay in place until the run has
 *   ended. Concurrent runs must not share a workspace unless one stream orders
 *   them.
 * - On nccl, a program without a host part (`host_part`) can be captured: a run
 *   on a stream that the caller captures becomes part of the caller's graph,
 *   which may be launched repeatedly on the same memory. The program must have
 *   run on these streams before, and the graph must be destroyed before
 *   `moert_finalize`. Other programs are refused without an effect; the error
 *   names them.
 * - `moe_p` runs the program with a workspace and a stream that the context
 *   keeps, and waits for its end.
 * - Programs of one context must be called from one thread at a time, and in
 *   the same order by all ranks.
 *===----------------------------------------------------------------------===*/

/** Version of the interface in this header, as programs store it. */
#define MOERT_ABI_VERSION (MOERT_VERSION_MAJOR * 65536 + MOERT_VERSION_MINOR)

/** Alignment of a workspace in bytes. */
#define MOERT_WORKSPACE_ALIGNMENT 64

/** Description that a compiled program contains of itself. */
typedef struct moert_program {
  uint32_t size;        /**< `sizeof(moert_program)` */
  uint32_t abi_version; /**< MOERT_ABI_VERSION of its compiler */
  int32_t num_ranks;    /**< size of the job; 0: any number */
  int32_t host_waits;   /**< maximum waits of the host per run */
  int32_t num_inputs;
  int32_t num_results;
  const char *name;
  const int64_t *input_bytes;  /**< bytes of each input */
  const int64_t *result_bytes; /**< bytes of each result */
  int64_t workspace_bytes;
  int64_t host_bytes; /**< host memory that streams write */
  int64_t num_events;
  moert_status (*enqueue)(moert_context *, moert_stream *, void **, void **,
                          void *);
  const void *image;   /**< kernels of the program, or NULL */
  int64_t image_bytes; /**< including a zero byte at the end */
  /** Describes the work of the host in each run besides putting work on
   * streams. NULL means none; such a program can be captured. */
  const char *host_part;
  /** The same kernels as machine code, see `moert_kernel_args`. */
  const moert_cubin *cubins;
  int64_t num_cubins;
  /** NCCL settings of the platform that the program was compiled for, as in
   * `moert_config`; 0 if the platform has none. They apply where the job's
   * configuration has 0, to communicators and buffers that the context creates
   * after the program was prepared or run. Nonzero values of programs of one
   * context must agree. */
  int32_t min_ctas, max_ctas, cga_cluster_size, register_buffers;
} moert_program;

/** Starts a run; compiled programs call it first. Checks that this library
 * supports the interface of the program, that the job has the program's number
 * of ranks, and that there is a pointer for each input and result that has
 * bytes, and for the workspace if it has any. Pointers without bytes and empty
 * arrays may be NULL. Errors are INVALID_ARGUMENT with the program's name.
 * `host_memory` receives `host_bytes` bytes that the context keeps. */
MOERT_API moert_status moert_program_begin(moert_context *context,
                                           const moert_program *program,
                                           moert_stream *stream,
                                           void *const *inputs,
                                           void *const *results,
                                           void *workspace, void **host_memory);
/** Does the part of `moert_program_begin` that needs no pointers: creates the
 * objects that the context keeps for the program, except streams and
 * communicators, and loads its kernels. Kernels that the driver of a GPU cannot
 * load are UNAVAILABLE, and the error quotes the driver. */
MOERT_API moert_status moert_program_prepare(moert_context *context,
                                             const moert_program *program);
/** Runs a program with a workspace and a stream that the context keeps, and
 * waits for its end (default deadline). */
MOERT_API moert_status moert_program_run(moert_context *context,
                                         const moert_program *program,
                                         void **inputs, void **results);

/** Checks that an optional library is present; a program calls it before it
 * uses the library. Returns MOERT_OK if `function`, a weak reference to one of
 * the library's functions, is in the process, else UNAVAILABLE, which names the
 * library. */
MOERT_API moert_status moert_program_needs(moert_context *context,
                                           const void *function,
                                           const char *library);

/** Returns the context's event with this number, for compiled programs. The
 * first call creates it, later calls return the same event, and
 * `moert_finalize` destroys it. All programs of a context share these events,
 * because a wait keeps its meaning when the event is recorded again. */
MOERT_API moert_status moert_event_get(moert_context *context, int32_t number,
                                       moert_event **event);

/** Like `moert_launch`, for a function whose argument has `bytes` bytes. They
 * are copied, aligned to 16, before this call returns. */
MOERT_API moert_status moert_launch_packed(moert_stream *stream,
                                           const char *name,
                                           int (*function)(void *),
                                           const void *argument, size_t bytes);

/** Number of objects that a context has created since its start, by itself or
 * on request, and number of times that the host has waited for a stream or
 * event. */
typedef struct moert_counts {
  uint32_t size;   /**< `sizeof(moert_counts)`, set by the caller */
  int64_t buffers; /**< allocations; reused buffers do not count */
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

/** Creates a communicator: a group of ranks with the stream that their
 * collectives run on. `ranks` lists `size` different ranks in group order,
 * including this rank. `key` distinguishes communicators of the same group, for
 * example by the number of the stream; all members must pass the same key.
 * Returns when all members have called it. Destroy a communicator before you
 * create the same one again. Errors: MISMATCH if members list the same ranks in
 * another order, and DEADLINE_EXCEEDED, which names the missing members. */
MOERT_API moert_status moert_comm_create(moert_stream *stream,
                                         const int32_t *ranks, int32_t size,
                                         uint64_t key, int64_t deadline_us,
                                         moert_comm **comm);
/** Returns the job's communicator for these ranks, in this order, on a stream
 * of `moert_stream_get`. The first call creates it: a `moert_comm_create` of
 * all members with a key made from the stream's name and priority. Later calls
 * return the same communicator without waiting. `moert_finalize` destroys it;
 * `moert_comm_destroy` must not be used. All members must request their
 * communicators in the same order. Fails as `moert_comm_create` does, and
 * INVALID_ARGUMENT for another stream. */
MOERT_API moert_status moert_comm_get(moert_stream *stream,
                                      const int32_t *ranks, int32_t size,
                                      int64_t deadline_us, moert_comm **comm);
/** Does the same for all ranks of the job at once, each with its own group:
 * `ranks` lists all ranks of the job, group after group, each of `size` ranks
 * in group order. All ranks must call it together, with the same list and stream,
 * and in the same order as other calls that create communicators. Returns the
 * communicator of this rank's group; only the first call with a list and a
 * stream waits.
 *
 * nccl (2.18 or later) then makes one communicator of all ranks, once per job,
 * and splits the others from it, so NCCL connects to a root once and not per
 * group. Errors are MISMATCH if ranks pass other lists or streams, and
 * DEADLINE_EXCEEDED, which names the missing ranks. Since interface 0.16. */
MOERT_API moert_status moert_comm_split(moert_stream *stream,
                                        const int32_t *ranks, int32_t size,
                                        int64_t deadline_us, moert_comm **comm);
/** nccl: makes the caller's communicator (a ncclComm_t) the communicator of
 * these ranks, in this order, for all streams, so `moert_comm_create`,
 * `moert_comm_get` and `moert_comm_split` create none. All members must adopt
 * theirs before the first communicator of these ranks is created; otherwise
 * these calls report MISMATCH. The caller keeps its ownership, and must not destroy it before
 * `moert_finalize`. This library never aborts or destroys it: after a failure,
 * a running collective ends only when the caller aborts the communicator, as
 * the error message explains. Collectives of several streams that share the
 * communicator run one after another. UNAVAILABLE on CPU backends. */
MOERT_API moert_status moert_comm_adopt(moert_context *context,
                                        const int32_t *ranks, int32_t size,
                                        void *native_comm);
/** Waits for the work of its stream (default deadline), then destroys the
 * communicator. */
MOERT_API moert_status moert_comm_destroy(moert_comm *comm);
MOERT_API int32_t moert_comm_size(const moert_comm *comm);
/** Returns the position of this rank in the group. */
MOERT_API int32_t moert_comm_rank(const moert_comm *comm);

/*===----------------------------------------------------------------------===
 * Collectives, which run on the communicator's stream. n is the group's size.
 * Send and receive buffers must not overlap unless stated. All members must
 * call the same collective with the same counts, type and reduction; otherwise
 * all report MISMATCH.
 *===----------------------------------------------------------------------===*/

/** Block all-to-all, `moe.all_to_all` with split = concat = 0. Both buffers
 * hold n blocks of `block` elements. Block j of `send` becomes block [my
 * position] of `receive` at position j. */
MOERT_API moert_status moert_all_to_all(moert_comm *comm, const void *send,
                                        void *receive, int64_t block,
                                        moert_type type);

/** `moe.ragged_all_to_all` with rows of `row` elements. `send_sizes[j]` rows of
 * `send`, starting at row `send_offsets[j]`, are sent to the member at position
 * j. The rows from position i fill `receive` from row `receive_offsets[i]`,
 * which the receiver chooses. Other rows keep their value. The buffers hold
 * `send_rows` and `receive_rows` rows. Each run must be inside of its buffer,
 * and received runs must not overlap (INVALID_ARGUMENT); sizes must be those
 * that the peers expect (MISMATCH). */
MOERT_API moert_status moert_ragged_all_to_all(
    moert_comm *comm, const void *send, int64_t send_rows, void *receive,
    int64_t receive_rows, int64_t row, const int64_t *send_offsets,
    const int64_t *send_sizes, const int64_t *receive_offsets,
    const int64_t *receive_sizes, moert_type type);

/** Concatenates `count` elements of each member in group order: `receive` holds
 * n times as many. `send` may be this rank's place in `receive`. */
MOERT_API moert_status moert_all_gather(moert_comm *comm, const void *send,
                                        void *receive, int64_t count,
                                        moert_type type);

/** Reduces n blocks of `block` elements in ascending group order (within a
 * tolerance on nccl), and gives each member its block. */
MOERT_API moert_status moert_reduce_scatter(moert_comm *comm, const void *send,
                                            void *receive, int64_t block,
                                            moert_type type,
                                            moert_reduction reduction);

/** Reduces `count` elements in ascending group order (within a tolerance on
 * nccl); every member receives all of them. `send` may be `receive`. */
MOERT_API moert_status moert_all_reduce(moert_comm *comm, const void *send,
                                        void *receive, int64_t count,
                                        moert_type type,
                                        moert_reduction reduction);

/** Makes later work of the stream start only after all members have reached the
 * barrier. */
MOERT_API moert_status moert_barrier(moert_comm *comm);

/*===----------------------------------------------------------------------===
 * Local data movement
 *===----------------------------------------------------------------------===*/

/** Maximum number of dims of a strided copy. */
#define MOERT_MAX_DIMS 8

/** Copies `bytes` bytes between any two memory spaces. */
MOERT_API moert_status moert_copy(moert_stream *stream, void *target,
                                  const void *source, size_t bytes);

/** Copies a box of `sizes[0..dims)` elements, for local slices (`moe.drop`),
 * assemblies and transposes. Strides are in elements; only strides of the
 * source may be 0 (broadcast). The result is undefined if elements of the
 * target overlap each other or the source. */
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
 * experts per token, C capacity. The reference page of the `moe` dialect
 * defines their semantics; results on CPU backends equal the compiler's
 * interpreter bit for bit.
 *===----------------------------------------------------------------------===*/

typedef enum moert_gate_kind {
  MOERT_GATE_SOFTMAX = 0,
  MOERT_GATE_SIGMOID = 1,
  /** Logits decide the choice; weights are the softmax over the logits of the
   * chosen experts. */
  MOERT_GATE_GSHARD = 2,
  /** Scores are the square root of the softplus of the logits. */
  MOERT_GATE_SQRT_SOFTPLUS = 3
} moert_gate_kind;

/** Arguments of `moe.gate`. On devices, logits are sums of 32-bit floats, or of
 * 64-bit floats if an operand is f64, and scores are 64-bit floats. The choice
 * is therefore that of CPU backends unless logits are within this rounding of
 * each other. */
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
                               softmax only. The router is then [projected,
                               E], and logits are cosines over `temperature`. */
  const void *seed;       /**< one int64_t; noise and jitter require it */
  int64_t projected;
  double temperature; /**< finite and positive with a projection */
  double jitter;      /**< in (0, 1), or 0 for none; softmax only */
  moert_type noise_type, projection_type;
  int biased; /**< the router is [M + 1, E], and its last row is added to
                   logits; softmax and sigmoid only */
} moert_gate_args;
MOERT_API moert_status moert_gate(moert_stream *stream,
                                  const moert_gate_args *args);

typedef enum moert_order_kind {
  MOERT_ORDER_CHOICE = 0,
  MOERT_ORDER_TOKEN = 1
} moert_order_kind;

/** Arguments of `moe.permute`, which writes the whole buffer, with zeros in
 * free slots. Expert numbers outside of [0, E) abort the job with
 * INVALID_ARGUMENT. */
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

/** Arguments of `moe.expert_counts`, which counts the assignments per expert,
 * separately for each of `parts` parts of the tokens. Expert -1 means none and
 * is not counted; numbers outside of [-1, E) abort the job with
 * INVALID_ARGUMENT. */
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

/** Arguments of `moe.permute_rows`, which writes the rows of assignments
 * without gaps, sorted by expert. Rows of one expert are in the order of
 * choices or of tokens, as in `moert_order`. An assignment to expert -1 has no
 * row and is not sent; as many rows at the end of the buffer keep their value.
 * Numbers outside of [-1, E) abort the job with INVALID_ARGUMENT. */
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
  void *slots;     /**< [S, k] of `ids_type`: row of each assignment; -1:
                        none */
  moert_type type, ids_type;
} moert_order_rows_args;
MOERT_API moert_status moert_order_rows(moert_stream *stream,
                                        const moert_order_rows_args *args);

/** `moe.ragged_plan`: computes the messages of a ragged exchange from the
 * number of rows that each rank of a group has for each expert. The result is
 * complete when the call returns, and all arrays are in ordinary memory.
 * Position p of a group of G ranks has experts [p * E / G, (p + 1) * E / G).
 * Each rank has its rows sorted by expert (`moert_order_rows`), and receives
 * the rows of position 0, then of position 1, and so on, into a buffer of
 * `limit` rows. The `joined` ranks of another group may each do this with a
 * group of their own and then gather the received rows; the rows of position q
 * start at row q * `limit`. Without such a group, `joined` is 1 and
 * `joined_position` is 0.
 * - `members`: [joined, G], the rank of the job at each position, for messages;
 *   NULL if messages need not name ranks.
 * - `counts`: [joined, G, E] of `counts_type`, the rows of each position for
 *   each expert, equal on all ranks. All other arrays are of `type`, which must
 *   hold joined * limit.
 * - `send_offsets`, `send_sizes`, `receive_offsets`, `receive_sizes`: [G], the
 *   arguments of `moert_ragged_all_to_all` on this rank.
 * - `run_offsets`, `run_sizes`: [joined, G, E / G], the gathered rows that come
 *   from each position for each local expert, as arguments of `moert_experts`.
 *
 * Reports INVALID_ARGUMENT, without ending the job, for a negative count and
 * for numbers that do not fit `type`. It also does so if any rank would receive
 * more than `limit` rows: then all ranks report the same message with the rank,
 * its rows and the option that raises the limit, so that no rank sends rows for
 * which another has no memory. */
MOERT_API moert_status moert_ragged_plan(
    moert_context *context, int64_t position, int64_t ranks,
    int64_t joined_position, int64_t joined, const int32_t *members,
    int64_t experts, int64_t limit, const void *counts, moert_type counts_type,
    void *send_offsets, void *send_sizes, void *receive_offsets,
    void *receive_sizes, void *run_offsets, void *run_sizes, moert_type type);

/** Arguments of `moe.distinct_nodes`, which lists each node of a token's
 * experts once, in the order of first occurrence, and fills the remaining
 * places with -1. Expert e is on node e / (E / N), and expert -1 is on none.
 * Numbers outside of [-1, E), and a token with experts on more than w nodes,
 * abort the job with INVALID_ARGUMENT. */
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

/** Arguments of `moe.limit_choices`, which enforces limits on choices. Expert e
 * counts towards limit e / (E / L). Of the assignments of one limit, the first
 * ones up to the limit keep their expert, in the order of choices or of tokens
 * as in `moert_order`; the others get -1. Expert -1 stays and counts towards no
 * limit. Numbers outside of [-1, E), and limits below 0, abort the job with
 * INVALID_ARGUMENT. */
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

/** Arguments of `moe.quantize`, which converts rows to e4m3 numbers (8-bit
 * floats without infinity, at most 448), one byte each, with a scale per block
 * of `block` elements of a row; the last block of a row may be shorter. The
 * scale is the largest magnitude of the block / 448 as a 32-bit float, at least
 * 2^-126. An element is x / scale as a 32-bit float, rounded to nearest with
 * ties to even, and clamped to a magnitude of 448. A block with an infinity or
 * a NaN has NaN as scale and elements. */
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

/** Arguments of `moe.dequantize`, which multiplies e4m3 numbers by the scales
 * of their blocks, as 32-bit floats, and rounds to the type of the result. */
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

/** `moe.node_plan`: like `moert_ragged_plan`, for tokens that are sent once to
 * each of N nodes of L ranks and distributed inside the node. Rank p = n * L +
 * l is at place l of node n, and has experts [p * E / G, (p + 1) * E / G) with
 * G = N * L. Ranks first exchange with the ranks at their place in all nodes,
 * then with the ranks of their node. The `joined` ranks of another group may
 * each do this, and then gather the rows received inside of their nodes, as
 * with `moert_ragged_plan`.
 * - `members`: [joined, G], the rank of the job at each position, as in
 *   `moert_ragged_plan`.
 * - `counts`: [joined, G, E + N] of `counts_type`, for each rank its
 *   assignments to each expert, then its tokens for each node
 *   (`moert_distinct_nodes`), equal on all ranks. All other arrays are of
 *   `type`, which must hold joined times either limit.
 * - `node_send_offsets` to `node_receive_sizes`: [N], the exchange between
 *   nodes, into `node_limit` rows.
 * - `send_offsets` to `receive_sizes`: [L], the exchange inside of this rank's
 *   node, into `limit` rows, for assignments that are sorted by expert.
 * - `run_offsets`, `run_sizes`: [joined, L, E / G], the rows received inside of
 *   the node, and gathered, that come from each place for each local expert.
 *
 * Fails as `moert_ragged_plan` does, for both limits. */
MOERT_API moert_status moert_node_plan(
    moert_context *context, int64_t node, int64_t nodes, int64_t place,
    int64_t places, int64_t joined_position, int64_t joined,
    const int32_t *members, int64_t experts,
    int64_t node_limit, int64_t limit, const void *counts,
    moert_type counts_type, void *node_send_offsets, void *node_send_sizes,
    void *node_receive_offsets, void *node_receive_sizes, void *send_offsets,
    void *send_sizes, void *receive_offsets, void *receive_sizes,
    void *run_offsets, void *run_sizes, moert_type type);

/** Arguments of `moe.unpermute`. */
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

/** Arguments of `moe.experts`. CPU backends sum in 64-bit floats. Devices sum
 * in 32-bit floats (64-bit for f64) in an order that depends only on the sizes
 * and the device. Each product, and each operand of the last product, is
 * rounded once to `type`.
 *
 * If `kept` is set, the inner products are stored in it for the gradients: K
 * parts (1 for gpt, otherwise 2) with as many rows as `x`, [K, rows, H], the
 * product of w1 first. The rows of each expert follow all rows of the expert
 * before it, run by run; rows after the last run are not written. `kept` must
 * not overlap any other argument.
 *
 * Without runs, rows are [experts, rows]. With `run_offsets` and `run_sizes`,
 * each expert has `runs` runs in a buffer of `rows` rows in total. Both arrays
 * are [runs, experts] in ordinary memory and are read before the call returns.
 * Runs must be inside of the buffer and must not overlap (INVALID_ARGUMENT).
 * Rows outside of all runs may hold any value: they are not read, and rows of
 * the result there keep their value.
 *
 * With `row_counts`, which other work of the stream may compute, each expert
 * has one run of this many rows, after the run of the expert before it, in a
 * buffer of `rows` rows. The stream reads the counts, so no caller must wait.
 * Backend nccl then needs f16 or bf16, sizes that are multiples of 8, no
 * biases, no wide gradients and the kernels of grouped products
 * (runtime/GPU.md). Otherwise, the call waits for the counts, and is
 * UNAVAILABLE while the stream is captured. A call that waits writes the counts
 * to `known_counts`, so that later calls with the same memory do not wait. A
 * negative count, or more than `rows` rows in total, aborts the job with
 * INVALID_ARGUMENT. */
typedef struct moert_experts_args {
  uint32_t size; /**< `sizeof(moert_experts_args)` */
  moert_experts_kind kind;
  moert_activation activation; /**< gpt only */
  int64_t experts;             /**< experts of this rank */
  int64_t rows;                /**< rows per expert; with runs, in total */
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
  const void *row_counts; /**< [experts] of `row_counts_type` in memory of the
                               stream, or NULL; since interface 0.14 */
  moert_type row_counts_type; /**< an integer type */
  int64_t *known_counts; /**< [experts] in ordinary memory, or NULL: the values
                              of `row_counts`, or -1 first if no call has read
                              them; since interface 0.15 */
} moert_experts_args;
MOERT_API moert_status moert_experts(moert_stream *stream,
                                     const moert_experts_args *args);

/*===----------------------------------------------------------------------===
 * Gradients, and gates that mix. CPU backends sum in 64-bit floats in ascending
 * order and round once. Devices sum in 32-bit floats (64-bit if an operand is
 * f64) in an order that depends only on the sizes and the device, so that
 * replicas agree. `d` before a name is the gradient of the loss with respect to
 * it.
 *===----------------------------------------------------------------------===*/

/** Arguments of `moe.experts_dgrad` and `moe.experts_wgrad`. The values between
 * the GEMMs are recomputed from `x`, unless dgrad gets the `kept` values of the
 * forward pass, or wgrad gets the values that dgrad `handed` on: the operand of
 * the last product, then the gradients of the inner products, K + 1 parts in
 * the layout of `kept`. Each function writes only its own results; the other
 * results may be NULL. Runs are as for `moert_experts`: rows of `x` and `dy`
 * outside of all runs may hold any value and do not contribute to the gradient
 * of a weight, whose sums follow the order of an expert's runs. */
typedef struct moert_experts_grad_args {
  uint32_t size; /**< `sizeof(moert_experts_grad_args)` */
  moert_experts_kind kind;
  moert_activation activation; /**< gpt only */
  int64_t experts;             /**< experts of this rank */
  int64_t rows;                /**< rows per expert; with runs, in total */
  int64_t hidden;              /**< M */
  int64_t ffn;                 /**< H */
  const void *x;               /**< [experts, rows, M]; with runs, [rows, M] */
  const void *w1, *w2, *w3;    /**< as in `moert_experts_args` */
  const void *dy;              /**< like `x`, gradient of the result */
  void *dx;                    /**< result of dgrad: like `x` */
  void *dw1, *dw2, *dw3;       /**< results of wgrad: like `w1`, `w2`, `w3` */
  moert_type type;             /**< of all, see `wide_gradients` */
  /* Zero where unused. */
  const int64_t *run_offsets; /**< [runs, experts]: the first row of each run */
  int32_t runs;               /**< runs of each expert, at least 1 */
  const int64_t *run_sizes;   /**< [runs, experts]: the rows of each run */
  int biased;                 /**< as in `moert_experts_args` */
  const void *kept; /**< input of dgrad: [K, rows, H], or NULL; since 0.11 */
  void *handed;     /**< [K + 1, rows, H] or NULL: dgrad writes, wgrad reads it;
                         since 0.11 */
  int64_t wide_gradients; /**< 1: dw1, dw2 and dw3 are f32, and `type` is f16 or
                               bf16; since 0.14 */
  const void *row_counts;     /**< as in `moert_experts_args`; since 0.14 */
  moert_type row_counts_type; /**< an integer type */
  int64_t *known_counts;      /**< as in `moert_experts_args`; since 0.15 */
} moert_experts_grad_args;
MOERT_API moert_status
moert_experts_dgrad(moert_stream *stream, const moert_experts_grad_args *args);
MOERT_API moert_status
moert_experts_wgrad(moert_stream *stream, const moert_experts_grad_args *args);

/** Arguments of `moe.scatter`, which writes the whole buffer, with zeros in
 * free slots. A slot that is out of range or occurs twice aborts the job with
 * INVALID_ARGUMENT. */
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

/** Arguments of `moe.unpermute_wgrad`. */
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

/** Arguments of `moe.gate_grad`. An expert number that is out of range, or
 * occurs twice for one token, aborts the job with INVALID_ARGUMENT. */
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
  /* Zero where unused. As in the gate, except for `dfurther`. */
  const void *noise;      /**< [M, E] of `further_type`, or NULL */
  const void *projection; /**< [M, projected] of `further_type`, or NULL */
  const void *seed;       /**< one int64_t; noise and jitter require it */
  void *dfurther;         /**< gradient of the noise or the projection */
  int64_t projected;
  double temperature, jitter;
  moert_type further_type;
  int64_t biased; /**< as in the gate: the router and its gradient are [M +
                       1, E]; 64 bits wide, so that it follows the padding of
                       earlier callers */
} moert_gate_grad_args;
MOERT_API moert_status moert_gate_grad(moert_stream *stream,
                                       const moert_gate_grad_args *args);

/** Arguments of `moe.dense` and `moe.dense_dgrad`, placeholders for parts of a
 * model that are not modeled: each of `count` elements divided by `parts`. */
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

/** The dimension of the softmax of `moe.expert_choice`. */
typedef enum moert_choice_scores {
  MOERT_CHOICE_EXPERTS = 0,
  MOERT_CHOICE_TOKENS = 1
} moert_choice_scores;

/** Arguments of `moe.expert_choice`. */
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

/** Arguments of `moe.expert_choice_grad`. */
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

/** Arguments of `moe.soft_gate`. */
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

/** Arguments of `moe.soft_permute`, from tokens [S, M] to slots [N, M], and of
 * `moe.soft_unpermute`, from slots to tokens. */
typedef struct moert_soft_mix_args {
  uint32_t size; /**< `sizeof(moert_soft_mix_args)` */
  int64_t tokens;      /**< S */
  int64_t hidden;      /**< M */
  int64_t slots;       /**< N */
  const void *x;       /**< values to mix, of `type` */
  const void *weights; /**< [S, N] of `weights_type` */
  void *result;        /**< of `type` */
  moert_type type, weights_type;
} moert_soft_mix_args;
MOERT_API moert_status moert_soft_order(moert_stream *stream,
                                        const moert_soft_mix_args *args);
MOERT_API moert_status moert_soft_unorder(moert_stream *stream,
                                          const moert_soft_mix_args *args);

/** Arguments of `moe.soft_gate_grad`. */
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

/** Arguments of `moe.soft_wgrad`. */
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
