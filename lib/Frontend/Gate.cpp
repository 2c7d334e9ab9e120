// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gate in the place of a config's.

#include "moe/Frontend/GateWords.h"

using namespace moe;

llvm::StringRef moe::getGateName(GateModule gate) { return getEnumName(gate); }

void moe::applyGate(ModelConfig &config, GateModule gate) {
  config.gate = gate;
  if (gate <= GateModule::SqrtSoftplus) {
    ScoreFunction scores = gate == GateModule::Softmax ? ScoreFunction::Softmax
                           : gate == GateModule::Sigmoid
                               ? ScoreFunction::Sigmoid
                               : ScoreFunction::SqrtSoftplus;
    // A bias was learned beside one kind of scores.
    config.hasSelectionBias &= scores == config.scores;
    config.hasRouterBias &= scores == config.scores;
    config.scores = scores;
    return;
  }
  config.scores = ScoreFunction::Softmax;
  config.hasSelectionBias = config.hasRouterBias = false;
  config.weighsInputs = false;
  config.normalizesTopK = false;
  config.routedScale = 1.0;
}
