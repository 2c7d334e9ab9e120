// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank capacities, which drop excess copies.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_LIMIT_OPS_TD
#define MOE_LIMIT_OPS_TD

def OpGroupLimits : OpDocGroup {
  let summary = "Limits of sent rows";
  let description = [{
    A dropless layer may still have a capacity: an expert
    takes so many rows of a rank (GShard's and DeepSpeed's capacity is one and
    the same for all of them), or a rank sends so many to each other, more to
    near ones than to far ones (TA-MoE). Such a layer is one that drops nothing,
    of choices that `limit_choices` has gone over: a choice beyond a limit has
    expert -1 from there on, is neither counted nor sent, and adds nothing to
    its token's result nor to a gradient.

    ```mlir
    %ids, %w      = moe.gate ...
    // Row p of the table: rows that the rank at position p may send to each.
    %table        = arith.constant dense<[[6, 2], [2, 6]]> : tensor<2x2xi32>
    %mine         = moe.drop %table on <@mesh, ["ep"]> dim 0   // [1, 2]
    %limits       = tensor.collapse_shape %mine [[0, 1]] ...   // [2]
    %sent         = moe.limit_choices choice %ids experts 8 limits %limits
    %counts       = moe.expert_counts %sent                    // and so on
    ```
  }];
}

let opDocGroup = OpGroupLimits in {

def MoE_LimitChoicesOp : MoE_Op<"limit_choices", [
    Pure, AllTypesMatch<["ids", "result"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "choices within limits, in the order of choices or tokens";
  let description = [{
    With `E` experts and `L` limits, expert `e` counts towards limit
    `e / (E/L)`: one limit an expert, or one for all experts of a rank. Of the
    copies that count towards limit `i`, the first `limits[i]` keep their
    expert; all others get -1. Those first are

    - `choice`: in the order of all first choices in token order, then all
      second choices, …, as `permute choice` gives slots away;
    - `token`: in the order of all copies of token 0, then of token 1, …

    An id of -1 stays, and counts towards nothing.

    ```mlir
    %sent = moe.limit_choices choice %ids experts 4 limits %limits
       : tensor<4x2xi32>, tensor<2xi32>
    // ids 0 2, 1 0, 0 3, 3 -1   limits 2 1   sent: 0 -1, 1 -1, -1 -1, 3 -1
    ```

    **Constraints:** ids and result `[S, k]` of one type, which holds every
    expert number; limits `[L]` with a static L that is at least 1 and divides
    E, which is at least 1. At run time an id is in [-1, E), and limits are at
    least 0.
  }];
  let arguments = (ins MoE_OrderKindAttr:$kind, MoE_IndexTensor:$ids,
      MoE_I64Attr:$experts, MoE_IndexTensor:$limits);
  let results = (outs MoE_IndexTensor:$result);
  let assemblyFormat = [{
    `` $kind $ids `experts` $experts `limits` $limits attr-dict `:` type($ids)
    `,` type($limits)
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // MOE_LIMIT_OPS_TD
