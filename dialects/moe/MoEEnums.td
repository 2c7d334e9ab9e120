// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations of the moe dialect.

#ifndef MOE_ENUMS_TD
#define MOE_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "moe/MoEDialect.td"

class MoE_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::moe";
  let genSpecializedAttr = 0;
}

class MoE_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<MoE_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def MoE_Phase : MoE_Enum<"Phase", "phase of a training step", [
  I32EnumAttrCase<"Forward", 0, "fwd">,
  I32EnumAttrCase<"Backward", 1, "bwd">
]>;
def MoE_PhaseAttr : MoE_EnumAttr<MoE_Phase, "phase">;

def MoE_Reduction : MoE_Enum<"Reduction", "how a collective reduces", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Prod", 1, "prod">,
  I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"Max", 3, "max">
]>;
def MoE_ReductionAttr : MoE_EnumAttr<MoE_Reduction, "reduction">;

def MoE_GateKind : MoE_Enum<"GateKind", "how a gate scores experts", [
  I32EnumAttrCase<"Softmax", 0, "softmax">,
  I32EnumAttrCase<"Sigmoid", 1, "sigmoid">,
  I32EnumAttrCase<"Switch", 2, "switch">,
  I32EnumAttrCase<"GShard", 3, "gshard">,
  I32EnumAttrCase<"XMoE", 4, "xmoe">,
  I32EnumAttrCase<"SqrtSoftplus", 5, "sqrtsoftplus">
]>;
def MoE_GateKindAttr : MoE_EnumAttr<MoE_GateKind, "gate_kind">;

def MoE_OrderKind : MoE_Enum<"OrderKind", "which tokens get slots first", [
  I32EnumAttrCase<"Choice", 0, "choice">,
  I32EnumAttrCase<"Token", 1, "token">
]>;
def MoE_OrderKindAttr : MoE_EnumAttr<MoE_OrderKind, "order_kind">;

def MoE_Ordering : MoE_Enum<"Ordering", "how tokens get to slots and back", [
  I32EnumAttrCase<"Sparse", 0, "sparse">,
  I32EnumAttrCase<"Einsum", 1, "einsum">
]>;
def MoE_OrderingAttr : MoE_EnumAttr<MoE_Ordering, "ordering">;

def MoE_ChoiceScores : MoE_Enum<"ChoiceScores", "what a softmax runs over", [
  I32EnumAttrCase<"Experts", 0, "experts">,
  I32EnumAttrCase<"Tokens", 1, "tokens">
]>;
def MoE_ChoiceScoresAttr : MoE_EnumAttr<MoE_ChoiceScores, "choice_scores">;

def MoE_HookPoint : MoE_Enum<"HookPoint", "a point of a layer", [
  I32EnumAttrCase<"BeforeMoeStart", 0, "before_moe_start">,
  I32EnumAttrCase<"BeforeDispatch", 1, "before_dispatch">,
  I32EnumAttrCase<"AfterDispatch", 2, "after_dispatch">,
  I32EnumAttrCase<"BeforeCombine", 3, "before_combine">,
  I32EnumAttrCase<"AfterCombine", 4, "after_combine">,
  I32EnumAttrCase<"BeforeMoeEnd", 5, "before_moe_end">
]>;
def MoE_HookPointAttr : MoE_EnumAttr<MoE_HookPoint, "hook_point">;

def MoE_ExpertsKind : MoE_Enum<"ExpertsKind", "the expert network", [
  I32EnumAttrCase<"GPT", 0, "gpt">,
  I32EnumAttrCase<"SwiGLU", 1, "swiglu">,
  I32EnumAttrCase<"GeGLU", 2, "geglu">,
  I32EnumAttrCase<"ClampedSwiGLU", 3, "clamped_swiglu">
]>;
def MoE_ExpertsKindAttr : MoE_EnumAttr<MoE_ExpertsKind, "experts_kind">;

def MoE_Activation : MoE_Enum<"Activation", "activation of a GPT expert", [
  I32EnumAttrCase<"Gelu", 0, "gelu">,
  I32EnumAttrCase<"Relu", 1, "relu">,
  I32EnumAttrCase<"Silu", 2, "silu">,
  I32EnumAttrCase<"QuickGelu", 3, "quick_gelu">,
  I32EnumAttrCase<"Relu2", 4, "relu2">
]>;
def MoE_ActivationAttr : MoE_EnumAttr<MoE_Activation, "activation">;

def MoE_ResourceKind : MoE_Enum<"ResourceKind", "what a stream occupies", [
  I32EnumAttrCase<"Inter", 0, "inter">,
  I32EnumAttrCase<"Intra", 1, "intra">,
  I32EnumAttrCase<"Copy", 2, "copy">,
  I32EnumAttrCase<"Compute", 3, "compute">
]>;
def MoE_ResourceKindAttr : MoE_EnumAttr<MoE_ResourceKind, "resource">;

def MoE_CopyPlacement : MoE_Enum<"CopyPlacement", "stream of a pipeline's copies", [
  I32EnumAttrCase<"Own", 0, "own">,
  I32EnumAttrCase<"Intra", 1, "intra">
]>;
def MoE_CopyPlacementAttr : MoE_EnumAttr<MoE_CopyPlacement, "copies">;

def MoE_LaunchStage : MoE_Enum<"LaunchStage", "collectives of one chunk that are launched together", [
  I32EnumAttrCase<"Dispatch", 0, "dispatch">,
  I32EnumAttrCase<"Gather", 1, "gather">,
  I32EnumAttrCase<"Scatter", 2, "scatter">,
  I32EnumAttrCase<"Combine", 3, "combine">,
  I32EnumAttrCase<"Gradients", 4, "gradients">
]>;
def MoE_LaunchStageAttr : MoE_EnumAttr<MoE_LaunchStage, "launch_stage">;

#endif // MOE_ENUMS_TD
