//===- GateWords.h - What users call gates ----------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_FRONTEND_GATEWORDS_H
#define MOE_FRONTEND_GATEWORDS_H

#include "moe/Frontend/ModelConfig.h"
#include "moe/Support/ChoiceWords.h"

namespace moe {

template <> struct ChoiceWords<GateModule> {
  static constexpr ChoiceWord<GateModule> all[] = {
      {GateModule::Softmax, "softmax",
       "scores are a softmax over all experts"},
      {GateModule::Sigmoid, "sigmoid", "scores are sigmoids"},
      {GateModule::Switch, "switch",
       "the best expert by its softmax (--gate-jitter)"},
      {GateModule::GShard, "gshard",
       "noisy top-k, with a noise weight and a seed a layer"},
      {GateModule::XMoE, "xmoe",
       "cosines (--gate-temperature, --gate-projection)"},
      {GateModule::ExpertChoice, "expert-choice",
       "each expert takes as many tokens as it has slots, by the tokens' "
       "softmax over the experts"},
      {GateModule::ExpertChoiceOverTokens, "expert-choice-over-tokens",
       "the same, by logits, with weights that are the softmax over the tokens "
       "it took"},
      {GateModule::SoftMoE, "softmoe",
       "every slot is a mix of all tokens, every token one of all slots"}};
};

} // namespace moe

#endif // MOE_FRONTEND_GATEWORDS_H
