// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropless layers.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_DROPLESS_OPS_TD
#define MOE_DROPLESS_OPS_TD

def OpGroupDropless : OpDocGroup {
  let summary = "Layers that drop nothing";
  let description = [{
    A layer of `G` expert-parallel ranks that loses no copy of a token sends as
    many rows as the gate has chosen, which is known only when it has. The
    ranks exchange these numbers once per layer, and all else follows from them,
    the backward pass included:

    ```mlir
    %ids, %w      = moe.gate ...
    %counts       = moe.expert_counts %ids                    // [E]
    %rows, %slots = moe.permute_rows choice %x by %ids experts 4  // [S * k, M]
    %all          = moe.all_gather %mine on <@mesh, ["ep"]> dim 0  // [G, E]
    %so, %ss, %ro, %rs, %po, %ps
                  = moe.ragged_plan %all on <@mesh, ["ep"]> limit 6
    %in           = moe.ragged_all_to_all %rows into %empty on <@mesh, ["ep"]>
                      send(%so, %ss) recv(%ro, %rs)           // [R, M]
    %y            = moe.experts gpt %in runs(%po, %ps : ...), %w1, %w2
    %back         = moe.ragged_all_to_all %y into %empty2 on <@mesh, ["ep"]>
                      send(%ro, %rs) recv(%so, %ss)           // [S * k, M]
    %out          = moe.unpermute %back by %slots weights %w
    ```

    The rows behind those received stay as the empty buffer has them: they
    belong to no run, so experts and their gradients do not read them, and the
    way back does not send them.
  }];
}

let opDocGroup = OpGroupDropless in {

def MoE_ExpertCountsOp : MoE_Op<"expert_counts", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "the number of token copies for each expert";
  let description = [{
    Element `[..., e]` of the result says how often `e` is among the ids
    `[..., S, k]`. Leading dims stay: ids seen as `[n, S/n, k]` give the numbers
    of `n` chunks of the tokens. An id of -1 is a copy that is not sent, and
    not counted.

    ```mlir
    %counts = moe.expert_counts %ids : tensor<3x2xi32> -> tensor<4xi32>
    // ids 1 0, 3 1, 1 0     counts: 2 3 0 1
    ```

    **Constraints:** ids of rank at least 2; the result has one dim less, its
    last one, static, numbers the experts, and its integers hold the number of
    copies. At run time an id is in [-1, E).
  }];
  let arguments = (ins MoE_IndexTensor:$ids);
  let results = (outs MoE_IndexTensor:$counts);
  let assemblyFormat = "$ids attr-dict `:` type($ids) `->` type($counts)";
  let hasVerifier = 1;
}

def MoE_PermuteRowsOp : MoE_Op<"permute_rows", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "place token copies into rows, sorted by expert";
  let description = [{
    Every token is copied to each expert chosen for it, as by `permute`, but no
    copy is lost and no row is free: the copies of expert 0 precede the
    copies of expert 1, and so on. Copies for one expert are

    - `choice`: in the order of all first choices in token order, then all
      second choices, …
    - `token`: in the order of all copies of token 0, then of token 1, …

    `slots[s, j]` is the row of copy `j` of token `s`. With the rows as buffer
    `[S * k, M]`, `unpermute` brings results back and `scatter` takes gradients
    there. A copy with id -1 is not sent: its slot is -1, and as many rows at
    the end are unspecified.

    ```mlir
    %rows, %slots = moe.permute_rows choice %x by %ids experts 2
       : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<3x4xf32>, tensor<3x1xi32>
    // ids 1, 0, 1     rows: x1 x0 x2     slots: 1, 0, 2
    ```

    **Constraints:** at least one expert; tokens `[S, M]`, ids and slots
    `[S, k]` of one type, rows `[S * k, M]` of the tokens' element type; every
    row number fits the type of the slots, every expert number the type of the ids.
    At run time an id is in [-1, experts).
  }];
  let arguments = (ins MoE_OrderKindAttr:$kind, MoE_Tensor:$tokens,
      MoE_IndexTensor:$ids, MoE_I64Attr:$experts);
  let results = (outs MoE_Tensor:$rows, MoE_IndexTensor:$slots);
  let assemblyFormat = [{
    `` $kind $tokens `by` $ids `experts` $experts attr-dict `:` type($tokens)
    `,` type($ids) `->` type($rows) `,` type($slots)
  }];
  let hasVerifier = 1;
}

def MoE_RaggedPlanOp : MoE_Op<"ragged_plan", [
    NoMemoryEffect,
    AllTypesMatch<["send_offsets", "send_sizes", "recv_offsets",
                   "recv_sizes"]>,
    AllTypesMatch<["run_offsets", "run_sizes"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "who sends how many rows where, by the counts of all ranks";
  let description = [{
    From the counts of all ranks of a group, `counts[i, e]` rows of the rank at
    position `i` for expert `e`, makes the offsets and sizes that the rank at
    position `p` hands to `ragged_all_to_all` and to `experts`. Expert `e` is
    on position `e / (E/G)`. With `n(i, j)` the sum of `counts[i, e]` over the
    experts of position `j`:

    - `sendSizes[j] = n(p, j)`; send offsets are the sums of the sizes before;
    - `recvSizes[i] = n(i, p)`; receive offsets are the sums of the sizes
      before;
    - `runSizes[i, e] = counts[i, p * E/G + e]`; run offsets are the sums of the
      sizes before, with `i` the outer number: rows from a rank are sorted
      by expert.

    ```mlir
    %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]>
       limit 6 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
    //   counts        send offsets, sizes   receive   run offsets   run sizes
    // a: 2 1 0 1      0 3       3 1         0 3  3 2    0 2  3 3      2 1  0 2
    // b: 0 2 3 1      0 2       2 4         0 1  1 4    0 0  1 4      0 1  3 1
    ```

    **Limit.** No rank may receive more than `limit` rows, the size of the
    buffer they are received into. Every rank sees the counts of all, so that
    all find the same rank that would receive more, the first one in group
    order, and all fail with the same error, which names it.

    **Joined.** Where the ranks of another group, `joined`, each exchange rows
    of their own with `group` and gather the received rows along dim 0 of
    the buffers, counts are `[J, G, E]`, `counts[q]` belongs to position `q` of
    `joined`. Sends and receives of a rank belong to its own position there;
    runs are `[J, G, E/G]` of the gathered buffer `[J * limit, M]`, the offsets
    of `q` from row `q * limit` on.

    This is work for the host: the runtime reads offsets and sizes where it
    calls the library that exchanges, so the counts are copied to the host once per
    layer. The results vary over the axes of both groups, while the operand may
    not (`moe-verify-collectives`): ranks that plan by different counts would
    wait for rows that no rank sends. It is not executed speculatively.

    **Constraints:** counts `[G, E]`, or `[J, G, E]` with `joined`, with
    G the size of the group, J the size of `joined`, and E a static multiple of G;
    the limit is at least 0; offsets and sizes `[G]`, run offsets and sizes
    `[G, E/G]` or `[J, G, E/G]`, of integers that hold `limit`, or `J * limit`.
    At run time counts are at least 0.
  }];
  let arguments = (ins MoE_IndexTensor:$counts, MoE_GroupAttrInterface:$group,
      OptionalAttr<MoE_GroupAttrInterface>:$joined, MoE_I64Attr:$limit);
  let results = (outs MoE_IndexTensor:$send_offsets,
      MoE_IndexTensor:$send_sizes, MoE_IndexTensor:$recv_offsets,
      MoE_IndexTensor:$recv_sizes, MoE_IndexTensor:$run_offsets,
      MoE_IndexTensor:$run_sizes);
  let assemblyFormat = [{
    $counts `on` custom<Group>($group) (`joined` custom<Group>($joined)^)?
    `limit` $limit attr-dict `:` type($counts) `->` type($send_offsets) `,`
    type($run_offsets)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

} // opDocGroup

#endif // MOE_DROPLESS_OPS_TD
