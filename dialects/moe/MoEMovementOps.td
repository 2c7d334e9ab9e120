// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movement of local data.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_MOVEMENT_OPS_TD
#define MOE_MOVEMENT_OPS_TD

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

#endif // MOE_MOVEMENT_OPS_TD
