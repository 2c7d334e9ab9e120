// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameter counts of models.

#ifndef MOE_FRONTEND_MODELSIZE_H
#define MOE_FRONTEND_MODELSIZE_H

#include "moe/Frontend/ModelConfig.h"

namespace moe {

/// A part of a model, with the parameters of its matrices in all layers.
struct ParameterPart {
  std::string name;
  int64_t parameters;
};

/// The sizes of a model that determine its memory.
struct ModelSize {
  ModelConfig config;
  int64_t numLayers = 0;
  /// Number of tokens in the vocabulary; 0 if the config does not have it.
  int64_t vocabulary = 0;
  /// Number of layers that predict further tokens (`num_nextn_predict_layers`),
  /// which `numLayers` and the parameters leave out.
  int64_t furtherTokenLayers = 0;
  /// Parameters on every expert-parallel rank, part by part.
  std::vector<ParameterPart> nonExpert;
  /// Parameters of the routed experts.
  int64_t expertParameters = 0;
  /// Parts without a size in the config, with the missing key.
  std::vector<std::string> notCounted;

  int64_t getNonExpertParameters() const {
    int64_t sum = 0;
    for (const ParameterPart &part : nonExpert)
      sum += part.parameters;
    return sum;
  }
};

/// Reads the text of a `config.json` like `parseHFConfig`, and additionally
/// parts that the MoE layers do not need: attention, dense layers, embeddings.
/// If one of the additional keys is missing, its part is not counted; a wrong
/// value is an error, and so is a model of more than 2^53 parameters.
llvm::Expected<ModelSize>
readModelSize(llvm::StringRef text, llvm::StringRef file,
              const ConfigMap *map = nullptr,
              llvm::ArrayRef<std::string> ignoredKeys = {});

} // namespace moe

#endif // MOE_FRONTEND_MODELSIZE_H
