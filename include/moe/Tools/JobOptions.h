// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training job on the command line.
//
// How a job is stated, in one way: to moe-translate, which builds its program,
// and to the planners of moe-plan. What fits what is checked by
// `computeLayout`.

#ifndef MOE_TOOLS_JOBOPTIONS_H
#define MOE_TOOLS_JOBOPTIONS_H

#include "moe/Frontend/ImportOptions.h"
#include "moe/Frontend/ModelSize.h"
#include "moe/Tools/NumberOptions.h"

namespace moe {

/// How a framework spreads a job unless it is told otherwise.
enum class ParallelismPreset { None, Megatron, DeepSpeed, TorchTitan };

/// "megatron", "deepspeed" or "torchtitan", as --parallelism has them; a failure
/// for a word that is none.
cost::Result<ParallelismPreset> parseParallelism(llvm::StringRef word);

/// Leaves what is not said of a job as the framework has it.
void applyPreset(ParallelismPreset preset, ImportOptions &options);

namespace detail {
inline llvm::cl::sub placeOption(llvm::cl::SubCommand &command) {
  return llvm::cl::sub(command);
}
inline llvm::cl::cat placeOption(llvm::cl::OptionCategory &category) {
  return llvm::cl::cat(category);
}
} // namespace detail

/// `--config-map`, which says what is what in the config of a family that is
/// not known.
class ConfigMapOption {
public:
  template <typename Place>
  explicit ConfigMapOption(Place &place)
      : option(
            "config-map",
            llvm::cl::desc("JSON file that maps config keys of an unknown "
                           "model family to their meaning (docs/Frontend.md)"),
            llvm::cl::value_desc("FILE"), detail::placeOption(place)) {}

  bool isSet() const { return option.getNumOccurrences() > 0; }
  llvm::StringRef getName() const { return option.ArgStr; }
  /// As it was given; empty when it was not.
  const std::string &getFile() const { return option; }

  /// Reads the file, if one is given.
  std::optional<cost::Failure> read();

  /// What has been read; null when nothing was.
  const ConfigMap *get() const { return map ? &*map : nullptr; }

private:
  llvm::cl::opt<std::string> option;
  std::string text;
  std::optional<ConfigMap> map;
};

/// `--ignore-key`, the keys of a config that may go unread although their names
/// are about routing or experts.
class IgnoredKeysOption {
public:
  template <typename Place>
  explicit IgnoredKeysOption(Place &place)
      : option("ignore-key",
               llvm::cl::desc("Ignore this key of the config although its name "
                              "is about routing or experts; may be repeated"),
               llvm::cl::value_desc("NAME"), detail::placeOption(place)) {}

  bool isSet() const { return option.getNumOccurrences() > 0; }
  llvm::StringRef getName() const { return option.ArgStr; }
  std::vector<std::string> get() const {
    return {option.begin(), option.end()};
  }

private:
  llvm::cl::list<std::string> option;
};

/// The degrees and sizes of a job. `Place` is a subcommand or a category.
class JobOptions {
public:
  /// What becomes of a size that is not given. `Command` is required, too,
  /// unless the command reads it on its own.
  enum class Missing { Required, One, Command };
  struct Needs {
    Missing degrees = Missing::Required, sizes = Missing::Required;
  };

  template <typename Place>
  explicit JobOptions(Place &place, Needs needs)
      : needs(needs), ep("ep",
                         choose(needs.degrees, "Expert-parallel ranks",
                                "Expert-parallel ranks (required)",
                                "Expert-parallel ranks (default: 1)"),
                         place),
        tp("tp",
           choose(needs.degrees, "Tensor-parallel ranks",
                  "Tensor-parallel ranks (required)",
                  "Tensor-parallel ranks (default: 1)"),
           place),
        esp("esp", "Ranks that each expert is sharded over (default: --tp)",
            place),
        dp("dp",
           "Data-parallel ranks, which hold the same experts (default: 1)",
           place),
        cp("cp", "Context-parallel ranks, which share a sequence (default: 1)",
           place),
        pp("pp", "Pipeline stages (default: 1)", place),
        stagesOutermost(
            "stages-outermost",
            llvm::cl::desc(
                "Make pipeline stages the outermost mesh axis, outside data "
                "parallelism (default: data parallelism is outermost; with "
                "--parallelism, stages are)"),
            detail::placeOption(place)),
        foldEp("fold-ep",
               llvm::cl::desc(
                   "Spread whole experts over the tensor-parallel ranks too; "
                   "--ep then includes them (and the context-parallel ranks if "
                   "it is a multiple of tp x cp)"),
               detail::placeOption(place)),
        sequenceParallel(
            "sequence-parallel",
            llvm::cl::desc(
                "Split each layer's tokens over the tensor-parallel ranks"),
            detail::placeOption(place)),
        microBatch("micro-batch",
                   choose(needs.sizes, "Sequences per micro-batch and rank",
                          "Sequences per micro-batch and rank (required)",
                          "Sequences per micro-batch and rank (default: 1)"),
                   place),
        seqLen("seq-len",
               choose(needs.sizes, "Tokens per sequence",
                      "Tokens per sequence (required)",
                      "Tokens per sequence (default: 1)"),
               place),
        dtype("dtype",
              llvm::cl::desc("Element type of tokens and weights: bf16 "
                             "(default), f16 or f32"),
              llvm::cl::value_desc("TYPE"), llvm::cl::init("bf16"),
              detail::placeOption(place)),
        preset("parallelism",
               llvm::cl::desc("Use the defaults of a framework: megatron, "
                              "deepspeed or torchtitan (docs/Frameworks.md)"),
               llvm::cl::value_desc("FRAMEWORK"), detail::placeOption(place)),
        configMap(place), ignoredKeys(place) {}

  /// Fills in degrees, sizes and the type, as the preset has what is not said.
  std::optional<cost::Failure> read(ImportOptions &options) const;

  /// The preset; a failure for a word that is none.
  cost::Result<ParallelismPreset> readPreset() const;

  /// The first of the job's options that is given and not among `known`; empty
  /// when none is.
  llvm::StringRef findGiven(llvm::ArrayRef<llvm::StringRef> known = {}) const;

private:
  static const char *choose(Missing missing, const char *plain,
                            const char *required, const char *one) {
    return missing == Missing::Required ? required
           : missing == Missing::One    ? one
                                        : plain;
  }

  Needs needs;

public:
  IntegerOption ep, tp, esp, dp, cp, pp;
  llvm::cl::opt<bool> stagesOutermost, foldEp, sequenceParallel;
  IntegerOption microBatch, seqLen;
  llvm::cl::opt<std::string> dtype, preset;
  ConfigMapOption configMap;
  IgnoredKeysOption ignoredKeys;
};

/// Bytes of an element of a type by its name, of those that a job can have;
/// nothing for others.
std::optional<int64_t> getTypeBytes(llvm::StringRef name);

/// Reads the model of a `--config`, and checks that its sizes fit each other;
/// without and with what beside MoE layers its size depends on. Warnings about
/// the config go to standard error.
cost::Result<ModelConfig>
readModelConfig(const std::string &file, const ConfigMap *map,
                llvm::ArrayRef<std::string> ignoredKeys = {});
cost::Result<ModelSize>
readModelSizeFile(const std::string &file, const ConfigMap *map,
                  llvm::ArrayRef<std::string> ignoredKeys = {});

} // namespace moe

#endif // MOE_TOOLS_JOBOPTIONS_H
