//===- MoERTGateOps.td - Gates that mix or choose tokens ---*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_GATE_OPS_TD
#define MOERT_GATE_OPS_TD

include "moert/MoERTTrainingOps.td"

def OpGroupRTMixes : OpDocGroup {
  let summary = "Gates that mix or choose tokens";
  let description = [{
    These ops mean what the ops of these names in the `moe` dialect mean, and
    have kernels on CPU backends only.
  }];
}

let opDocGroup = OpGroupRTMixes in {

def MoERT_ExpertChoiceOp : MoERT_KernelOp<"expert_choice"> {
  let summary = "choice of tokens for each expert";
  let description = [{
    ```mlir
    moert.expert_choice %s experts ins(%x, %router : memref<16x64xf32>,
        memref<64x8xf32>) outs(%slots, %w : memref<16x8xi32>, memref<16x8xf32>)
      capacity 4
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E]`, outputs `[S, E]`; the
    capacity is at least 0.
  }];
  let arguments = !con(streamArg, (ins MoE_ChoiceScoresAttr:$scores),
                       bufferArgs, (ins MoERT_I64Attr:$capacity));
  let assemblyFormat =
      "$stream `` $scores" # buffersFormat # "`capacity` $capacity attr-dict";
}

def MoERT_SoftGateOp : MoERT_KernelOp<"soft_gate"> {
  let summary = "how tokens mix into slots, and slots into tokens";
  let description = [{
    ```mlir
    moert.soft_gate %s ins(%x, %router : memref<16x64xf32>, memref<64x8x2xf32>)
      outs(%dispatch, %combine : memref<16x8x2xf32>, memref<16x8x2xf32>)
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E, C]`, outputs `[S, E, C]`.
  }];
}

def MoERT_SoftOrderOp : MoERT_KernelOp<"soft_order"> {
  let summary = "mix tokens into slots";
  let description = [{
    ```mlir
    moert.soft_order %s ins(%x, %dispatch : memref<16x64xf32>,
        memref<16x8x2xf32>) outs(%buffer : memref<4x2x2x64xf32>)
    ```

    **Constraints:** tokens `[S, M]`, weights `[S, E, C]`, output
    `[experts..., C, M]` of the tokens' element type, with E experts.
  }];
}

def MoERT_SoftUnorderOp : MoERT_KernelOp<"soft_unorder"> {
  let summary = "mix slots into tokens";
  let description = [{
    ```mlir
    moert.soft_unorder %s ins(%buffer, %combine : memref<4x2x2x64xf32>,
        memref<16x8x2xf32>) outs(%y : memref<16x64xf32>)
    ```

    **Constraints:** buffer `[experts..., C, M]` of E experts, weights
    `[S, E, C]`, output `[S, M]` of the buffer's element type.
  }];
}

} // opDocGroup

#endif // MOERT_GATE_OPS_TD
