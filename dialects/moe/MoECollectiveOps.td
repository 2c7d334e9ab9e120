// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_COLLECTIVE_OPS_TD
#define MOE_COLLECTIVE_OPS_TD

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
    starting at row `sendOffsets[j]`, to the rank at position `j`. Rows
    from the rank at position `i` are written into a copy of `init` at rows
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
    must be the size its peer expects, every run must be inside its buffer,
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

def MoE_CollectivePermuteOp
    : MoE_CollectiveOp<"collective_permute", "CollectivePermute", [
        AllTypesMatch<["operand", "result"]>]> {
  let summary = "tensors sent from ranks of a group to others, one to one";
  let description = [{
    The rank at position `from[i]` of the group sends its operand to the rank
    at position `to[i]`, for every `i` and in every group at once. A rank that
    receives no tensor gets zeros.

    ```mlir
    %r = moe.collective_permute %x on <@mesh, ["ep"]> from [0, 1] to [1, 2]
       : tensor<2xf32>
    //        before        after
    // a:     a0 a1         0  0
    // b:     b0 b1         a0 a1
    // c:     c0 c1         b0 b1
    ```

    **Constraints:** `from` and `to` have one length; each holds positions of
    the group, and none of them twice.
  }];
  let arguments = (ins MoE_Tensor:$operand, MoE_GroupAttrInterface:$group,
                       DenseI64ArrayAttr:$from, DenseI64ArrayAttr:$to);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = [{
    $operand `on` custom<Group>($group) `from` $from `to` $to
    attr-dict `:` type($operand)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  string ownDecl = [{
    /// True if every position of the group receives a tensor.
    bool reachesAll() {
      ::llvm::FailureOr<int64_t> size = getGroup().getGroupSize(*this);
      return succeeded(size) && int64_t(getTo().size()) == *size;
    }
  }];
  let extraClassDeclaration = collectiveKindDecl # ownDecl;
}

} // opDocGroup

#endif // MOE_COLLECTIVE_OPS_TD
