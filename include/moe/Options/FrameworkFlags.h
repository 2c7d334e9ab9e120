// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of training frameworks.
//
// One table relates the flags of frameworks to our options.
// docs/how-to/frameworks.md shows it, errors about a framework's flag on our
// command lines suggest our option, and planners print layouts as flags.

#ifndef MOE_OPTIONS_FRAMEWORKFLAGS_H
#define MOE_OPTIONS_FRAMEWORKFLAGS_H

#include "moe/Cost/Precision.h"
#include "moe/Options/JobOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace moe {

/// A flag or setting of a framework, and its equivalent among our options.
struct FrameworkFlag {
  /// The name in a launch script or a configuration.
  llvm::StringRef name;
  /// "N" for a number, otherwise the only value that this entry describes;
  /// empty for a flag without a value.
  llvm::StringRef value;
  /// Text with our options in backquotes, where N is the number.
  llvm::StringRef ours;
};

/// Return the flags of a framework, and its name with the version that defines
/// them; both are empty for `None`.
llvm::ArrayRef<FrameworkFlag> getFrameworkFlags(ParallelismPreset framework);
llvm::StringRef getFrameworkName(ParallelismPreset framework);

/// Returns true if several tensor-parallel ranks share each head of keys and
/// values because the model has fewer of these heads than ranks.
bool sharesKeyValueHeads(const ModelConfig &config,
                         const ImportOptions &options);

/// Returns the name of a framework with the first release that has all of
/// `flags` and supports the layout, for example "Megatron-LM (core 0.16 or
/// later)" if ranks share heads. Returns `getFrameworkName` if no flag or
/// layout requires a release.
std::string getFrameworkRelease(ParallelismPreset framework,
                                const ModelConfig &config,
                                const ImportOptions &options,
                                llvm::StringRef flags);

/// Returns an error for a command line with flags of a framework: all of these
/// flags with our equivalents, the contradictions with our own options, and the
/// unknown options. Returns an empty string if there are no such flags. Flags
/// with the same name as one of our options count as ours.
std::string
checkFrameworkFlags(int argc, const char *const *argv,
                    llvm::function_ref<bool(llvm::StringRef)> isOption);

/// A job in the terms of a framework's flags.
struct FrameworkJob {
  ImportOptions options;
  /// Ranks with sequences of their own; context-parallel ranks share sequences.
  int64_t dataRanks = 1;
  /// Micro-batches per step; nullopt if they are not stated.
  std::optional<int64_t> microBatches;
  int64_t zero = 0;
  /// Bytes per parameter.
  double gradientBytes = 2, optimizerBytes = 12;
  /// The precision in which linear layers and experts multiply, and whether
  /// only their quantized weights are kept.
  cost::Precision precision = cost::Precision::SixteenBit;
  bool keepsQuantizedWeights = false;
  /// True if whole layers are recomputed. Otherwise the named parts are
  /// (`core_attn`, `moe_act`; `op` for torchtitan's policy).
  bool recomputes = false;
  std::vector<llvm::StringRef> recomputedModules;
  /// True if sums of gradients run during the backward pass.
  bool hidesSums = false;
  /// "all-to-all", or a dispatcher that sends a token once to each node, for
  /// example "deepep".
  std::string dispatcher = "all-to-all";
  /// The value of --overlap: the passes that exchanges with experts overlap.
  llvm::StringRef overlap = "none";
  /// Layers per piece of the model, in the order of `schedule::listPieces`.
  std::vector<int64_t> pieces;
  /// The pieces in the form of Megatron's layout; empty if they are not stated.
  std::string pipelineLayout;
  /// Layers that predict further tokens, in the last piece unless stated.
  int64_t mtpLayers = 0;
  /// True if the whole step is one CUDA graph.
  bool fullGraph = false;
  /// True if the time of the step is predicted. The prediction assumes grouped
  /// products of experts, fused permutations and concurrent gathers of weights.
  bool isTimed = false;
};

/// Returns the flags that give a job its layout. Fails if the framework has no
/// such layout.
cost::Result<std::string> writeFrameworkFlags(ParallelismPreset framework,
                                              const FrameworkJob &job);

/// Returns the reason if a framework cannot split experts in this way;
/// otherwise an empty string.
std::string checkFrameworkExperts(ParallelismPreset framework,
                                  const ImportOptions &options);

/// Returns the reason if a framework rejects a layout of a model that the
/// frontend accepts; otherwise an empty string.
std::string checkFrameworkLayout(ParallelismPreset framework,
                                 const ModelConfig &config,
                                 const ImportOptions &options);

} // namespace moe

#endif // MOE_OPTIONS_FRAMEWORKFLAGS_H
