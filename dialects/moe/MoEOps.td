// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the moe dialect.

#ifndef MOE_OPS_TD
#define MOE_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "moe/MoEAttrs.td"
include "moe/MoEPlanAttrs.td"
include "moe/MoEEnums.td"
include "moe/MoEInterfaces.td"
include "moe/MoETypes.td"

class MoE_Op<string mnemonic, list<Trait> traits = []>
    : Op<MoE_Dialect, mnemonic, traits>;

/// Local data of one rank. Dims may be dynamic.
def MoE_Tensor : RankedTensorOf<[AnyInteger, AnyFloat, Index]>;
def MoE_FloatTensor : RankedTensorOf<[AnyFloat]>;
def MoE_IndexTensor : RankedTensorOf<[AnySignlessInteger, Index]>;

/// A dim or a count, signed in C++ so that a negative value compares as such.
def MoE_I64Attr : TypedSignlessIntegerAttrBase<
    I64, "int64_t", "64-bit signless integer attribute"> {
  let convertFromStorage = "$_self.getValue().getSExtValue()";
}

/// The resource for the rendezvous of the ranks in a group; see "Ordering
/// model".
def MoE_Rendezvous : Resource<"::moe::RendezvousResource">;
def MoE_RendezvousEffect : MemoryEffects<[MemRead<MoE_Rendezvous>]>;

/// The format that follows the tokens of experts that read runs of rows.
defvar MoE_RunsFormat = [{
  (`runs` `(` custom<Runs>($run_offsets, type($run_offsets), $run_sizes,
                           type($run_sizes))^ `)`)?
}];

include "moe/MoEMeshOps.td"
include "moe/MoECollectiveOps.td"
include "moe/MoEMovementOps.td"
include "moe/MoELayerOps.td"
include "moe/MoEDroplessOps.td"
include "moe/MoENodeOps.td"
include "moe/MoELimitOps.td"
include "moe/MoEQuantizeOps.td"
include "moe/MoEGradientOps.td"
include "moe/MoEDenseOps.td"
include "moe/MoEModuleOps.td"
include "moe/MoEPipelineOps.td"
include "moe/MoEScheduleOps.td"

#endif // MOE_OPS_TD
