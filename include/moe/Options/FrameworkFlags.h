// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags of training frameworks.
//
// The one table of what stands for what, both ways: docs/how-to/frameworks.md
// shows it, command lines that hold a framework's flag are told ours, and
// layouts that a planner found are written in the flags of the job.

#ifndef MOE_OPTIONS_FRAMEWORKFLAGS_H
#define MOE_OPTIONS_FRAMEWORKFLAGS_H

#include "moe/Cost/Precision.h"
#include "moe/Options/JobOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace moe {

/// A flag or setting of a framework, and what stands for it.
struct FrameworkFlag {
  /// As a launch script or a configuration has it.
  llvm::StringRef name;
  /// "N" for a number, else the one value that is meant; empty without.
  llvm::StringRef value;
  /// In words, ours in backquotes, where N is that number.
  llvm::StringRef ours;
};

/// Those of a framework, and its name with the version that they are of;
/// nothing of `None`.
llvm::ArrayRef<FrameworkFlag> getFrameworkFlags(ParallelismPreset framework);
llvm::StringRef getFrameworkName(ParallelismPreset framework);

/// True if several tensor-parallel ranks share each head of keys and values,
/// because the model has fewer of these heads than ranks.
bool sharesKeyValueHeads(const ModelConfig &config,
                         const ImportOptions &options);

/// The name of a framework with the first release that has all of `flags` and
/// supports the layout: "Megatron-LM (core 0.16 or later)" if ranks share
/// heads. Without such a flag or layout `getFrameworkName`.
std::string getFrameworkRelease(ParallelismPreset framework,
                                const ModelConfig &config,
                                const ImportOptions &options,
                                llvm::StringRef flags);

/// What is wrong with a command line that has flags of a framework, all of them
/// with what stands for each, where an option of ours says otherwise, and which
/// others nobody knows; empty where there is none of a framework. Flags of the
/// same name as ours are ours.
std::string
checkFrameworkFlags(int argc, const char *const *argv,
                    llvm::function_ref<bool(llvm::StringRef)> isOption);

/// A job as a framework's flags state it.
struct FrameworkJob {
  ImportOptions options;
  /// Ranks with sequences of their own, but for those of context parallelism.
  int64_t dataRanks = 1;
  /// Of a step; none where nothing is said of it.
  std::optional<int64_t> microBatches;
  int64_t zero = 0;
  /// Of a parameter.
  double gradientBytes = 2, optimizerBytes = 12;
  /// What linear layers and experts multiply in; their weights may be kept
  /// quantized alone.
  cost::Precision precision = cost::Precision::SixteenBit;
  bool keepsQuantizedWeights = false;
  /// Whole layers, or else the named parts (`core_attn`, `moe_act`; `op` for
  /// torchtitan's policy).
  bool recomputes = false;
  std::vector<llvm::StringRef> recomputedModules;
  /// Sums of gradients run during the backward pass.
  bool hidesSums = false;
  /// "all-to-all", or another that sends a token once to each node, "deepep".
  std::string dispatcher = "all-to-all";
  /// Exchanges with experts run during another micro-batch's passes, also with
  /// gradients of weights put off.
  bool overlapsExperts = false, delaysWeightGradients = false;
  /// Layers of each piece of the model; piece i is of stage i % pp.
  std::vector<int64_t> pieces;
};

/// The flags that give a job its layout. A failure says why the framework has
/// no such layout.
cost::Result<std::string> writeFrameworkFlags(ParallelismPreset framework,
                                              const FrameworkJob &job);

/// Why a framework has no job whose experts are split as these are; empty where
/// it may have one.
std::string checkFrameworkExperts(ParallelismPreset framework,
                                  const ImportOptions &options);

/// Why a framework refuses a layout of a model that the frontend can have;
/// empty where it does not.
std::string checkFrameworkLayout(ParallelismPreset framework,
                                 const ModelConfig &config,
                                 const ImportOptions &options);

} // namespace moe

#endif // MOE_OPTIONS_FRAMEWORKFLAGS_H
