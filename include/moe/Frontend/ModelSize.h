// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many parameters a model has.

#ifndef MOE_FRONTEND_MODELSIZE_H
#define MOE_FRONTEND_MODELSIZE_H

#include "moe/Frontend/ModelConfig.h"

namespace moe {

/// A part of a model and the parameters of its matrices in all layers.
struct ParameterPart {
  std::string name;
  int64_t parameters;
};

/// The sizes of a model that its memory depends on.
struct ModelSize {
  ModelConfig config;
  int64_t numLayers = 0;
  /// Tokens that the model knows; 0 when the config does not say it.
  int64_t vocabulary = 0;
  /// What every expert-parallel rank holds, part by part.
  std::vector<ParameterPart> nonExpert;
  /// The experts a token is routed to.
  int64_t expertParameters = 0;
  /// What the config says nothing about, with the key that is missing.
  std::vector<std::string> notCounted;

  int64_t getNonExpertParameters() const {
    int64_t sum = 0;
    for (const ParameterPart &part : nonExpert)
      sum += part.parameters;
    return sum;
  }
};

/// Reads the text of a `config.json` as `parseHFConfig` does, and beside it
/// what the MoE layers do not need: attention, dense layers, embeddings. A key
/// of those that is absent leaves its part uncounted; one with a wrong value
/// is an error, as is a model of more than 2^53 parameters.
llvm::Expected<ModelSize>
readModelSize(llvm::StringRef text, llvm::StringRef file,
              const ConfigMap *map = nullptr,
              llvm::ArrayRef<std::string> ignoredKeys = {});

} // namespace moe

#endif // MOE_FRONTEND_MODELSIZE_H
