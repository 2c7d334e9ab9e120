// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// User-visible names of gates.

#ifndef MOE_FRONTEND_GATEWORDS_H
#define MOE_FRONTEND_GATEWORDS_H

#include "moe/Frontend/ModelConfig.h"
#include "moe/Support/EnumNames.h"

namespace moe {

template <> struct EnumNames<GateModule> {
  static constexpr EnumName<GateModule> all[] = {
      {GateModule::Softmax, "softmax", "softmax scores over all experts"},
      {GateModule::Sigmoid, "sigmoid", "sigmoid scores"},
      {GateModule::SqrtSoftplus, "sqrtsoftplus",
       "square roots of the softplus of the logits"},
      {GateModule::Switch, "switch", "top-1 by softmax (--gate-jitter)"},
      {GateModule::GShard, "gshard",
       "noisy top-k, with a noise weight and a seed per layer"},
      {GateModule::XMoE, "xmoe",
       "cosine scores (--gate-temperature, --gate-projection)"},
      {GateModule::Outside, "outside",
       "none: expert ids and weights of tokens are arguments of the layer "
       "(--phase=layer)"},
      {GateModule::ExpertChoice, "expert-choice",
       "each expert fills its slots with its best tokens, by softmax over the "
       "experts"},
      {GateModule::ExpertChoiceOverTokens, "expert-choice-over-tokens",
       "each expert fills its slots by logits, weighted by softmax over the "
       "chosen tokens"},
      {GateModule::SoftMoE, "softmoe",
       "soft MoE: every slot mixes all tokens, every token mixes all slots"}};
};

} // namespace moe

#endif // MOE_FRONTEND_GATEWORDS_H
