/*===- MoE.h - The compiler from C ----------------------------------*- C -*-===*\
|*                                                                            *|
|* Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Contexts, modules, passes, plans, predictions and execution, for programs  *|
|* that are not C++ and for bindings. docs/reference/python-and-c.md has an    *|
|* example.                                                                   *|
|*                                                                            *|
|* Nothing here ends the process or throws: a function that fails returns     *|
|* NULL or MOE_FAILURE and has told the handler of the context why, with the  *|
|* place where there is one. A context and what is made in it belong to one   *|
|* thread at a time; other contexts may be used beside it.                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef MOE_C_MOE_H
#define MOE_C_MOE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MOE_CAPI __attribute__((visibility("default")))

typedef enum MoeStatus { MOE_SUCCESS = 0, MOE_FAILURE = 1 } MoeStatus;

/** The version of the library, "1.2.3"; not to be freed. */
MOE_CAPI const char *moeGetVersion(void);

/** Frees a string that a function below returned; NULL is fine. */
MOE_CAPI void moeFreeString(char *string);

/*===----------------------------------------------------------------------===*\
|* Contexts and what they say                                                 *|
\*===----------------------------------------------------------------------===*/

/** What modules are made in; outlives them. */
typedef struct MoeContext MoeContext;

typedef enum MoeSeverity {
  MOE_NOTE = 0, /**< belongs to the last one that is no note */
  MOE_WARNING = 1,
  MOE_ERROR = 2,
  MOE_REMARK = 3 /**< what a pass chose, and why */
} MoeSeverity;

typedef struct MoeDiagnostic {
  MoeSeverity severity;
  const char *message;
  /** Where it belongs, line and column from 1; "" and 0 where that is nowhere.
   */
  const char *file;
  unsigned line, column;
} MoeDiagnostic;

/** Called on the thread that uses the context; the diagnostic lives until it
 * returns. */
typedef void (*MoeDiagnosticHandler)(const MoeDiagnostic *diagnostic,
                                     void *data);

MOE_CAPI MoeContext *moeContextCreate(void);
/** NULL is fine. Its modules must be gone. */
MOE_CAPI void moeContextDestroy(MoeContext *context);

/** Takes the place of the handler before it; without one, or with NULL,
 * messages are printed to stderr. */
MOE_CAPI void moeContextSetHandler(MoeContext *context,
                                   MoeDiagnosticHandler handler, void *data);

/** Remarks of the passes whose names match this regular expression are told to
 * the handler ("moe-.*"); of none without it. Fails when it is none. */
MOE_CAPI MoeStatus moeContextSetRemarks(MoeContext *context, const char *regex);

/*===----------------------------------------------------------------------===*\
|* Modules                                                                    *|
\*===----------------------------------------------------------------------===*/

typedef struct MoeModule MoeModule;

/** Reads and verifies a module, MLIR text or bytecode; `name` stands for its
 * file in messages, and may be NULL. */
MOE_CAPI MoeModule *moeModuleParse(MoeContext *context, const char *text,
                                   size_t length, const char *name);

/** How a model is spread over ranks: what `moe-translate --import-hf-config`
 * has as options of these names. 0 and NULL stand for what these have when they
 * are not given; `ep`, `tp`, `micro_batch` and `seq_len` are required. */
typedef struct MoeImportOptions {
  size_t size; /**< sizeof(MoeImportOptions) */
  int64_t ep, tp, esp, dp, cp, pp;
  int64_t micro_batch, seq_len, layers;
  int sequence_parallel, fold_ep, train, dropless;
  const char *dtype;           /**< "bf16", "f16", "f32" */
  const char *capacity_factor; /**< a decimal, "1.25" */
  const char *receive_factor;
  int64_t hidden_size, expert_ffn_size, shared_ffn_size, num_experts, top_k;
  int64_t num_groups, top_groups;
  const char *config_map; /**< the text of such a file, with a final 0 */
  /** Keys of the config that are ignored although their names are about routing
   * or experts, with commas between them. */
  const char *ignore_keys;
  /** 1 for `--phase=layer`: the first layer's forward and backward pass as two
   * functions. */
  int layer;
} MoeImportOptions;

/** The module of a model's config.json, given as text; `name` as above. */
MOE_CAPI MoeModule *moeModuleImportConfig(MoeContext *context, const char *text,
                                          size_t length, const char *name,
                                          const MoeImportOptions *options);

MOE_CAPI MoeModule *moeModuleClone(const MoeModule *module);
/** NULL is fine. */
MOE_CAPI void moeModuleDestroy(MoeModule *module);

typedef enum MoePrintFlags {
  MOE_PRINT_GENERIC = 1, /**< the form that needs no dialect to be read */
  MOE_PRINT_LOCATIONS = 2
} MoePrintFlags;

/** The module as text. */
MOE_CAPI char *moeModulePrint(const MoeModule *module, int flags);

/** Runs passes, in MLIR's language for them, with or without the
 * `builtin.module(...)` around: "moe-compile{to=schedule platform=dgx-h100}".
 * After a failure the module may be half changed. */
MOE_CAPI MoeStatus moeModuleRunPipeline(MoeModule *module,
                                        const char *pipeline);

/*===----------------------------------------------------------------------===*\
|* Plans and predictions                                                      *|
\*===----------------------------------------------------------------------===*/

/** What is best to do with a program on a platform, the name of one that ships
 * or a file, as JSON: that of `moe-opt --moe-export-plan`. `options` are those of
 * `moe-compile` but `platform`, `from` and `to`, or NULL. The module stays as it
 * is. */
MOE_CAPI char *moeModulePlan(const MoeModule *module, const char *platform,
                             const char *options);

/** What the program takes on a platform, as JSON: that of `moe-sim --json`.
 * NULL for the platform that it is compiled for. */
MOE_CAPI char *moeModuleSimulate(const MoeModule *module, const char *platform);

/** An option of a planner: its name without dashes, and its value as text,
 * "true" or "false" for a flag. An option that may be repeated is given once
 * for each value. */
typedef struct MoeOption {
  const char *name, *value;
} MoeOption;

/** The answer of a planner, such as "all-to-all" or "memory", as JSON: the same
 * text as `moe-plan PLANNER --json` prints. The handler gets warnings about the
 * input. */
MOE_CAPI char *moePlannerAsk(MoeContext *context, const char *planner,
                             const MoeOption *options, size_t count);

/** The planners with their options, as JSON: an array of objects with
 * `planner`, `tool`, `description` and `options`. */
MOE_CAPI char *moePlannersList(void);

/*===----------------------------------------------------------------------===*\
|* Execution                                                                  *|
\*===----------------------------------------------------------------------===*/

/** An array, row by row. Types are those of MLIR: "f32", "bf16", "i32"; an "i1"
 * takes a byte, an "index" eight. */
typedef struct MoeArray {
  const char *type;
  int64_t rank;
  const int64_t *shape;
  const void *data;
} MoeArray;

/** Argument `argument` of the program: of the argument's shape and the same on
 * every rank, or with the ranks as its first dim. */
typedef struct MoeInput {
  int64_t argument;
  MoeArray array;
} MoeInput;

typedef struct MoeRunOptions {
  size_t size;         /**< sizeof(MoeRunOptions) */
  const char *backend; /**< "interp" (NULL) or "host": threads of compiled code */
  const char *entry;   /**< NULL: main, or the only public function */
  uint64_t seed;       /**< arguments that are not given are drawn from it */
  int64_t ranks;       /**< 0: those of the module */
  uint64_t max_bytes;  /**< for tensors; 0: 1 GiB */
} MoeRunOptions;

typedef struct MoeResults MoeResults;

/** Runs the program of all ranks in this process. The module stays as it is.
 * `options` may be NULL. */
MOE_CAPI MoeResults *moeModuleRun(const MoeModule *module,
                                  const MoeInput *inputs, size_t num_inputs,
                                  const MoeRunOptions *options);
MOE_CAPI size_t moeResultsGetCount(const MoeResults *results);
/** Result `index`, the ranks as its first dim; lives as long as the results.
 * Fails when there is no such. */
MOE_CAPI MoeStatus moeResultsGet(const MoeResults *results, size_t index,
                                 MoeArray *array);
MOE_CAPI void moeResultsDestroy(MoeResults *results);

/** Proves on terms that two programs give the same for all floats and the
 * routings that are tried, `samples` of them. 1 when they do, 0 with the first
 * difference in `report` when not, -1 when that cannot be found out. `report`
 * may be NULL, and is to be freed. */
MOE_CAPI int moeModuleProve(const MoeModule *module, const MoeModule *against,
                            unsigned samples, uint64_t seed, char **report);

#ifdef __cplusplus
}
#endif

#endif /* MOE_C_MOE_H */
