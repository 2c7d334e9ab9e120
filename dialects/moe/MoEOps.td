//===- MoEOps.td - Operations of the moe dialect -----------*- tablegen -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
include "moe/MoEEnums.td"
include "moe/MoEInterfaces.td"
include "moe/MoETypes.td"

class MoE_Op<string mnemonic, list<Trait> traits = []>
    : Op<MoE_Dialect, mnemonic, traits>;

/// Local data of one rank. Dims may be dynamic.
def MoE_Tensor : RankedTensorOf<[AnyInteger, AnyFloat, Index]>;
def MoE_FloatTensor : RankedTensorOf<[AnyFloat]>;
def MoE_IndexTensor : RankedTensorOf<[AnySignlessInteger, Index]>;

/// A dim or a count, signed in C++ so that a negative one compares as such.
def MoE_I64Attr : TypedSignlessIntegerAttrBase<
    I64, "int64_t", "64-bit signless integer attribute"> {
  let convertFromStorage = "$_self.getValue().getSExtValue()";
}

/// The resource every rank of a group meets at; see "Ordering model".
def MoE_Rendezvous : Resource<"::moe::RendezvousResource">;
def MoE_RendezvousEffect : MemoryEffects<[MemRead<MoE_Rendezvous>]>;

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

def OpGroupRanks : OpDocGroup {
  let summary = "Ranks";
  let description = "Ops that state which ranks there are.";
}

let opDocGroup = OpGroupRanks in {

def MoE_MeshOp : MoE_Op<"mesh", [
    DeclareOpInterfaceMethods<Symbol, ["canDiscardOnUseEmpty"]>]> {
  let summary = "the ranks of the job, arranged along named axes";
  let description = [{
    Declares `product(shape)` ranks. Ranks are numbered with the last axis
    fastest, so consecutive ranks share a place on all other axes.

    ```mlir
    moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
    // rank:   0      1      2      3      4      5
    // ep,tp:  0,0    0,1    0,2    1,0    1,1    1,2
    ```

    A mesh is kept even when no symbol names it: rank lists and `moe.varying`
    rely on it too.

    **Constraints:** a name that is not empty; 1 to 64 axes, their names
    distinct and not empty; one size an axis, each at least 1; at most
    2^31 - 1 ranks; the only mesh of its module.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes,
                       DenseI64ArrayAttr:$shape);
  let assemblyFormat = "$sym_name `axes` $axes `shape` $shape attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of ranks: the product of the shape.
    int64_t getNumRanks();
    /// Position of the axis, or nullopt when there is none of that name.
    ::std::optional<unsigned> getAxisIndex(::llvm::StringRef name);
    /// Name of the axis at a position.
    ::llvm::StringRef getAxisName(unsigned index) {
      return ::llvm::cast<::mlir::StringAttr>(getAxes()[index]).getValue();
    }
    /// The mesh a module around `from` declares, or null.
    static MeshOp lookup(::mlir::Operation *from);
  }];
}

def MoE_GroupRankOp : MoE_Op<"group_rank", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "this rank's position in its group";
  let description = [{
    The position, from 0 to the group's size - 1, of the executing rank among
    the ranks of its group.

    ```mlir
    %i = moe.group_rank on <@mesh, ["tp"]> : index
    // mesh ep 2 x tp 3, rank:  0  1  2  3  4  5
    //                   %i  :  0  1  2  0  1  2
    ```
  }];
  let arguments = (ins MoE_GroupAttrInterface:$group);
  let results = (outs Index:$result);
  let assemblyFormat = "`on` custom<Group>($group) attr-dict `:` type($result)";
  let hasFolder = 1;
}

} // opDocGroup

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def OpGroupCollectives : OpDocGroup {
  let summary = "Collectives";
  let description = [{
    Ops at which the ranks of a group meet. In the pictures, `a b` are the
    ranks of a group of two in group order, and a row is one rank's tensor.
  }];
}

class MoE_CollectiveOp<string mnemonic, string kind, list<Trait> traits = []>
    : MoE_Op<mnemonic, traits # [
        MoE_RendezvousEffect,
        DeclareOpInterfaceMethods<MoE_CollectiveOpInterface,
                                  ["getSendBytes", "buildTranspose"]>,
        DeclareOpInterfaceMethods<MoE_DimMapOpInterface>,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  string collectiveKindDecl = [{
    static constexpr ::moe::CollectiveKind kCollectiveKind =
        ::moe::CollectiveKind::}] # kind # [{;
  }];
  let extraClassDeclaration = collectiveKindDecl;
}

let opDocGroup = OpGroupCollectives in {

def MoE_AllToAllOp : MoE_CollectiveOp<"all_to_all", "AllToAll"> {
  let summary = "exchange of blocks between all ranks of a group";
  let description = [{
    Cuts the operand along dim `split` into as many blocks as the group has
    ranks and sends block `j` to the rank at position `j`; the blocks received
    are joined along dim `concat` in group order.

    ```mlir
    %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2xf32> -> tensor<2xf32>
    //        before        after
    // a:     a0 a1         a0 b0
    // b:     b0 b1         a1 b1
    ```

    With split = concat = 0 on `[G, E/G, C, M]` it is the dispatch of an MoE
    layer in normal form. An all-to-all with `split s concat c` is undone by
    one with `split c concat s` on the same group.

    **Constraints:** `split` and `concat` are dims of the operand; the split
    dim divides by the group's size; the result's shape follows.
  }];
  let arguments = (ins MoE_Tensor:$operand, MoE_GroupAttrInterface:$group,
                       MoE_I64Attr:$splitDim, MoE_I64Attr:$concatDim);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand `on` custom<Group>($group) `split` $splitDim `concat` $concatDim
    attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$operand,
                   "::moe::GroupAttrInterface":$group, "int64_t":$splitDim,
                   "int64_t":$concatDim, "int64_t":$groupSize)>
  ];
}

def MoE_RaggedAllToAllOp
    : MoE_CollectiveOp<"ragged_all_to_all", "RaggedAllToAll", [
        AllTypesMatch<["init", "result"]>,
        AllTypesMatch<["sendOffsets", "sendSizes", "recvOffsets",
                       "recvSizes"]>]> {
  let summary = "exchange of uneven runs of rows";
  let description = [{
    A rank sends `sendSizes[j]` rows (slices along dim 0) of the operand,
    starting at row `sendOffsets[j]`, to the rank at position `j`. What comes
    from the rank at position `i` is written into a copy of `init` at rows
    `recvOffsets[i]` to `recvOffsets[i] + recvSizes[i]`. Receive offsets are
    the receiver's own (**local**) offsets. Rows nothing is written to keep
    the value of `init`.

    ```mlir
    %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]>
           send(%so, %ss) recv(%ro, %rs)
         : tensor<3xf32>, tensor<2xi32> -> tensor<4xf32>
    //      x          send sizes   recv offsets   recv sizes   result
    // a:   a0 a1 a2   1, 2         0, 1           1, 1         a0 b0 z2 z3
    // b:   b0 b1 b2   1, 1         0, 2           2, 1         a1 a2 b1 z3
    // (send offsets are 0, 1 on both)
    ```

    **Constraints:** operand and init have rank at least 1, one element type
    and the same dims but dim 0; offsets and sizes are one integer vector type
    with one entry per rank of the group. At run time the size a rank sends
    must be the size its peer expects, every run must lie inside its buffer,
    and two runs received may not overlap.
  }];
  let arguments = (ins MoE_Tensor:$operand, MoE_Tensor:$init,
                       MoE_IndexTensor:$sendOffsets,
                       MoE_IndexTensor:$sendSizes,
                       MoE_IndexTensor:$recvOffsets,
                       MoE_IndexTensor:$recvSizes,
                       MoE_GroupAttrInterface:$group);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand `into` $init `on` custom<Group>($group)
    `send` `(` $sendOffsets `,` $sendSizes `)`
    `recv` `(` $recvOffsets `,` $recvSizes `)`
    attr-dict `:` type($operand) `,` type($sendOffsets) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def MoE_AllGatherOp : MoE_CollectiveOp<"all_gather", "AllGather"> {
  let summary = "join of the data of all ranks of a group";
  let description = [{
    Joins the operands of all ranks of the group along `dim` in group order.
    The result no longer varies over the group's axes.

    ```mlir
    %r = moe.all_gather %x on <@mesh, ["tp"]> dim 0
       : tensor<1xf32> -> tensor<2xf32>
    //        before        after
    // a:     a0            a0 b0
    // b:     b0            a0 b0
    ```

    **Constraints:** `dim` is a dim of the operand; the result's dim is the
    operand's times the group's size.
  }];
  let arguments = (ins MoE_Tensor:$operand, MoE_GroupAttrInterface:$group,
                       MoE_I64Attr:$dim);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand `on` custom<Group>($group) `dim` $dim
    attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$operand,
                   "::moe::GroupAttrInterface":$group, "int64_t":$dim,
                   "int64_t":$groupSize)>
  ];
}

def MoE_ReduceScatterOp : MoE_CollectiveOp<"reduce_scatter", "ReduceScatter"> {
  let summary = "elementwise reduction over a group, result cut among it";
  let description = [{
    Reduces the operands of all ranks of the group element by element, in
    ascending group order, and leaves each rank with its block of the result
    along `dim`. The reduction is `sum` unless stated.

    ```mlir
    %r = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
       : tensor<2xf32> -> tensor<1xf32>
    //        before        after
    // a:     a0 a1         a0+b0
    // b:     b0 b1         a1+b1
    ```

    **Constraints:** `dim` is a dim of the operand and divides by the group's
    size; the result's shape follows.
  }];
  let arguments = (ins MoE_Tensor:$operand, MoE_GroupAttrInterface:$group,
      MoE_I64Attr:$dim,
      DefaultValuedAttr<MoE_ReductionAttr, "::moe::Reduction::Sum">:$reduction);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand `on` custom<Group>($group) `dim` $dim (`reduction` `` $reduction^)?
    attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$operand,
                   "::moe::GroupAttrInterface":$group, "int64_t":$dim,
                   "::moe::Reduction":$reduction, "int64_t":$groupSize)>
  ];
}

def MoE_AllReduceOp : MoE_CollectiveOp<"all_reduce", "AllReduce", [
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "elementwise reduction over a group, result on every rank";
  let description = [{
    Reduces the operands of all ranks of the group element by element, in
    ascending group order; every rank gets the whole result, which no longer
    varies over the group's axes. The reduction is `sum` unless stated.

    ```mlir
    %r = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
    //        before        after
    // a:     a0 a1         a0+b0 a1+b1
    // b:     b0 b1         a0+b0 a1+b1
    ```
  }];
  let arguments = (ins MoE_Tensor:$operand, MoE_GroupAttrInterface:$group,
      DefaultValuedAttr<MoE_ReductionAttr, "::moe::Reduction::Sum">:$reduction);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand `on` custom<Group>($group) (`reduction` `` $reduction^)?
    attr-dict `:` type($operand)
  }];
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

} // opDocGroup

//===----------------------------------------------------------------------===//
// Local data movement
//===----------------------------------------------------------------------===//

def OpGroupMovement : OpDocGroup {
  let summary = "Local data movement";
  let description = "Ops that move data within a rank; nothing is sent.";
}

let opDocGroup = OpGroupMovement in {

def MoE_DropOp : MoE_Op<"drop", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "keep this rank's block of a dim, drop the others";
  let description = [{
    Cuts the operand along `dim` into as many blocks as the group has ranks
    and keeps the one at this rank's position. On data that does not vary
    over the group, an `all_gather` restores it.

    ```mlir
    %r = moe.drop %x on <@mesh, ["tp"]> dim 0
       : tensor<2xf32> -> tensor<1xf32>
    //        before        after
    // a:     x0 x1         x0
    // b:     x0 x1         x1
    ```

    **Constraints:** `dim` is a dim of the operand and divides by the group's
    size (SPEC MO-10: one static program cannot hold an uneven drop); the
    result's shape follows.
  }];
  let arguments = (ins MoE_Tensor:$operand, MoE_GroupAttrInterface:$group,
                       MoE_I64Attr:$dim);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand `on` custom<Group>($group) `dim` $dim
    attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$operand,
                   "::moe::GroupAttrInterface":$group, "int64_t":$dim,
                   "int64_t":$groupSize)>
  ];
}

def MoE_AssembleOp : MoE_Op<"assemble", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "join of parts along a dim";
  let description = [{
    Joins its operands along `dim`, first operand first. Being one n-ary op,
    its producers may write their parts into the result in any order.

    ```mlir
    %r = moe.assemble %c0, %c1 dim 0
       : tensor<1xf32>, tensor<2xf32> -> tensor<3xf32>
    // c0: x0     c1: y0 y1     r: x0 y0 y1
    ```

    **Constraints:** at least one operand; `dim` is a dim of the result; one
    element type; all other dims equal; the parts' sizes add up to the
    result's.
  }];
  let arguments = (ins Variadic<MoE_Tensor>:$parts, MoE_I64Attr:$dim);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $parts `dim` $dim attr-dict `:` type($parts) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MoE_TransposeOp : MoE_Op<"transpose", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "permutation of dims, as a copy";
  let description = [{
    Dim `i` of the result is dim `permutation[i]` of the operand. Layout
    changes are ops of their own, because collectives take contiguous buffers
    and a copy costs time.

    ```mlir
    %r = moe.transpose %x [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
    ```

    **Constraints:** `permutation` is a permutation of the operand's dims; the
    result's shape follows.
  }];
  let arguments = (ins MoE_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand $permutation attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$operand,
                   "::llvm::ArrayRef<int64_t>":$permutation)>
  ];
}

} // opDocGroup

//===----------------------------------------------------------------------===//
// Modules of a layer
//===----------------------------------------------------------------------===//

def OpGroupModules : OpDocGroup {
  let summary = "Modules of a layer";
  let description = [{
    The modules an MoE layer is made of (SPEC FS-12). `S` local tokens, `M`
    hidden size, `E` experts, `k` experts per token, `C` capacity.
  }];
}

let opDocGroup = OpGroupModules in {

def MoE_GateOp : MoE_Op<"gate", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "choice of top-k experts for each token";
  let description = [{
    Scores every expert for every token from `logits = tokens x router` and
    chooses `top_k` experts a token: their numbers, best first, and weights.

    - `softmax`: scores are the softmax of the logits over all experts.
    - `sigmoid`: scores are the sigmoid of the logits. The optional `bias`
      (one value an expert) is added for the choice only; weights come from
      the unbiased scores.
    - `switch`: `softmax` with the best expert only (Fedus et al. 2022); its
      weight is the softmax over all experts. With `jitter f` and a `seed`,
      element `m` of token `s` is multiplied by `1 + f * (2 u - 1)` before the
      router sees it, `u = uniform(seed, s, m)`.
    - `gshard`: noisy top-k (Shazeer et al. 2017; FSMoE, section 2.1). Logits
      are `(tokens x router) + normal(seed, s, e) * softplus(tokens x noise)`;
      the `top_k` largest are kept, and the weights are the softmax over
      these. Without `noise` the logits are the plain ones.
    - `xmoe`: the logit of an expert is the cosine of its column of the router
      and the projected token, `tokens x projection`, divided by
      `temperature` (Chi et al. 2022); scores are the softmax of the logits
      over all experts.

    `normalize` divides a token's weights by their sum (so softmax with
    `normalize` equals a softmax over the chosen logits); `scale` then
    multiplies them. With `groups n of m` the experts form `m` consecutive
    groups of equal size and only the `n` best groups may be chosen from; a
    group's score is its best expert for `softmax` and the sum of its two
    best (biased) for `sigmoid`.

    **Numbers.** Products and sums are 64-bit floats, sums over ascending
    numbers. A softmax is `exp(x - max)` over the sum of all these;
    `softplus(z)` is `z + log1p(exp(-z))` for `z > 0`, else `log1p(exp(z))`; a
    cosine is the product of two vectors over the product of their lengths,
    the roots of the sums of squares, and 0 where that product is 0. Sums over
    the chosen experts run best first. Weights are rounded once, to their type.
    On equal scores the lower number wins, and a NaN loses against every
    number. A softmax over values among which is a NaN or plus infinity, or
    over nothing but minus infinity, is NaN throughout: with `softmax`,
    `switch` and `xmoe` such a token chooses the experts 0 to k - 1, in this
    order, with weights NaN; with `gshard` it chooses by its logits, and its
    weights are NaN if the ones it chose are such. The sigmoid of plus and
    minus infinity is 1 and 0. With `top_k` equal to the number of experts all
    are chosen, best first.

    **Noise.** `uniform` and `normal` are functions of their three numbers
    alone, so that ranks with the same tokens and seed choose alike, and a
    layer that runs again gets what it got. They take the first two of the four
    words `r0, r1` that Philox4x64-10 (Salmon et al. 2011) gives for the counter
    `(s, e, 0, 0)` and the key `(seed, 0)`, or `(s, m, 0, 0)` and `(seed, 1)`
    for the jitter. `uniform` is `floor(r0 / 2^11) / 2^53`; `normal` is
    `sqrt(-2 ln((floor(r0 / 2^11) + 0.5) / 2^53)) * cos(2 pi u1)` where `u1` is
    `floor(r1 / 2^11) / 2^53`. `s` is the number of the token in this op's
    operand: a gate with a seed cannot be cut along the tokens. Give each step
    and each layer a seed of its own.

    ```mlir
    %ids, %weights = moe.gate softmax %x, %router top_k 2 {normalize}
       : tensor<16x64xbf16>, tensor<64x8xbf16>
       -> tensor<16x2xi32>, tensor<16x2xf32>
    %i, %w = moe.gate gshard %x, %router noise %noise : tensor<64x8xf32>
       seed %seed top_k 2
       : tensor<16x64xf32>, tensor<64x8xf32>
       -> tensor<16x2xi32>, tensor<16x2xf32>
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E]`, results `[S, k]`, bias
    `[E]`; E is static and fits the type of the ids; 1 <= k <= E; group counts
    1 <= n <= m, m divides E, and the n groups hold at least k experts; `scale`
    is finite and positive; `bias` goes with `sigmoid`; groups go with
    `softmax` and `sigmoid`; `switch` has top_k 1; `noise` is `[M, E]`, goes
    with `gshard` and needs a `seed`; `jitter` lies in (0, 1), goes with
    `switch` and needs a `seed`; a `seed` goes with one of these two;
    `projection` is `[M, D]` and the router then `[D, E]`, and both it and
    `temperature`, finite and positive, go with `xmoe`, which needs them;
    `normalize` does not go with `gshard`, which does it anyway.
  }];
  let arguments = (ins MoE_GateKindAttr:$kind, MoE_FloatTensor:$tokens,
      MoE_FloatTensor:$router, Optional<MoE_FloatTensor>:$bias,
      Optional<MoE_FloatTensor>:$noise, Optional<MoE_FloatTensor>:$projection,
      Optional<I64>:$seed,
      MoE_I64Attr:$top_k, OptionalAttr<MoE_I64Attr>:$top_groups,
      OptionalAttr<MoE_I64Attr>:$num_groups, UnitAttr:$normalize,
      DefaultValuedAttr<F64Attr, "1.0">:$scale,
      OptionalAttr<F64Attr>:$jitter, OptionalAttr<F64Attr>:$temperature);
  let results = (outs MoE_IndexTensor:$ids, MoE_FloatTensor:$weights);
  let assemblyFormat = [{
    `` $kind $tokens `,` $router (`bias` $bias^ `:` type($bias))?
    (`noise` $noise^ `:` type($noise))?
    (`projection` $projection^ `:` type($projection))?
    (`temperature` $temperature^)? (`jitter` $jitter^)? (`seed` $seed^)?
    `top_k` $top_k (`groups` $top_groups^ `of` $num_groups)?
    attr-dict `:` type($tokens) `,` type($router) `->` type($ids) `,`
    type($weights)
  }];
  let builders = [
    // A gate of kind softmax or sigmoid.
    OpBuilder<(ins "::mlir::Type":$ids, "::mlir::Type":$weights,
        "::moe::GateKind":$kind, "::mlir::Value":$tokens,
        "::mlir::Value":$router, "::mlir::Value":$bias, "int64_t":$topK,
        "::mlir::IntegerAttr":$topGroups, "::mlir::IntegerAttr":$numGroups,
        "bool":$normalize, "const ::llvm::APFloat &":$scale), [{
      build($_builder, $_state, ids, weights, kind, tokens, router, bias,
            /*noise=*/::mlir::Value(), /*projection=*/::mlir::Value(),
            /*seed=*/::mlir::Value(), topK, topGroups, numGroups, normalize,
            scale, /*jitter=*/::mlir::FloatAttr(),
            /*temperature=*/::mlir::FloatAttr());
    }]>
  ];
  let hasVerifier = 1;
}

def MoE_OrderOp : MoE_Op<"order", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "place token copies into expert slots";
  let description = [{
    Every token is copied to each expert chosen for it. Expert `e` has `C`
    slots; a copy takes the next free slot of its expert, and is lost when
    there is none (its slot number is then -1). Copies are placed

    - `choice`: all first choices in token order, then all second choices, …
    - `token`: all copies of token 0, then of token 1, …

    `slots[s, j]` is `e * C + c` for copy `j` of token `s`. Free slots of the
    buffer are zero. The buffer's leading dims together number the experts.
    With C = 0 every copy is lost.

    `ordering` says how the copies are made: `sparse`, meant without it, copies
    row by row (Tutel); `einsum` contracts the tokens with a one-hot tensor
    `[S, experts, C]` (GShard). One result, two costs: `sparse` moves the
    buffer's bytes, `einsum` is a GEMM of `S * experts * C * M`
    multiply-accumulates, which pays only for few tokens on a machine whose
    GEMMs are fast and whose scattered copies are slow. The result is that of
    copies, bit for bit: an infinity or a NaN in one token reaches no other
    slot.

    ```mlir
    %buffer, %slots = moe.order choice %x by %ids
       : tensor<3x4xf32>, tensor<3x1xi32>
       -> tensor<2x2x4xf32>, tensor<3x1xi32>
    // ids 1, 0, 1     buffer: expert 0: x1 0     slots: 2, 0, 3
    //                         expert 1: x0 x2
    ```

    **Constraints:** tokens `[S, M]`, ids and slots `[S, k]` of one type, the
    buffer `[experts..., C, M]` of the tokens' element type with static expert
    dims; every slot number fits the type of the slots. At run time an id lies in [0, E).
  }];
  let arguments = (ins MoE_OrderKindAttr:$kind, MoE_Tensor:$tokens,
      MoE_IndexTensor:$ids, DefaultValuedAttr<MoE_OrderingAttr,
                                "::moe::Ordering::Sparse">:$ordering);
  let results = (outs MoE_Tensor:$buffer, MoE_IndexTensor:$slots);
  let assemblyFormat = [{
    `` $kind $tokens `by` $ids (`ordering` `` $ordering^)? attr-dict `:` type($tokens) `,` type($ids) `->`
    type($buffer) `,` type($slots)
  }];
  let hasVerifier = 1;
}

def MoE_ExpertsOp : MoE_Op<"experts", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "the expert networks of one rank";
  let description = [{
    Applies expert `e` to every row of slice `e` of the operand
    `[experts, rows..., M]`. Rows do not influence each other.

    - `gpt`: two GEMMs, `act(x W1) W2`; weights `[experts, M, H]` and
      `[experts, H, M]`; `activation` is `gelu` (tanh form) unless stated.
    - `swiglu`: three GEMMs, `(silu(x Wgate) * (x Wup)) Wdown`; weights twice
      `[experts, M, H]`, then `[experts, H, M]`.

    With weights sharded along `H` over a group, the result is this rank's
    partial sum; an `all_reduce` or `reduce_scatter` over the group completes
    it.

    ```mlir
    %y = moe.experts swiglu %x, %wg, %wu, %wd
       : tensor<1x8x32x64xf32>,
         tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x96x64xf32>
         -> tensor<1x8x32x64xf32>
    ```

    **Constraints:** the operand has rank at least 3; the number of weights
    fits the kind, all of rank 3 with as many experts, M and one H;
    `activation` goes with `gpt`; one element type.
  }];
  let arguments = (ins MoE_ExpertsKindAttr:$kind, MoE_FloatTensor:$tokens,
      Variadic<MoE_FloatTensor>:$experts_weights,
      OptionalAttr<MoE_ActivationAttr>:$activation);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    `` $kind $tokens `,` $experts_weights (`activation` `` $activation^)?
    attr-dict `:` type($tokens) `,` type($experts_weights) `->` type($result)
  }];
  let hasVerifier = 1;
}

def MoE_UnorderOp : MoE_Op<"unorder", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "bring expert results back to their tokens";
  let description = [{
    The inverse of `order`: token `s` becomes the sum over its copies `j`,
    ascending, of `weights[s, j]` times the row at slot `slots[s, j]`, in
    64-bit floats, rounded once. A lost copy (slot -1) adds nothing, whatever
    its weight. `ordering` is that of `order`.

    ```mlir
    %y = moe.unorder %buffer by %slots weights %w
       : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
    ```

    **Constraints:** buffer `[experts..., C, M]` of rank at least 2, slots and
    weights `[S, k]`, result `[S, M]` of the buffer's element type. At run
    time a slot lies in [-1, experts * C).
  }];
  let arguments = (ins MoE_FloatTensor:$buffer, MoE_IndexTensor:$slots,
      MoE_FloatTensor:$weights, DefaultValuedAttr<MoE_OrderingAttr,
                                    "::moe::Ordering::Sparse">:$ordering);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $buffer `by` $slots `weights` $weights (`ordering` `` $ordering^)? attr-dict `:` type($buffer) `,`
    type($slots) `,` type($weights) `->` type($result)
  }];
  let hasVerifier = 1;
}

def MoE_LayerOp : MoE_Op<"layer", [
    RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<RegionBranchOpInterface,
                              ["getRegionInvocationBounds"]>]> {
  let summary = "one MoE layer";
  let description = [{
    Marks the ops of one MoE layer and the phase of the step they belong to.
    The region runs exactly once; it sees the values around it.

    ```mlir
    %y = moe.layer "3" phase "fwd" {
      %z = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<16x64xbf16>
      moe.yield %z : tensor<16x64xbf16>
    } : tensor<16x64xbf16>
    ```

    **Constraints:** the name is not empty; `moe.yield` yields values of the
    result types.
  }];
  let arguments = (ins StrAttr:$name, MoE_PhaseAttr:$phase);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `phase` custom<Phase>($phase) attr-dict-with-keyword $body
    (`:` type($results)^)?
  }];
  let hasVerifier = 1;
}

def MoE_YieldOp : MoE_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["LayerOp", "PipelineOp", "ScheduleOp", "TaskOp"]>]> {
  let summary = "values a region hands out";
  let description = [{
    Ends the region of a layer, pipeline, schedule or task and gives its
    results.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
}

} // opDocGroup

include "moe/MoETrainingOps.td"
include "moe/MoEModuleOps.td"
include "moe/MoEScheduleOps.td"

#endif // MOE_OPS_TD
