// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replacement of a config's gate.

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
    // A learned bias only suits one kind of scores.
    config.hasSelectionBias &= scores == config.scores;
    config.hasRouterBias &= scores == config.scores;
    config.scores = scores;
    return;
  }
  config.scores = ScoreFunction::Softmax;
  config.hasSelectionBias = config.hasRouterBias = false;
  if (gate == GateModule::Outside) {
    // The caller's gate may choose in any way. The layer determines whether
    // weights multiply the input or the output of the experts.
    config.groups.reset();
    return;
  }
  config.weighsInputs = false;
  config.normalizesTopK = false;
  config.routedScale = 1.0;
}
