// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table of kernels: gradients, dense parts.

#ifndef MOERT_GRADIENT_OPS_TD
#define MOERT_GRADIENT_OPS_TD

include "moert/MoERTKernelOps.td"

def OpGroupRTTraining : OpDocGroup {
  let summary = "Gradients and dense parts";
  let description = [{
    Local work of a backward pass. These ops mean what the ops of these names
    in the `moe` dialect mean.
  }];
}

let opDocGroup = OpGroupRTTraining in {

class MoERT_ExpertsGradOp<string mnemonic, string wide = "0">
    : MoERT_ExpertsKernelOp<mnemonic> {
  list<MoERT_KernelBuffer> inputs =
      operands # [MoERT_In<"dy", ["rows*", "hidden"]>] # runs;
  // `kept` has one part for each inner product, and `handed` has one more.
  list<string> keptDims = ["kept_parts", "rows*", "ffn"];
  list<string> handedDims = ["handed_parts", "rows*", "ffn"];
  let members = sizes # [
    MoERT_Pointer<"dy">, MoERT_Pointer<"dx">, MoERT_Pointer<"dw1">,
    MoERT_Pointer<"dw2">, MoERT_Pointer<"dw3">, MoERT_ElementType<"type">
  ] # runMembers # [
    MoERT_Pointer<"kept">, MoERT_Pointer<"handed">,
    MoERT_Int64<"wide_gradients", wide>
  ] # countMembers;
}

def MoERT_ExpertsDgradOp : MoERT_ExpertsGradOp<"experts_dgrad"> {
  let summary = "gradient of experts with respect to their tokens";
  let description = [{
    ```mlir
    moert.experts_dgrad %s gpt ins(%x, %w1, %w2, %dy : memref<2x8x4xf32>,
        memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>)
      outs(%dx : memref<2x8x4xf32>)
    ```

    **Constraints:** the inputs of `moert.experts`, perhaps with runs, and the
    gradient of its result; that and the output have the shape of the tokens; one element type.
    `kept` and a second output as in `moe.experts_dgrad`.
  }];
  let buffers = inputs # [MoERT_NamedIn<"kept", keptDims>] # counts # [
    MoERT_Out<"dx", ["rows*", "hidden"]>,
    MoERT_OptionalOut<"handed", handedDims>
  ];
}

def MoERT_ExpertsWgradOp : MoERT_ExpertsGradOp<"experts_wgrad",
    "::moe::rt::hasWideGradients(*this)"> {
  let summary = "gradients of experts with respect to their weights";
  let description = [{
    ```mlir
    moert.experts_wgrad %s gpt ins(%x, %w1, %w2, %dy : memref<2x8x4xf32>,
        memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>)
      outs(%dw1, %dw2 : memref<2x4x6xf32>, memref<2x6x4xf32>)
    ```

    **Constraints:** the inputs of `moert.experts_dgrad`; one output per weight,
    of its shape; one element type, but the outputs may be f32 if it is narrower.
    `handed` as in `moe.experts_wgrad`.
  }];
  let buffers = inputs # [MoERT_NamedIn<"handed", handedDims>] # counts # [
    MoERT_Out<"dw1", ["experts", "w1_rows", "ffn"], "gradient_type">,
    MoERT_OptionalOut<"dw2", ["experts", "w1_rows", "ffn"], "gradient_type">,
    MoERT_Out<"dw3", ["experts", "w3_rows", "hidden"], "gradient_type">
  ];
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
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"slots", ["tokens", "top_k"], "slots_type">,
    MoERT_OptionalIn<"weights", ["tokens", "top_k"], "weights_type">,
    MoERT_Out<"buffer", ["rows*", "hidden"]>
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Dim<"top_k">,
    MoERT_Dim<"rows">, MoERT_Pointer<"x">, MoERT_Pointer<"slots">,
    MoERT_Pointer<"weights">, MoERT_Pointer<"buffer">, MoERT_ElementType<"type">,
    MoERT_ElementType<"slots_type">, MoERT_ElementType<"weights_type">
  ];
}

def MoERT_UnpermuteWgradOp : MoERT_KernelOp<"unpermute_wgrad", "unorder_wgrad"> {
  let summary = "gradient of unpermute with respect to its weights";
  let description = [{
    ```mlir
    moert.unpermute_wgrad %s ins(%dy, %buffer, %slots : memref<3x4xf32>,
        memref<2x2x4xf32>, memref<3x1xi32>) outs(%dw : memref<3x1xf32>)
    ```

    **Constraints:** gradient `[S, M]`, buffer `[experts..., C, M]` of its
    element type, slots `[S, k]`; one output of the slots' shape.
  }];
  let buffers = [
    MoERT_In<"dy", ["tokens", "hidden"]>,
    MoERT_In<"buffer", ["rows*", "hidden"]>,
    MoERT_In<"slots", ["tokens", "top_k"], "slots_type">,
    MoERT_Out<"result", ["tokens", "top_k"], "result_type">
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Dim<"top_k">,
    MoERT_Dim<"rows">, MoERT_Pointer<"dy">, MoERT_Pointer<"buffer">,
    MoERT_Pointer<"slots">, MoERT_Pointer<"result">, MoERT_ElementType<"type">,
    MoERT_ElementType<"slots_type">, MoERT_ElementType<"result_type">
  ];
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
    `[S, k]`, 1 <= k <= E; outputs of the types of tokens and router; the kind,
    `noise`, `projection`, `temperature`, `jitter`, `seed` and `biased` as in
    `moert.gate`; one more output, of the type of the noise or the projection,
    where there is one.
  }];
  let head = "`` $kind";
  let attributes = (ins MoE_GateKindAttr:$kind, UnitAttr:$normalize,
                        DefaultValuedAttr<F64Attr, "1.0">:$scale,
                        OptionalAttr<F64Attr>:$jitter,
                        OptionalAttr<F64Attr>:$temperature, UnitAttr:$biased);
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"router", ["routed", "experts"], "router_type">,
    MoERT_In<"ids", ["tokens", "top_k"], "ids_type">,
    MoERT_In<"dw", ["tokens", "top_k"], "dw_type">,
    MoERT_NamedIn<"noise", ["hidden", "experts"], "further_type">,
    MoERT_NamedIn<"projection", ["hidden", "projected"], "further_type">,
    MoERT_NamedIn<"seed", ["seeds*"], "">,
    MoERT_Out<"dx", ["tokens", "hidden"]>,
    MoERT_Out<"drouter", ["routed", "experts"], "router_type">,
    MoERT_OptionalOut<"dfurther", ["hidden", "further"], "further_type">
  ];
  let members = [
    MoERT_Int<"kind", "::moe::rt::getRuntimeKind(getKind())">,
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Dim<"experts">,
    MoERT_Dim<"top_k">, MoERT_Int<"normalize", "getNormalize()">,
    MoERT_Real<"scale", "getScaleAttr()">, MoERT_Pointer<"x">,
    MoERT_Pointer<"router">, MoERT_Pointer<"ids">, MoERT_Pointer<"dw">,
    MoERT_Pointer<"dx">, MoERT_Pointer<"drouter">, MoERT_ElementType<"type">,
    MoERT_ElementType<"router_type">, MoERT_ElementType<"ids_type">, MoERT_ElementType<"dw_type">,
    MoERT_Pointer<"noise">, MoERT_Pointer<"projection">, MoERT_Pointer<"seed">,
    MoERT_Pointer<"dfurther">, MoERT_Dim<"projected">,
    MoERT_Real<"temperature", "getTemperatureAttr()">,
    MoERT_Real<"jitter", "getJitterAttr()">, MoERT_ElementType<"further_type">,
    MoERT_Int64<"biased", "getBiased()">
  ];
  let hasCheck = 1;
}

def MoERT_ExpertChoiceGradOp : MoERT_KernelOp<"expert_choice_grad"> {
  let summary = "gradient of the weights of experts that choose";
  let description = [{
    ```mlir
    moert.expert_choice_grad %s experts ins(%x, %router, %slots, %dw :
        memref<16x64xf32>, memref<64x8xf32>, memref<16x8xi32>,
        memref<16x8xf32>)
      outs(%dx, %drouter : memref<16x64xf32>, memref<64x8xf32>)
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E]`, slots and gradient
    `[S, E]`; outputs of the types of tokens and router.
  }];
  let head = "`` $scores";
  let attributes = (ins MoE_ChoiceScoresAttr:$scores);
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"router", ["hidden", "experts"], "router_type">,
    MoERT_In<"slots", ["tokens", "experts"], "slots_type">,
    MoERT_In<"dw", ["tokens", "experts"], "dw_type">,
    MoERT_Out<"dx", ["tokens", "hidden"]>,
    MoERT_Out<"drouter", ["hidden", "experts"], "router_type">
  ];
  let members = [
    MoERT_Int<"scores", "getScores()">, MoERT_Dim<"tokens">,
    MoERT_Dim<"hidden">, MoERT_Dim<"experts">, MoERT_Pointer<"x">,
    MoERT_Pointer<"router">, MoERT_Pointer<"slots">, MoERT_Pointer<"dw">,
    MoERT_Pointer<"dx">, MoERT_Pointer<"drouter">, MoERT_ElementType<"type">,
    MoERT_ElementType<"router_type">, MoERT_ElementType<"slots_type">, MoERT_ElementType<"dw_type">
  ];
}

def MoERT_SoftGateGradOp : MoERT_KernelOp<"soft_gate_grad"> {
  let summary = "gradient of the weights of a soft gate";
  let description = [{
    ```mlir
    moert.soft_gate_grad %s ins(%x, %router, %ddispatch, %dcombine :
        memref<16x64xf32>, memref<64x8x2xf32>, memref<16x8x2xf32>,
        memref<16x8x2xf32>)
      outs(%dx, %drouter : memref<16x64xf32>, memref<64x8x2xf32>)
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E, C]`, gradients
    `[S, E, C]`; outputs of the types of tokens and router.
  }];
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"router", ["hidden", "experts", "capacity"], "router_type">,
    MoERT_In<"ddispatch", ["tokens", "experts", "capacity"], "ddispatch_type">,
    MoERT_In<"dcombine", ["tokens", "experts", "capacity"], "dcombine_type">,
    MoERT_Out<"dx", ["tokens", "hidden"]>,
    MoERT_Out<"drouter", ["hidden", "experts", "capacity"], "router_type">
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Slots, MoERT_Pointer<"x">,
    MoERT_Pointer<"router">, MoERT_Pointer<"ddispatch">,
    MoERT_Pointer<"dcombine">, MoERT_Pointer<"dx">, MoERT_Pointer<"drouter">,
    MoERT_ElementType<"type">, MoERT_ElementType<"router_type">,
    MoERT_ElementType<"ddispatch_type">, MoERT_ElementType<"dcombine_type">
  ];
}

def MoERT_SoftWgradOp : MoERT_KernelOp<"soft_wgrad"> {
  let summary = "gradient of a mix with respect to its weights";
  let description = [{
    ```mlir
    moert.soft_wgrad %s ins(%rows, %buffer : memref<16x64xf32>,
        memref<4x2x2x64xf32>) outs(%dw : memref<16x8x2xf32>)
    ```

    **Constraints:** rows `[S, M]`, buffer `[experts..., C, M]` of E experts and
    of the rows' element type, output `[S, E, C]`.
  }];
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"buffer", ["experts*", "capacity", "hidden"]>,
    MoERT_Out<"result", ["tokens", "experts", "capacity"], "result_type">
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Slots, MoERT_Pointer<"x">,
    MoERT_Pointer<"buffer">, MoERT_Pointer<"result">, MoERT_ElementType<"type">,
    MoERT_ElementType<"result_type">
  ];
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
  // The gradient's value does not depend on the tokens.
  let sources = [MoERT_From<"moe.dense">, MoERT_From<"moe.dense_dgrad", [0]>];
  let tail = "`parts` $parts";
  let attributes = (ins MoERT_I64Attr:$parts);
  let buffers = [MoERT_In<"x", ["count*"]>, MoERT_Out<"result", ["count*"]>];
  let members = [
    MoERT_Dim<"count">, MoERT_Int64<"parts", "getParts()">, MoERT_Pointer<"x">,
    MoERT_Pointer<"result">, MoERT_ElementType<"type">
  ];
  let hasCheck = 1;
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
  let sources = [MoERT_From<"moe.dense_wgrad", [1, 0]>];
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>, MoERT_In<"dy", ["tokens", "hidden"]>,
    MoERT_Out<"result", ["parameters"], "result_type">
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Dim<"parameters">,
    MoERT_Pointer<"x">, MoERT_Pointer<"dy">, MoERT_Pointer<"result">,
    MoERT_ElementType<"type">, MoERT_ElementType<"result_type">
  ];
}

} // opDocGroup

#endif // MOERT_GRADIENT_OPS_TD
