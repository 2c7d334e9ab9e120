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

/** Returns the version of the library, "1.2.3"; must not be freed. */
MOE_CAPI const char *moeGetVersion(void);

/** Frees a string returned by a function below; `string` may be NULL. */
MOE_CAPI void moeFreeString(char *string);

/*===----------------------------------------------------------------------===*\
|* Contexts and what they say                                                 *|
\*===----------------------------------------------------------------------===*/

/** Owns the data that modules share; must outlive them. */
typedef struct MoeContext MoeContext;

typedef enum MoeSeverity {
  MOE_NOTE = 0, /**< belongs to the last diagnostic that is not a note */
  MOE_WARNING = 1,
  MOE_ERROR = 2,
  MOE_REMARK = 3 /**< a decision of a pass, with its reason */
} MoeSeverity;

typedef struct MoeDiagnostic {
  MoeSeverity severity;
  const char *message;
  /** Position, with line and column starting at 1; "" and 0 if there is none.
   */
  const char *file;
  unsigned line, column;
} MoeDiagnostic;

/** Called on the thread that uses the context; the diagnostic is valid until
 * the handler returns. */
typedef void (*MoeDiagnosticHandler)(const MoeDiagnostic *diagnostic,
                                     void *data);

MOE_CAPI MoeContext *moeContextCreate(void);
/** `context` may be NULL. Its modules must have been destroyed. */
MOE_CAPI void moeContextDestroy(MoeContext *context);

/** Replaces the handler; without one, or if it is NULL, messages are printed
 * to stderr. */
MOE_CAPI void moeContextSetHandler(MoeContext *context,
                                   MoeDiagnosticHandler handler, void *data);

/** Reports remarks of the passes with names that match a regular expression
 * ("moe-.*") to the handler; by default, there are none. Fails if it is
 * invalid. */
MOE_CAPI MoeStatus moeContextSetRemarks(MoeContext *context, const char *regex);

/*===----------------------------------------------------------------------===*\
|* Modules                                                                    *|
\*===----------------------------------------------------------------------===*/

typedef struct MoeModule MoeModule;

/** Parses and verifies a module in MLIR text or bytecode; `name` is its file in
 * messages, and may be NULL. */
MOE_CAPI MoeModule *moeModuleParse(MoeContext *context, const char *text,
                                   size_t length, const char *name);

/** Distributes a model over ranks: the options of
 * `moe-translate --import-hf-config` with these names. 0 and NULL select the
 * default of the option; `ep`, `tp`, `micro_batch` and `seq_len` are
 * required. */
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
  const char *config_map; /**< the zero-terminated text of such a file */
  /** Comma-separated keys of the config to ignore although their names are
   * about routing or experts. */
  const char *ignore_keys;
  /** 1 for `--phase=layer`: the first layer's forward and backward pass as two
   * functions. */
  int layer;
  const char *gate; /**< like `--gate`, "outside"; NULL for the config's */
} MoeImportOptions;

/** Builds a module from the text of a model's config.json; `name` as above. */
MOE_CAPI MoeModule *moeModuleImportConfig(MoeContext *context, const char *text,
                                          size_t length, const char *name,
                                          const MoeImportOptions *options);

MOE_CAPI MoeModule *moeModuleClone(const MoeModule *module);
/** `module` may be NULL. */
MOE_CAPI void moeModuleDestroy(MoeModule *module);

typedef enum MoePrintFlags {
  MOE_PRINT_GENERIC = 1, /**< the form that can be read without dialects */
  MOE_PRINT_LOCATIONS = 2
} MoePrintFlags;

/** Returns the module as text. */
MOE_CAPI char *moeModulePrint(const MoeModule *module, int flags);

/** Runs a pipeline in MLIR's textual syntax, with or without the surrounding
 * `builtin.module(...)`: "moe-compile{to=schedule platform=dgx-h100}". After a
 * failure, the module may be partly changed. */
MOE_CAPI MoeStatus moeModuleRunPipeline(MoeModule *module,
                                        const char *pipeline);

/*===----------------------------------------------------------------------===*\
|* Plans and predictions                                                      *|
\*===----------------------------------------------------------------------===*/

/** Returns the best compile plan on a platform, which is a built-in name or a
 * file, as the JSON of `moe-opt --moe-export-plan`. `options` are options of
 * `moe-compile` except for `platform`, `from` and `to`, or NULL. The module is
 * not changed. */
MOE_CAPI char *moeModulePlan(const MoeModule *module, const char *platform,
                             const char *options);

/** Returns the predicted times on a platform, as the JSON of `moe-sim --json`.
 * NULL selects the platform that the program is compiled for. */
MOE_CAPI char *moeModuleSimulate(const MoeModule *module, const char *platform);

/** An option of a planner: its name without dashes, and its value as text,
 * "true" or "false" for a flag. A repeatable option is given once per value. */
typedef struct MoeOption {
  const char *name, *value;
} MoeOption;

/** Returns the answer of a planner, for example "all-to-all" or "memory", as
 * the JSON of `moe-plan PLANNER --json`. The handler receives warnings about
 * the input. */
MOE_CAPI char *moePlannerAsk(MoeContext *context, const char *planner,
                             const MoeOption *options, size_t count);

/** Returns the planners with their options, as a JSON array of objects with
 * `planner`, `tool`, `description` and `options`. */
MOE_CAPI char *moePlannersList(void);

/*===----------------------------------------------------------------------===*\
|* Execution                                                                  *|
\*===----------------------------------------------------------------------===*/

/** A row-major array. Types are MLIR types: "f32", "bf16", "i32"; an "i1" takes
 * one byte, an "index" eight. */
typedef struct MoeArray {
  const char *type;
  int64_t rank;
  const int64_t *shape;
  const void *data;
} MoeArray;

/** Argument `argument` of the program: either of the argument's shape and equal
 * on every rank, or with the ranks as its first dim. */
typedef struct MoeInput {
  int64_t argument;
  MoeArray array;
} MoeInput;

typedef struct MoeRunOptions {
  size_t size;         /**< sizeof(MoeRunOptions) */
  const char *backend; /**< "interp" (NULL) or "host": threads of compiled code */
  const char *entry;   /**< NULL: main, or the only public function */
  uint64_t seed;       /**< seed of arguments that are not given */
  int64_t ranks;       /**< 0: the module's ranks */
  uint64_t max_bytes;  /**< for tensors; 0: 1 GiB */
} MoeRunOptions;

typedef struct MoeResults MoeResults;

/** Runs the program of all ranks in this process. The module is not changed.
 * `options` may be NULL. */
MOE_CAPI MoeResults *moeModuleRun(const MoeModule *module,
                                  const MoeInput *inputs, size_t num_inputs,
                                  const MoeRunOptions *options);
MOE_CAPI size_t moeResultsGetCount(const MoeResults *results);
/** Returns result `index`, with the ranks as its first dim; valid as long as
 * the results. Fails if there is no such result. */
MOE_CAPI MoeStatus moeResultsGet(const MoeResults *results, size_t index,
                                 MoeArray *array);
MOE_CAPI void moeResultsDestroy(MoeResults *results);

/** Compares two programs symbolically, for all floats and `samples` sampled
 * routings. Returns 1 if they are equal, 0 with the first difference in
 * `report` if they differ, and -1 if the comparison is not possible. `report`
 * may be NULL, and must be freed. */
MOE_CAPI int moeModuleProve(const MoeModule *module, const MoeModule *against,
                            unsigned samples, uint64_t seed, char **report);

#ifdef __cplusplus
}
#endif

#endif /* MOE_C_MOE_H */
