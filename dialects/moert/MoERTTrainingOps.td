//===- MoERTTrainingOps.td - Gradients and dense parts -----*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_TRAINING_OPS_TD
#define MOERT_TRAINING_OPS_TD

include "moert/MoERTOps.td"

def OpGroupRTTraining : OpDocGroup {
  let summary = "Gradients and dense parts";
  let description = [{
    Local work of a backward pass. These ops mean what the ops of these names
    in the `moe` dialect mean, and have kernels on CPU backends only.
  }];
}

/// Reads some buffers and writes some.
class MoERT_KernelOp<string mnemonic>
    : MoERT_LaunchOp<mnemonic, [AttrSizedOperandSegments]> {
  dag streamArg = (ins MoERT_Stream:$stream);
  dag bufferArgs = (ins
      Arg<Variadic<MoERT_ContiguousBuffer>, "", [MemRead]>:$inputs,
      Arg<Variadic<MoERT_ContiguousBuffer>, "", [MemWrite]>:$outputs);
  let arguments = !con(streamArg, bufferArgs);
  string buffersFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
  }];
  let assemblyFormat = "$stream" # buffersFormat # "attr-dict";
  let hasVerifier = 1;
}

class MoERT_ExpertsGradOp<string mnemonic> : MoERT_KernelOp<mnemonic> {
  let arguments = !con(streamArg, (ins MoE_ExpertsKindAttr:$kind), bufferArgs,
                       (ins OptionalAttr<MoE_ActivationAttr>:$activation));
  let assemblyFormat = "$stream `` $kind (`activation` `` $activation^)?" #
                       buffersFormat # "attr-dict";
}

let opDocGroup = OpGroupRTTraining in {

def MoERT_ExpertsDgradOp : MoERT_ExpertsGradOp<"experts_dgrad"> {
  let summary = "gradient of experts with respect to their tokens";
  let description = [{
    ```mlir
    moert.experts_dgrad %s gpt ins(%x, %w1, %w2, %dy : memref<2x8x4xf32>,
        memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>)
      outs(%dx : memref<2x8x4xf32>)
    ```

    **Constraints:** the inputs of `moert.experts` and the gradient of its
    result; that and the output have the shape of the tokens; one element type.
  }];
}

def MoERT_ExpertsWgradOp : MoERT_ExpertsGradOp<"experts_wgrad"> {
  let summary = "gradients of experts with respect to their weights";
  let description = [{
    ```mlir
    moert.experts_wgrad %s gpt ins(%x, %w1, %w2, %dy : memref<2x8x4xf32>,
        memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>)
      outs(%dw1, %dw2 : memref<2x4x6xf32>, memref<2x6x4xf32>)
    ```

    **Constraints:** the inputs of `moert.experts_dgrad`; one output a weight,
    of its shape; one element type.
  }];
}

def MoERT_ScatterOp : MoERT_KernelOp<"scatter"> {
  let summary = "put rows into slots";
  let description = [{
    ```mlir
    moert.scatter %s ins(%rows, %slots, %w : memref<3x4xf32>, memref<3x1xi32>,
                         memref<3x1xf32>) outs(%buffer : memref<2x2x4xf32>)
    ```

    **Constraints:** rows `[S, M]`, slots `[S, k]`, perhaps weights `[S, k]`;
    one output `[experts..., C, M]` of the rows' element type.
  }];
}

def MoERT_UnorderWgradOp : MoERT_KernelOp<"unorder_wgrad"> {
  let summary = "gradient of unorder with respect to its weights";
  let description = [{
    ```mlir
    moert.unorder_wgrad %s ins(%dy, %buffer, %slots : memref<3x4xf32>,
        memref<2x2x4xf32>, memref<3x1xi32>) outs(%dw : memref<3x1xf32>)
    ```

    **Constraints:** gradient `[S, M]`, buffer `[experts..., C, M]` of its
    element type, slots `[S, k]`; one output of the slots' shape.
  }];
}

def MoERT_GateGradOp : MoERT_KernelOp<"gate_grad"> {
  let summary = "gradient of a gate's weights";
  let description = [{
    ```mlir
    moert.gate_grad %s softmax ins(%x, %router, %ids, %dw : memref<16x64xf32>,
        memref<64x8xf32>, memref<16x2xi32>, memref<16x2xf32>)
      outs(%dx, %drouter : memref<16x64xf32>, memref<64x8xf32>) {normalize}
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E]`, ids and gradient
    `[S, k]`, 1 <= k <= E; outputs of the types of tokens and router; the kind
    is `softmax` or `sigmoid`.
  }];
  let arguments = !con(streamArg, (ins MoE_GateKindAttr:$kind), bufferArgs,
      (ins UnitAttr:$normalize, DefaultValuedAttr<F64Attr, "1.0">:$scale));
  let assemblyFormat = "$stream `` $kind" # buffersFormat # "attr-dict";
}

def MoERT_DenseOp : MoERT_KernelOp<"dense"> {
  let summary = "what stands for a dense part of a model";
  let description = [{
    The value that `moe.dense` and `moe.dense_dgrad` have: elements over
    `parts`.

    ```mlir
    moert.dense %s ins(%x : memref<16x64xf32>) outs(%y : memref<16x64xf32>)
      parts 4
    ```

    **Constraints:** one input and one output, of one shape and element type;
    `parts` is at least 1.
  }];
  let arguments = !con(streamArg, bufferArgs, (ins MoERT_I64Attr:$parts));
  let assemblyFormat = "$stream" # buffersFormat # "`parts` $parts attr-dict";
}

def MoERT_DenseWgradOp : MoERT_KernelOp<"dense_wgrad"> {
  let summary = "what stands for the weight gradient of a dense part";
  let description = [{
    ```mlir
    moert.dense_wgrad %s ins(%x, %dy : memref<16x64xf32>, memref<16x64xf32>)
      outs(%dw : memref<4096xf32>)
    ```

    **Constraints:** inputs `[S, M]` of one type, output `[P]`.
  }];
}

} // opDocGroup

#endif // MOERT_TRAINING_OPS_TD
