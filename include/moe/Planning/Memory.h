// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that training needs per rank (SPEC MO-11).

#ifndef MOE_PLANNING_MEMORY_H
#define MOE_PLANNING_MEMORY_H

#include "moe/Options/RoutingOptions.h"
#include "moe/Planning/MemoryFit.h"
#include "moe/Planning/TrainingInput.h"

namespace moe::planning {

struct MemoryInput : TrainingInput {
  MemoryInput() : TrainingInput(Of::Memory) {}

  RoutingOptions routing{table};
  FlagsOption flags{table};
  IntegerOption parts{table,
                      "sub-batches",
                      "Concurrent sub-batches per micro-batch (default: 1)",
                      {.unit = "sub-batches"}};
};

/// Whether a job fits the ranks of a platform.
struct MemoryVerdict {
  std::string platform;
  double limitBytes, bytes;
  /// What would make it fit.
  std::vector<std::string> changes;

  bool fits() const { return bytes <= limitBytes; }
};

struct MemoryAnswer {
  static constexpr unsigned kJsonIndent = 2;

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
  Quantization quantization;
  /// Quantized copies of weights.
  double quantizedWeights = 0;
  std::optional<MemoryVerdict> verdict;
  /// One of each form, empty when activations are not counted.
  std::vector<std::pair<schedule::ActivationForm, schedule::Activations>>
      activations;
  std::vector<std::string> notCounted;
  /// A rank of each pipeline stage, of which the fullest is the one above;
  /// empty without activations and for a single stage.
  std::vector<RankMemory> stages;
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
           stage->getTotal() + partGradients + quantizedWeights;
  }
};

Result<MemoryAnswer> planMemory(MemoryInput &in);

std::string getTitle(const MemoryAnswer &answer);
void printJSON(llvm::json::OStream &out, const MemoryAnswer &answer);

/// The activations of a stage by part, in bytes.
std::vector<std::pair<const char *, double>>
listParts(const schedule::StageActivations &stage);
/// Name of a form of activations in JSON and in the table.
llvm::StringRef getVariantName(schedule::ActivationForm form);

} // namespace moe::planning

#endif // MOE_PLANNING_MEMORY_H
