// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a training job.
//
// moe-translate, which builds the program of a job, and the planners share
// these options. `computeLayout` checks that their values are consistent.

#ifndef MOE_OPTIONS_JOBOPTIONS_H
#define MOE_OPTIONS_JOBOPTIONS_H

#include "moe/Frontend/ImportOptions.h"
#include "moe/Frontend/ModelSize.h"
#include "moe/Options/Option.h"

namespace moe {

/// The framework whose defaults a job uses.
enum class ParallelismPreset { None, Megatron, DeepSpeed, TorchTitan };

/// Parses a value of --parallelism: "megatron", "deepspeed" or "torchtitan".
/// Fails for any other word.
cost::Result<ParallelismPreset> parseParallelism(llvm::StringRef word);

/// Sets the options of a job that are not stated to the framework's defaults.
void applyPreset(ParallelismPreset preset, ImportOptions &options);

/// `--config-map`, which maps the config keys of an unknown model family.
class ConfigMapOption {
public:
  explicit ConfigMapOption(OptionTable &table)
      : option(table, "config-map",
               "JSON file that maps config keys of an unknown model family to "
               "their meaning (docs/reference/model-configs.md)",
               "FILE") {}

  bool isSet() const { return option.isSet(); }
  llvm::StringRef getName() const { return option.getName(); }
  /// Returns the name of the file; empty if the option was not given.
  const std::string &getFile() const { return option; }

  /// Reads the file, if one is given.
  std::optional<cost::Failure> read();

  /// Returns the map that was read, or null.
  const ConfigMap *get() const { return map ? &*map : nullptr; }

private:
  TextOption option;
  std::string text;
  std::optional<ConfigMap> map;
};

/// `--ignore-key`, which lists config keys that may remain unread although
/// their names are about routing or experts.
class IgnoredKeysOption : public TextListOption {
public:
  explicit IgnoredKeysOption(OptionTable &table)
      : TextListOption(table, "ignore-key",
                       "Ignore this key of the config although its name is "
                       "about routing or experts; may be repeated",
                       "NAME") {}
};

/// The degrees and sizes of a job.
class JobOptions {
public:
  /// The treatment of a size that is not given. A `Command` size is also
  /// required unless the command reads it itself. All values of a `Tried`
  /// degree are tried; `read` sets it to 1.
  enum class Missing { Required, One, Command, Tried };
  struct Needs {
    Missing degrees = Missing::Required, sizes = Missing::Required;
    /// True if --micro-batch takes a list, which the command reads itself.
    bool listsMicroBatches = false;
  };

  JobOptions(OptionTable &table, Needs needs)
      : needs(needs), ep(table, "ep",
                         choose(needs.degrees, "Expert-parallel ranks",
                                "Expert-parallel ranks (required)",
                                "Expert-parallel ranks (default: 1)",
                                "Expert-parallel ranks (default: all are "
                                "tried)"),
                         {.unit = "ranks"}),
        tp(table, "tp",
           choose(needs.degrees, "Tensor-parallel ranks",
                  "Tensor-parallel ranks (required)",
                  "Tensor-parallel ranks (default: 1)",
                  "Tensor-parallel ranks (default: all are tried)"),
           {.unit = "ranks"}),
        esp(table, "esp",
            "Ranks that each expert is sharded over (default: --tp)",
            {.unit = "ranks"}),
        dp(table, "dp",
           needs.degrees == Missing::Tried
               ? "Data-parallel ranks, which hold the same experts (default: "
                 "all are tried)"
               : "Data-parallel ranks, which hold the same experts (default: "
                 "1)",
           {.unit = "ranks"}),
        cp(table, "cp",
           needs.degrees == Missing::Tried
               ? "Context-parallel ranks, which share a sequence (default: "
                 "all are tried)"
               : "Context-parallel ranks, which share a sequence (default: 1)",
           {.unit = "ranks"}),
        pp(table, "pp",
           needs.degrees == Missing::Tried
               ? "Pipeline stages (default: all are tried)"
               : "Pipeline stages (default: 1)",
           {.unit = "stages"}),
        stagesOutermost(
            table, "stages-outermost",
            "Make pipeline stages the outermost mesh axis, outside data "
            "parallelism (default: data parallelism is outermost; with "
            "--parallelism, stages are)"),
        foldEp(table, "fold-ep",
               "Spread whole experts over the tensor-parallel ranks too; --ep "
               "then includes them (and the context-parallel ranks if it is a "
               "multiple of tp x cp)"),
        sequenceParallel(
            table, "sequence-parallel",
            "Split each layer's tokens over the tensor-parallel ranks"),
        microBatch(
            table, "micro-batch",
            needs.listsMicroBatches
                ? "Sequences per micro-batch and rank. A list with commas: all "
                  "are tried"
                : choose(needs.sizes, "Sequences per micro-batch and rank",
                         "Sequences per micro-batch and rank (required)",
                         "Sequences per micro-batch and rank (default: 1)"),
            {.unit = "sequences", .takesList = needs.listsMicroBatches}),
        seqLen(table, "seq-len",
               choose(needs.sizes, "Tokens per sequence",
                      "Tokens per sequence (required)",
                      "Tokens per sequence (default: 1)"),
               {.unit = "tokens"}),
        dtype(table, "dtype",
              "Element type of tokens and weights: bf16 (default), f16 or f32",
              "TYPE", "bf16"),
        preset(table, "parallelism",
               "Use the defaults of a framework: megatron, deepspeed or "
               "torchtitan (docs/how-to/frameworks.md)",
               "FRAMEWORK"),
        configMap(table), ignoredKeys(table) {}

  /// Sets degrees, sizes and the element type; the preset gives those that are
  /// not stated.
  std::optional<cost::Failure> read(ImportOptions &options) const;

  /// Returns the preset. Fails for an unknown word.
  cost::Result<ParallelismPreset> readPreset() const;

  /// Returns the first given option of the job that is not among `known`, or an
  /// empty string.
  llvm::StringRef findGiven(llvm::ArrayRef<llvm::StringRef> known = {}) const;

private:
  static const char *choose(Missing missing, const char *plain,
                            const char *required, const char *one,
                            const char *tried = "") {
    switch (missing) {
    case Missing::Required:
      return required;
    case Missing::One:
      return one;
    case Missing::Command:
      return plain;
    case Missing::Tried:
      return tried;
    }
    return plain;
  }

  Needs needs;

public:
  IntegerOption ep, tp, esp, dp, cp, pp;
  FlagOption stagesOutermost, foldEp, sequenceParallel;
  IntegerOption microBatch, seqLen;
  TextOption dtype, preset;
  ConfigMapOption configMap;
  IgnoredKeysOption ignoredKeys;
};

/// Returns the bytes per element of a type that a job can have; nullopt for
/// other names.
std::optional<int64_t> getTypeBytes(llvm::StringRef name);

/// Read the model of a `--config` and check that its sizes are consistent.
/// `readModelSizeFile` also reads the parts outside of MoE layers that
/// determine the model's size. Both add warnings about the config to the table.
cost::Result<ModelConfig>
readModelConfig(const std::string &file, const ConfigMap *map,
                llvm::ArrayRef<std::string> ignoredKeys, OptionTable &table);
cost::Result<ModelSize>
readModelSizeFile(const std::string &file, const ConfigMap *map,
                  llvm::ArrayRef<std::string> ignoredKeys, OptionTable &table);

} // namespace moe

#endif // MOE_OPTIONS_JOBOPTIONS_H
