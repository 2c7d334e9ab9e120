// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table of kernels: modules of MoE layers.

#ifndef MOERT_KERNEL_OPS_TD
#define MOERT_KERNEL_OPS_TD

include "moert/MoERTKernel.td"

//===----------------------------------------------------------------------===//
// Modules of a layer
//===----------------------------------------------------------------------===//

def OpGroupRTModules : OpDocGroup {
  let summary = "Modules of a layer";
  let description = [{
    These ops mean what the ops of these names in the `moe` dialect mean.
  }];
}

let opDocGroup = OpGroupRTModules in {

def MoERT_GateOp : MoERT_KernelOp<"gate"> {
  let summary = "choose experts for tokens";
  let description = [{
    ```mlir
    moert.gate %s softmax ins(%x, %router : memref<16x64xf32>, memref<64x8xf32>)
      outs(%ids, %w : memref<16x2xi32>, memref<16x2xf32>) top_k 2
    ```

    **Constraints:** `[S, M]`, `[M, E]`, optional bias `[E]`, `[S, k]` twice;
    1 <= k <= E; groups as in `moe.gate`. The kind is not `switch`, which is
    `softmax` with `top_k` 1 and perhaps jitter; `noise` `[M, E]` requires
    gshard; `projection` `[M, D]`, with a router `[D, E]` then, and
    `temperature` with xmoe; `jitter` with softmax; `seed` holds one i64, which
    noise and jitter need. A `biased` router is `[M + 1, E]`. Devices have
    softmax, sigmoid and sqrtsoftplus, without jitter.
  }];
  let head = "`` $kind";
  let tail = "`top_k` $top_k";
  let attributes = (ins MoE_GateKindAttr:$kind, MoERT_I64Attr:$top_k,
      DefaultValuedAttr<MoERT_I64Attr, "1">:$top_groups,
      DefaultValuedAttr<MoERT_I64Attr, "1">:$num_groups,
      UnitAttr:$normalize, DefaultValuedAttr<F64Attr, "1.0">:$scale,
      OptionalAttr<F64Attr>:$jitter, OptionalAttr<F64Attr>:$temperature,
      UnitAttr:$biased);
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"router", ["routed", "experts"], "router_type">,
    MoERT_NamedIn<"bias", ["experts"], "bias_type">,
    MoERT_NamedIn<"noise", ["hidden", "experts"], "noise_type">,
    MoERT_NamedIn<"projection", ["hidden", "projected"], "projection_type">,
    MoERT_NamedIn<"seed", ["seeds*"], "">,
    MoERT_Out<"ids", ["tokens", "top_k"], "ids_type">,
    MoERT_Out<"weights", ["tokens", "top_k"], "weights_type">
  ];
  let members = [
    MoERT_Int<"kind", "::moe::rt::getRuntimeKind(getKind())">,
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Dim<"experts">,
    MoERT_Int64<"top_k", "getTopK()">,
    MoERT_Int64<"top_groups", "getTopGroups()">,
    MoERT_Int64<"num_groups", "getNumGroups()">,
    MoERT_Int<"normalize", "getNormalize()">,
    MoERT_Real<"scale", "getScaleAttr()">,
    MoERT_Pointer<"x">, MoERT_Pointer<"router">, MoERT_Pointer<"bias">,
    MoERT_Pointer<"ids">, MoERT_Pointer<"weights">,
    MoERT_ElementType<"type">, MoERT_ElementType<"router_type">, MoERT_ElementType<"bias_type">,
    MoERT_ElementType<"ids_type">, MoERT_ElementType<"weights_type">,
    MoERT_Pointer<"noise">, MoERT_Pointer<"projection">, MoERT_Pointer<"seed">,
    MoERT_Dim<"projected">, MoERT_Real<"temperature", "getTemperatureAttr()">,
    MoERT_Real<"jitter", "getJitterAttr()">,
    MoERT_ElementType<"noise_type">, MoERT_ElementType<"projection_type">,
    MoERT_Int<"biased", "getBiased()">
  ];
  let hasCheck = 1;
}

def MoERT_PermuteOp : MoERT_KernelOp<"permute", "order"> {
  let summary = "place token copies into expert slots";
  let description = [{
    ```mlir
    moert.permute %s choice ins(%x, %ids : memref<3x4xf32>, memref<3x1xi32>)
      outs(%buffer, %slots : memref<2x2x4xf32>, memref<3x1xi32>)
    ```

    **Constraints:** tokens `[S, M]`, ids and slots `[S, k]` of one integer
    type, buffer `[experts..., C, M]`.
  }];
  let head = "`` $kind";
  let attributes = (ins MoE_OrderKindAttr:$kind);
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"ids", ["tokens", "top_k"], "ids_type">,
    MoERT_Out<"buffer", ["experts*", "capacity", "hidden"]>,
    MoERT_Out<"slots", ["tokens", "top_k"], "ids_type">
  ];
  let members = [
    MoERT_Int<"kind", "getKind()">,
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Dim<"top_k">,
    MoERT_Dim<"experts">, MoERT_Dim<"capacity">,
    MoERT_Pointer<"x">, MoERT_Pointer<"ids">, MoERT_Pointer<"buffer">,
    MoERT_Pointer<"slots">, MoERT_MovedType<"type">, MoERT_ElementType<"ids_type">
  ];
}

def MoERT_ExpertCountsOp : MoERT_KernelOp<"expert_counts"> {
  let summary = "count the token copies of each expert";
  let description = [{
    ```mlir
    moert.expert_counts %s ins(%ids : memref<3x2xi32>)
      outs(%counts : memref<4xi32>)
    ```

    **Constraints:** ids `[parts..., S, k]`, counts `[parts..., E]`, of integer
    types.
  }];
  let buffers = [
    MoERT_In<"ids", ["parts?", "tokens", "top_k"], "ids_type">,
    MoERT_Out<"counts", ["parts?", "experts"], "counts_type">
  ];
  let members = [
    MoERT_Dim<"parts">, MoERT_Dim<"tokens">, MoERT_Dim<"top_k">,
    MoERT_Dim<"experts">, MoERT_Pointer<"ids">, MoERT_Pointer<"counts">,
    MoERT_ElementType<"ids_type">, MoERT_ElementType<"counts_type">
  ];
}

def MoERT_PermuteRowsOp : MoERT_KernelOp<"permute_rows", "order_rows"> {
  let summary = "place token copies into rows, sorted by expert";
  let description = [{
    ```mlir
    moert.permute_rows %s choice ins(%x, %ids : memref<3x4xf32>, memref<3x1xi32>)
      outs(%rows, %slots : memref<3x4xf32>, memref<3x1xi32>) experts 2
    ```

    **Constraints:** tokens `[S, M]`, ids and slots `[S, k]` of one integer
    type, rows `[S * k, M]`; at least 1 expert.
  }];
  let head = "`` $kind";
  let tail = "`experts` $experts";
  let attributes = (ins MoE_OrderKindAttr:$kind, MoERT_I64Attr:$experts);
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"ids", ["tokens", "top_k"], "ids_type">,
    MoERT_Out<"rows", ["rows", "hidden"]>,
    MoERT_Out<"slots", ["tokens", "top_k"], "ids_type">
  ];
  let members = [
    MoERT_Int<"kind", "getKind()">, MoERT_Dim<"tokens">, MoERT_Dim<"hidden">,
    MoERT_Dim<"top_k">, MoERT_Int64<"experts", "getExperts()">,
    MoERT_Pointer<"x">, MoERT_Pointer<"ids">, MoERT_Pointer<"rows">,
    MoERT_Pointer<"slots">, MoERT_MovedType<"type">, MoERT_ElementType<"ids_type">
  ];
  let hasCheck = 1;
}

def MoERT_DistinctNodesOp : MoERT_KernelOp<"distinct_nodes"> {
  let summary = "the nodes of a token's experts, each once";
  let description = [{
    ```mlir
    moert.distinct_nodes %s ins(%ids : memref<3x3xi32>)
      outs(%result : memref<3x2xi32>) experts 8 nodes 4
    ```

    **Constraints:** ids `[S, k]` and nodes `[S, w]` of one integer type, w at
    least 1 and at most k and the number of nodes, which is at least 1 and
    divides that of the experts.
  }];
  let tail = "`experts` $experts `nodes` $nodes";
  let attributes = (ins MoERT_I64Attr:$experts, MoERT_I64Attr:$nodes);
  let buffers = [
    MoERT_In<"ids", ["tokens", "top_k"], "ids_type">,
    MoERT_Out<"result", ["tokens", "width"], "ids_type">
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"top_k">,
    MoERT_Int64<"experts", "getExperts()">, MoERT_Int64<"nodes", "getNodes()">,
    MoERT_Dim<"width">, MoERT_Pointer<"ids">, MoERT_Pointer<"result">,
    MoERT_ElementType<"ids_type">
  ];
  let hasCheck = 1;
}

def MoERT_LimitChoicesOp : MoERT_KernelOp<"limit_choices"> {
  let summary = "choices within limits, in the order of choices or tokens";
  let description = [{
    ```mlir
    moert.limit_choices %s choice
      ins(%ids, %limits : memref<4x2xi32>, memref<2xi32>)
      outs(%result : memref<4x2xi32>) experts 4
    ```

    **Constraints:** ids and result `[S, k]` of one integer type; limits `[L]`
    of integers, L at least 1 and a divisor of the number of experts, which is
    at least 1.
  }];
  let head = "`` $kind";
  let tail = "`experts` $experts";
  let attributes = (ins MoE_OrderKindAttr:$kind, MoERT_I64Attr:$experts);
  let buffers = [
    MoERT_In<"ids", ["tokens", "top_k"], "ids_type">,
    MoERT_In<"limits", ["groups"], "limits_type">,
    MoERT_Out<"result", ["tokens", "top_k"], "ids_type">
  ];
  let members = [
    MoERT_Int<"kind", "getKind()">, MoERT_Dim<"tokens">, MoERT_Dim<"top_k">,
    MoERT_Int64<"experts", "getExperts()">, MoERT_Dim<"groups">,
    MoERT_Pointer<"ids">, MoERT_Pointer<"limits">, MoERT_Pointer<"result">,
    MoERT_ElementType<"ids_type">, MoERT_ElementType<"limits_type">
  ];
  let hasCheck = 1;
}

def MoERT_QuantizeOp : MoERT_KernelOp<"quantize"> {
  let summary = "rows as e4m3, with a scale for each block of a row";
  let description = [{
    ```mlir
    moert.quantize %s ins(%x : memref<16x320xbf16>)
      outs(%values, %scales : memref<16x320xf8E4M3FN>, memref<16x3xf32>)
      block 128
    ```

    **Constraints:** x `[S, M]` of f32, f16 or bf16, values `[S, M]` of
    f8E4M3FN, scales `[S, ceil(M / block)]` of f32; a block of at least one
    element.
  }];
  let tail = "`block` $block";
  let attributes = (ins MoERT_I64Attr:$block);
  let buffers = [
    MoERT_In<"x", ["rows", "hidden"]>,
    MoERT_Out<"values", ["rows", "hidden"], "">,
    MoERT_Out<"scales", ["rows", "blocks"], "">
  ];
  let members = [
    MoERT_Dim<"rows">, MoERT_Dim<"hidden">, MoERT_Int64<"block", "getBlock()">,
    MoERT_Pointer<"x">, MoERT_Pointer<"values">, MoERT_Pointer<"scales">,
    MoERT_ElementType<"type">
  ];
  let hasCheck = 1;
}

def MoERT_DequantizeOp : MoERT_KernelOp<"dequantize"> {
  let summary = "rows of e4m3 times the scales of their blocks";
  let description = [{
    ```mlir
    moert.dequantize %s
      ins(%values, %scales : memref<16x320xf8E4M3FN>, memref<16x3xf32>)
      outs(%result : memref<16x320xbf16>) block 128
    ```

    **Constraints:** as of `moert.quantize`, with the result in the place of x.
  }];
  let tail = "`block` $block";
  let attributes = (ins MoERT_I64Attr:$block);
  let buffers = [
    MoERT_In<"values", ["rows", "hidden"], "">,
    MoERT_In<"scales", ["rows", "blocks"], "">,
    MoERT_Out<"result", ["rows", "hidden"]>
  ];
  let members = [
    MoERT_Dim<"rows">, MoERT_Dim<"hidden">, MoERT_Int64<"block", "getBlock()">,
    MoERT_Pointer<"values">, MoERT_Pointer<"scales">, MoERT_Pointer<"result">,
    MoERT_ElementType<"type">
  ];
  let hasCheck = 1;
}

class MoERT_ExpertsKernelOp<string mnemonic> : MoERT_KernelOp<mnemonic> {
  let head = "`` $kind (`activation` `` $activation^)?";
  let attributes = (ins MoE_ExpertsKindAttr:$kind,
                        OptionalAttr<MoE_ActivationAttr>:$activation,
                        UnitAttr:$biased);
  // The second weight is for kinds with a gate. Biased weights have one row
  // more than their operand has columns.
  list<MoERT_KernelBuffer> operands = [
    MoERT_In<"x", ["rows*", "hidden"]>,
    MoERT_In<"w1", ["experts", "w1_rows", "ffn"]>,
    MoERT_OptionalIn<"w2", ["experts", "w1_rows", "ffn"]>,
    MoERT_In<"w3", ["experts", "w3_rows", "hidden"]>
  ];
  list<MoERT_KernelBuffer> runs = [
    MoERT_HostIn<"run_offsets", ["runs?", "experts"]>,
    MoERT_HostIn<"run_sizes", ["runs?", "experts"]>
  ];
  list<MoERT_Member> runMembers = [
    MoERT_Counts<"run_offsets">, MoERT_Int<"runs", "args.getDim(\"runs\")">,
    MoERT_Counts<"run_sizes">, MoERT_Int<"biased", "getBiased()">
  ];
  // Counts in a stream's memory instead of runs, and the values that the host
  // has read.
  list<MoERT_KernelBuffer> counts = [
    MoERT_AddedIn<"row_counts", ["lists?", "experts"], "row_counts_type">,
    MoERT_AddedHost<"known_counts", ["experts"]>
  ];
  list<MoERT_Member> countMembers = [
    MoERT_Pointer<"row_counts">, MoERT_ElementType<"row_counts_type">,
    MoERT_Pointer<"known_counts">
  ];
  list<MoERT_Member> sizes = [
    MoERT_Int<"kind", "getKind()">,
    MoERT_Int<"activation", "getActivation().value_or(::moe::Activation::Gelu)">,
    MoERT_Dim<"experts">,
    MoERT_Int64<"rows", "::moe::rt::getExpertRows(args)">, MoERT_Dim<"hidden">,
    MoERT_Dim<"ffn">, MoERT_Pointer<"x">, MoERT_Pointer<"w1">,
    MoERT_Pointer<"w2">, MoERT_Pointer<"w3">
  ];
  let hasCheck = 1;
}

def MoERT_ExpertsOp : MoERT_ExpertsKernelOp<"experts"> {
  let summary = "the expert networks of one rank";
  let description = [{
    ```mlir
    moert.experts %s gpt ins(%x, %w1, %w2 : memref<2x8x4xf32>,
                             memref<2x4x6xf32>, memref<2x6x4xf32>)
      outs(%y : memref<2x8x4xf32>)
    ```

    Runs are in memory of the host, which reads them when it puts the op on
    its stream:

    ```mlir
    moert.experts %s gpt ins(%x, %w1, %w2 : memref<16x4xf32>,
                             memref<2x4x6xf32>, memref<2x6x4xf32>)
      run_offsets(%offsets : memref<3x2xi32>)
      run_sizes(%sizes : memref<3x2xi32>) outs(%y : memref<16x4xf32>)
    ```

    **Constraints:** `[experts, rows..., M]`, then two (gpt) or three
    weights as in `moe.experts`; one element type; `activation` requires gpt.
    With runs `[rows, M]`, and offsets and sizes `[..., experts]` of integers
    that `moert.host_buffer` made. `row_counts` `[..., experts]`, one list in a
    stream's memory, stands for one run of each expert after the run of the expert
    before it. `known_counts` `[experts]`, i64 that `moert.host_buffer` made, may
    then have the same counts: -1 until a call has read them for the host. A second
    output `[K, rows..., H]` is for what the inner products give, as in
    `moe.experts`.
  }];
  let buffers = operands # runs # counts # [
    MoERT_Out<"result", ["rows*", "hidden"]>,
    MoERT_OptionalOut<"kept", ["kept_parts", "rows*", "ffn"]>
  ];
  let members = sizes #
      [MoERT_Pointer<"result">, MoERT_ElementType<"type">] # runMembers #
      [MoERT_Pointer<"kept">] # countMembers;
}

def MoERT_UnpermuteOp : MoERT_KernelOp<"unpermute", "unorder"> {
  let summary = "bring expert results back to their tokens";
  let description = [{
    ```mlir
    moert.unpermute %s ins(%buffer, %slots, %w : memref<2x2x4xf32>,
                         memref<3x1xi32>, memref<3x1xf32>)
      outs(%y : memref<3x4xf32>)
    ```

    **Constraints:** buffer `[experts..., C, M]`, slots and weights `[S, k]`,
    result `[S, M]` of the buffer's element type.
  }];
  let buffers = [
    MoERT_In<"buffer", ["rows*", "hidden"]>,
    MoERT_In<"slots", ["tokens", "top_k"], "slots_type">,
    MoERT_In<"weights", ["tokens", "top_k"], "weights_type">,
    MoERT_Out<"result", ["tokens", "hidden"]>
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Dim<"top_k">,
    MoERT_Dim<"rows">, MoERT_Pointer<"buffer">, MoERT_Pointer<"slots">,
    MoERT_Pointer<"weights">, MoERT_Pointer<"result">, MoERT_ElementType<"type">,
    MoERT_ElementType<"slots_type">, MoERT_ElementType<"weights_type">
  ];
}

} // opDocGroup

//===----------------------------------------------------------------------===//
// Gates that mix or choose tokens
//===----------------------------------------------------------------------===//

def OpGroupRTMixes : OpDocGroup {
  let summary = "Gates that mix or choose tokens";
  let description = [{
    These ops mean what the ops of these names in the `moe` dialect mean.
  }];
}

/// The struct has the number of slots of all experts together.
def MoERT_Slots : MoERT_Int64<
    "slots", "args.getDim(\"experts\") * args.getDim(\"capacity\")">;

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
  let head = "`` $scores";
  let tail = "`capacity` $capacity";
  let attributes = (ins MoE_ChoiceScoresAttr:$scores, MoERT_I64Attr:$capacity);
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"router", ["hidden", "experts"], "router_type">,
    MoERT_Out<"slots", ["tokens", "experts"], "slots_type">,
    MoERT_Out<"weights", ["tokens", "experts"], "weights_type">
  ];
  let members = [
    MoERT_Int<"scores", "getScores()">, MoERT_Dim<"tokens">,
    MoERT_Dim<"hidden">, MoERT_Dim<"experts">,
    MoERT_Int64<"capacity", "getCapacity()">, MoERT_Pointer<"x">,
    MoERT_Pointer<"router">, MoERT_Pointer<"slots">, MoERT_Pointer<"weights">,
    MoERT_ElementType<"type">, MoERT_ElementType<"router_type">, MoERT_ElementType<"slots_type">,
    MoERT_ElementType<"weights_type">
  ];
  let hasCheck = 1;
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
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"router", ["hidden", "experts", "capacity"], "router_type">,
    MoERT_Out<"dispatch", ["tokens", "experts", "capacity"], "dispatch_type">,
    MoERT_Out<"combine", ["tokens", "experts", "capacity"], "combine_type">
  ];
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Slots, MoERT_Pointer<"x">,
    MoERT_Pointer<"router">, MoERT_Pointer<"dispatch">,
    MoERT_Pointer<"combine">, MoERT_ElementType<"type">, MoERT_ElementType<"router_type">,
    MoERT_ElementType<"dispatch_type">, MoERT_ElementType<"combine_type">
  ];
}

class MoERT_SoftMixOp<string mnemonic, string call>
    : MoERT_KernelOp<mnemonic, call> {
  let members = [
    MoERT_Dim<"tokens">, MoERT_Dim<"hidden">, MoERT_Slots, MoERT_Pointer<"x">,
    MoERT_Pointer<"weights">, MoERT_Pointer<"result">, MoERT_ElementType<"type">,
    MoERT_ElementType<"weights_type">
  ];
}

def MoERT_SoftPermuteOp : MoERT_SoftMixOp<"soft_permute", "soft_order"> {
  let summary = "mix tokens into slots";
  let description = [{
    ```mlir
    moert.soft_permute %s ins(%x, %dispatch : memref<16x64xf32>,
        memref<16x8x2xf32>) outs(%buffer : memref<4x2x2x64xf32>)
    ```

    **Constraints:** tokens `[S, M]`, weights `[S, E, C]`, output
    `[experts..., C, M]` of the tokens' element type, with E experts.
  }];
  let buffers = [
    MoERT_In<"x", ["tokens", "hidden"]>,
    MoERT_In<"weights", ["tokens", "experts", "capacity"], "weights_type">,
    MoERT_Out<"result", ["experts*", "capacity", "hidden"]>
  ];
}

def MoERT_SoftUnpermuteOp : MoERT_SoftMixOp<"soft_unpermute", "soft_unorder"> {
  let summary = "mix slots into tokens";
  let description = [{
    ```mlir
    moert.soft_unpermute %s ins(%buffer, %combine : memref<4x2x2x64xf32>,
        memref<16x8x2xf32>) outs(%y : memref<16x64xf32>)
    ```

    **Constraints:** buffer `[experts..., C, M]` of E experts, weights
    `[S, E, C]`, output `[S, M]` of the buffer's element type.
  }];
  let buffers = [
    MoERT_In<"x", ["experts*", "capacity", "hidden"]>,
    MoERT_In<"weights", ["tokens", "experts", "capacity"], "weights_type">,
    MoERT_Out<"result", ["tokens", "hidden"]>
  ];
}

} // opDocGroup

#endif // MOERT_KERNEL_OPS_TD
