// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the table of kernels against moert.h.
//
// Nothing here runs. Members of argument structs in compiled programs must have
// the offsets that the runtime expects, so the compiler's build compares the
// table of kernels with the runtime's header.

#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moert.h"
#include <type_traits>

namespace moe::rt {

/// Returns true if the members of a kernel's entry match the runtime's struct
/// in order and size, with none omitted.
template <typename OpT, typename Args> constexpr bool hasLayout() {
  constexpr auto places = OpT::template getKernelPlaces<Args>();
  static_assert(places.size() == std::size(OpT::kKernelMembers));
  size_t end = 0, alignment = 1;
  auto align = [](size_t offset, size_t to) {
    return (offset + to - 1) / to * to;
  };
  for (size_t i = 0; i < places.size(); ++i) {
    size_t bytes = getKernelMemberBytes(OpT::kKernelMembers[i]);
    end = align(end, bytes);
    alignment = bytes > alignment ? bytes : alignment;
    if (places[i].offset != end || places[i].bytes != bytes)
      return false;
    end += bytes;
  }
  return align(end, alignment) == sizeof(Args);
}

#define MOERT_KERNEL(name, Name, args)                                         \
  static_assert(hasLayout<Name##Op, moert_##args##_args>(),                    \
                "moert." #name " fills another struct than moert.h has");      \
  static_assert(                                                               \
      std::is_same_v<decltype(&moert_##name),                                  \
                     moert_status (*)(moert_stream *,                          \
                                      const moert_##args##_args *)>);
#include "moert_calls.def"

// Enumerators are passed as numbers.
static_assert(getRuntimeKind(GateKind::Softmax) == MOERT_GATE_SOFTMAX &&
              getRuntimeKind(GateKind::Sigmoid) == MOERT_GATE_SIGMOID &&
              getRuntimeKind(GateKind::GShard) == MOERT_GATE_GSHARD &&
              getRuntimeKind(GateKind::SqrtSoftplus) ==
                  MOERT_GATE_SQRT_SOFTPLUS &&
              getRuntimeKind(GateKind::XMoE) == MOERT_GATE_SOFTMAX);
template <auto ours, auto theirs>
constexpr bool isNumber = static_cast<int64_t>(ours) == theirs;
static_assert(isNumber<OrderKind::Choice, MOERT_ORDER_CHOICE> &&
              isNumber<OrderKind::Token, MOERT_ORDER_TOKEN>);
static_assert(
    isNumber<ExpertsKind::GPT, MOERT_EXPERTS_GPT> &&
    isNumber<ExpertsKind::SwiGLU, MOERT_EXPERTS_SWIGLU> &&
    isNumber<ExpertsKind::GeGLU, MOERT_EXPERTS_GEGLU> &&
    isNumber<ExpertsKind::ClampedSwiGLU, MOERT_EXPERTS_CLAMPED_SWIGLU>);
static_assert(isNumber<Activation::Gelu, MOERT_GELU> &&
              isNumber<Activation::Relu, MOERT_RELU> &&
              isNumber<Activation::Relu2, MOERT_RELU2> &&
              isNumber<Activation::Silu, MOERT_SILU> &&
              isNumber<Activation::QuickGelu, MOERT_QUICK_GELU>);
static_assert(isNumber<ChoiceScores::Experts, MOERT_CHOICE_EXPERTS> &&
              isNumber<ChoiceScores::Tokens, MOERT_CHOICE_TOKENS>);
static_assert(isNumber<Reduction::Sum, MOERT_SUM> &&
              isNumber<Reduction::Prod, MOERT_PROD> &&
              isNumber<Reduction::Min, MOERT_MIN> &&
              isNumber<Reduction::Max, MOERT_MAX>);

} // namespace moe::rt
