// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan memory prints.

#ifndef MOE_TOOLS_MOE_PLAN_MEMORYANSWER_H
#define MOE_TOOLS_MOE_PLAN_MEMORYANSWER_H

#include "Command.h"
#include "MemoryFit.h"

namespace moe::plan {

/// Whether a job fits the ranks of a platform.
struct MemoryVerdict {
  std::string platform;
  double limitBytes, bytes;
  /// What would make it fit.
  std::vector<std::string> changes;

  bool fits() const { return bytes <= limitBytes; }
};

/// All that is printed, in either form.
struct MemoryAnswer {
  ModelSize model;
  schedule::ParallelDegrees degrees;
  schedule::ZeroStage zero;
  schedule::StateBytes stateBytes;
  int64_t microBatch, virtualStages = 1;
  std::optional<int64_t> seqLen;
  bool sequenceParallel;
  schedule::Recompute recompute;
  /// Empty unless it is selective.
  schedule::RecomputeModules modules;
  schedule::ModelStates states;
  LayersAtWork atWork;
  /// As the config and the options have them; not set without activations.
  std::optional<schedule::StageActivations> stage;
  /// Beside them.
  double partGradients = 0;
  std::optional<MemoryVerdict> verdict;
  /// One of each form, empty when activations are not counted.
  std::vector<std::pair<schedule::ActivationForm, schedule::Activations>> activations;
  std::vector<std::string> notCounted;
  /// The framework in whose flags the job is written, and these; empty where
  /// none is asked for.
  std::string framework, flags;

  /// How they share layers that do not divide; empty where all hold as many.
  std::string describeStages() const {
    auto pieces = splitLayers(model.config, degrees.pp * virtualStages);
    return areAlike(pieces) ? "" : " of " + describePieces(pieces);
  }
  double getStatesBytes() const {
    return states.nonExpertBytes + states.expertBytes;
  }
  /// Of the fullest rank, where activations are counted.
  double getTotalBytes() const {
    return getStatesBytes() + atWork.weights + atWork.gradients +
           stage->getTotal() + partGradients;
  }
};

/// As members of an object that is open.
void printMemoryJSON(llvm::json::OStream &out, const MemoryAnswer &answer);

/// The model of a file, in front of the settings; and all that is behind them.
void printMemoryHead(llvm::raw_ostream &os, const MemoryAnswer &answer,
                     llvm::StringRef config);
void printMemoryTables(llvm::raw_ostream &os, const MemoryAnswer &answer);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_MEMORYANSWER_H
