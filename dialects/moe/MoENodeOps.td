// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens that are sent once per node.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_NODE_OPS_TD
#define MOE_NODE_OPS_TD

def OpGroupNodes : OpDocGroup {
  let summary = "Tokens sent once a node";
  let description = [{
    A token of a dropless layer may have several experts on one node. It then
    needs to cross the links between nodes only once, with the numbers and
    weights of its experts: a rank of that node passes it on to them,
    and adds up their results on the way back.

    With `N` nodes of `L` ranks each, all `G = N * L` ranks in one group whose
    last axis is the place inside a node, expert `e` is on node `e / (E/N)`. A
    rank exchanges with the ranks of its own place in all nodes first, then with
    the ranks of its node:

    ```mlir
    %nodes      = moe.distinct_nodes %ids experts 8 nodes 2        // [S, w]
    %c, %n      = moe.expert_counts of %ids [E], of %nodes [N], joined: %mine
    %all        = moe.all_gather %mine on <@mesh, ["node", "place"]> dim 0
    %so, %ss, %ro, %rs, %io, %is, %jo, %js, %po, %ps
                = moe.node_plan %all on <@mesh, ["node"]>
                    inside <@mesh, ["place"]> limits 12, 24
    // Tokens, and likewise the rows of %ids and of %w, into -1 and zeros:
    %r, %slots  = moe.permute_rows token %x by %nodes experts 2      // [S * w, M]
    %came       = moe.ragged_all_to_all %r into %e1 on <@mesh, ["node"]>
                    send(%so, %ss) recv(%ro, %rs)                  // [12, M]
    // Numbers of this node's experts from 0 on, -1 for those of others:
    %own        = ... %cameIds ...                                 // [12, k]
    %h, %places = moe.permute_rows token %came by %own experts 4     // [12 * k, M]
    %in         = moe.ragged_all_to_all %h into %e2 on <@mesh, ["place"]>
                    send(%io, %is) recv(%jo, %js)                  // [24, M]
    %y          = moe.experts gpt %in runs(%po, %ps : ...), ...
    // Back the same way: a token's row of a node is what all its experts there
    // make of it, weighted.
    %back       = moe.ragged_all_to_all %y into %e3 on <@mesh, ["place"]>
                    send(%jo, %js) recv(%io, %is)                  // [12 * k, M]
    %part       = moe.unpermute %back by %places weights %cameWeights // [12, M]
    %parts      = moe.ragged_all_to_all %part into %e4 on <@mesh, ["node"]>
                    send(%ro, %rs) recv(%so, %ss)                  // [S * w, M]
    %out        = moe.unpermute %parts by %slots weights %ones       // [S, M]
    ```
  }];
}

let opDocGroup = OpGroupNodes in {

def MoE_DistinctNodesOp : MoE_Op<"distinct_nodes", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "the nodes of a token's experts, each once";
  let description = [{
    With `E` experts on `N` nodes, expert `e` is on node `e / (E/N)`. Row `s` of
    the result lists the nodes of the experts `ids[s, :]`, each once, in the
    order in which they come first, and -1 in the places left.

    ```mlir
    %nodes = moe.distinct_nodes %ids experts 8 nodes 4
       : tensor<3x3xi32> -> tensor<3x3xi32>
    // ids 0 5 1, 6 7 6, -1 3 2     nodes: 0 2 -1, 3 -1 -1, 1 -1 -1
    ```

    **Constraints:** ids `[S, k]`, result `[S, w]` of its element type with
    1 <= w <= min(k, N); N is at least 1 and divides E; every expert number fits
    the type. At run time an id is in [-1, E), -1 for no expert, and the experts of a
    token are on at most w nodes: a gate that chooses from few groups of experts
    needs fewer places than min(k, N).
  }];
  let arguments = (ins MoE_IndexTensor:$ids, MoE_I64Attr:$experts,
                       MoE_I64Attr:$nodes);
  let results = (outs MoE_IndexTensor:$result);
  let assemblyFormat = [{
    $ids `experts` $experts `nodes` $nodes attr-dict `:` type($ids) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def MoE_NodePlanOp : MoE_Op<"node_plan", [
    NoMemoryEffect,
    AllTypesMatch<["node_send_offsets", "node_send_sizes", "node_recv_offsets",
                   "node_recv_sizes"]>,
    AllTypesMatch<["send_offsets", "send_sizes", "recv_offsets",
                   "recv_sizes"]>,
    AllTypesMatch<["run_offsets", "run_sizes"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "who sends how many rows where, between nodes and inside";
  let description = [{
    As `ragged_plan`, for a layer that sends tokens once per node. `group` are
    the ranks of one place in all N nodes, `inside` the L ranks of one node, and
    row `n * L + l` of the counts belongs to the rank at place `l` of node `n`: its copies of tokens for each of
    the E experts, then its tokens for each of the N nodes (`expert_counts` of
    the experts and of `distinct_nodes`). For the rank at place `l` of node `n`,

    - `nodeSendSizes[m] = counts[n * L + l, E + m]`, and
      `nodeRecvSizes[m] = counts[m * L + l, E + n]`: tokens between nodes;
    - `h(l, e)`, the sum over all `m` of `counts[m * L + l, e]`, is the number
      of copies for expert `e` that place `l` of its node has then. `sendSizes[j]`
      is the sum of `h(l, e)` over the experts of place `j` of node `n`, and
      `recvSizes[i]` the sum of `h(i, e)` over the experts of the rank itself;
    - `runSizes[i, e] = h(i, (n * L + l) * E/G + e)`.

    All offsets are the sums of the sizes before, run offsets with `i` as the
    outer number.

    ```mlir
    %so, %ss, %ro, %rs, %io, %is, %jo, %js, %po, %ps
       = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]>
           limits 4, 6
       : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
    ```

    **Joined.** As by `ragged_plan`, the ranks of another group, `joined`, may
    each do so with groups of their own, and gather the received rows inside
    their nodes along dim 0 of the buffers. Counts are `[J, G, E + N]`
    then, `counts[q]` belongs to position `q` of `joined`; sends and receives of a
    rank belong to its own position there, and runs are `[J, L, E/G]` of the
    gathered buffer, the offsets of `q` from row `q` times the second limit on.

    **Limits.** No rank may receive more than the first number of rows from
    other nodes and its own, nor more than the second inside its node: the sizes
    of the buffers they are received into. As by `ragged_plan`, all ranks find
    the same one that would, and fail with the same error, which names it: the
    second limit is checked first, because it limits the experts.

    This is work for the host, as `ragged_plan` is. The results vary over the
    axes of all groups, while the operand may not. It is not executed
    speculatively.

    **Constraints:** the groups share no axis; counts `[G, E + N]`, or
    `[J, G, E + N]` with `joined`, with G = N * L, N the size of the group, L
    the size of `inside`, J the size of `joined`, and E a static multiple of G, at least
    G; limits are at least 0; offsets and sizes between nodes `[N]`, inside
    `[L]`, of runs `[L, E/G]` or `[J, L, E/G]`, of integers that hold their
    limit, of runs J times their limit. At run time counts are at
    least 0.
  }];
  let arguments = (ins MoE_IndexTensor:$counts, MoE_GroupAttrInterface:$group,
      MoE_GroupAttrInterface:$inside,
      OptionalAttr<MoE_GroupAttrInterface>:$joined, MoE_I64Attr:$node_limit,
      MoE_I64Attr:$limit);
  let results = (outs MoE_IndexTensor:$node_send_offsets,
      MoE_IndexTensor:$node_send_sizes, MoE_IndexTensor:$node_recv_offsets,
      MoE_IndexTensor:$node_recv_sizes, MoE_IndexTensor:$send_offsets,
      MoE_IndexTensor:$send_sizes, MoE_IndexTensor:$recv_offsets,
      MoE_IndexTensor:$recv_sizes, MoE_IndexTensor:$run_offsets,
      MoE_IndexTensor:$run_sizes);
  let assemblyFormat = [{
    $counts `on` custom<Group>($group) `inside` custom<Group>($inside)
    (`joined` custom<Group>($joined)^)? `limits` $node_limit `,` $limit
    attr-dict `:` type($counts) `->`
    type($node_send_offsets) `,` type($send_offsets) `,` type($run_offsets)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

} // opDocGroup

#endif // MOE_NODE_OPS_TD
