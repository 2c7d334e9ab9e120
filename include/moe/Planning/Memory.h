// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that training needs per rank (SPEC MO-11).

#ifndef MOE_PLANNING_MEMORY_H
#define MOE_PLANNING_MEMORY_H

#include "moe/Planning/MemoryFit.h"
#include "moe/Planning/TrainingInput.h"

namespace moe::planning {

struct MemoryInput : TrainingInput {
  MemoryInput() : TrainingInput(Of::Memory) {}

  FlagsOption flags{table};
  IntegerOption parts{table,
                      "sub-batches",
                      "Concurrent sub-batches per micro-batch (default: 1)",
                      {.unit = "sub-batches"}};
};

/// A comparison of a job's memory with the ranks of a platform.
struct MemoryVerdict {
  std::string platform;
  double limitBytes, bytes;
  /// Changes that would make the job fit.
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
  /// Micro-batches per step; nullopt if no option states them.
  std::optional<int64_t> microBatches;
  /// Layers that predict further tokens.
  int64_t mtpLayers = 0;
  std::optional<int64_t> seqLen;
  bool sequenceParallel;
  schedule::Recompute recompute;
  /// The recomputed parts; empty unless recomputation is selective.
  schedule::RecomputeModules modules;
  schedule::ModelStates states;
  LayersAtWork atWork;
  /// Activations for the config and the options; nullopt if activations are not
  /// counted.
  std::optional<schedule::StageActivations> stage;
  /// Bytes of weight gradients that wait for other parts of a micro-batch.
  double partGradients = 0;
  Quantization quantization;
  /// Bytes of quantized copies of weights.
  double quantizedWeights = 0;
  std::optional<MemoryVerdict> verdict;
  /// The activations of each form; empty if activations are not counted.
  std::vector<std::pair<schedule::ActivationForm, schedule::Activations>>
      activations;
  std::vector<std::string> notCounted;
  /// The memory per rank of each pipeline stage; the fullest one is given
  /// above. Empty without activations and for a single stage.
  std::vector<RankMemory> stages;
  /// The flags of the job and the framework that defines them; empty if they
  /// were not requested.
  std::string framework, flags;
  /// The layers in each piece of the model.
  std::vector<LayerCount> pieces;

  void setMemory(const RankMemory &memory);
  /// Returns the split of layers over pieces, or an empty string if all pieces
  /// hold equally many.
  std::string describeStages() const {
    return areAlike(pieces) ? "" : " of " + describePieces(pieces);
  }
  double getStatesBytes() const {
    return states.nonExpertBytes + states.expertBytes;
  }
  /// Returns the bytes of the fullest rank. Activations must be counted.
  double getTotalBytes() const {
    return getStatesBytes() + atWork.weights + atWork.gradients +
           stage->getTotal() + partGradients + quantizedWeights;
  }
};

Result<MemoryAnswer> planMemory(MemoryInput &in);

std::string getTitle(const MemoryAnswer &answer);
void printJSON(llvm::json::OStream &out, const MemoryAnswer &answer);

/// Returns the activations of a stage by part, in bytes.
std::vector<std::pair<const char *, double>>
listParts(const schedule::StageActivations &stage);
/// Returns the nonzero bytes that each rank holds in addition to its states and
/// activations.
std::vector<std::pair<llvm::StringRef, double>>
listFurtherBytes(const RankMemory &memory);
/// Prints the memory per rank of each stage as the member `stages` of an open
/// object.
void printStages(llvm::json::OStream &out, llvm::ArrayRef<RankMemory> stages);
/// Returns the name of a form of activations in JSON and in the table.
llvm::StringRef getVariantName(schedule::ActivationForm form);

} // namespace moe::planning

#endif // MOE_PLANNING_MEMORY_H
