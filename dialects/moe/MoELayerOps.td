// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers and their modules.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_LAYER_OPS_TD
#define MOE_LAYER_OPS_TD

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
    - `sigmoid`: scores are the sigmoid of the logits.
    - `sqrtsoftplus`: scores are the square root of the softplus of the logits.
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

    A `biased` router is `[M + 1, E]`: its last row is added to the logits.
    The optional `bias` of `softmax`, `sigmoid` and `sqrtsoftplus` (one value an
    expert) is added to the scores for the choice only; weights come from the
    unbiased scores.

    `normalize` divides a token's weights by their sum (so softmax with
    `normalize` equals a softmax over the chosen logits); `scale` then
    multiplies them. With `groups n of m` the experts form `m` consecutive
    groups of equal size and only the `n` best groups may be chosen from; a
    group's score, biased too, is its best expert for `softmax` and the sum of
    its two best for `sigmoid` and `sqrtsoftplus`.

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
    layer that runs again gets the same numbers. They take the first two of the four
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
    is finite and positive; `bias`, `biased` and groups require
    `softmax`, `sigmoid` or `sqrtsoftplus`; `switch` has top_k 1; `noise` is `[M, E]`,
    requires `gshard` and a `seed`; `jitter` is in (0, 1), requires `switch`
    and a `seed`; a `seed` requires one of these two;
    `projection` is `[M, D]` and the router then `[D, E]`, and both it and
    `temperature`, finite and positive, require `xmoe`, which needs them;
    `normalize` is not allowed with `gshard`, which always normalizes.
  }];
  let arguments = (ins MoE_GateKindAttr:$kind, MoE_FloatTensor:$tokens,
      MoE_FloatTensor:$router, Optional<MoE_FloatTensor>:$bias,
      Optional<MoE_FloatTensor>:$noise, Optional<MoE_FloatTensor>:$projection,
      Optional<I64>:$seed,
      MoE_I64Attr:$top_k, OptionalAttr<MoE_I64Attr>:$top_groups,
      OptionalAttr<MoE_I64Attr>:$num_groups, UnitAttr:$normalize,
      DefaultValuedAttr<F64Attr, "1.0">:$scale,
      OptionalAttr<F64Attr>:$jitter, OptionalAttr<F64Attr>:$temperature,
      UnitAttr:$biased);
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

def MoE_PermuteOp : MoE_Op<"permute", [
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
    multiply-accumulates, which pays only for few tokens on a machine with fast
    GEMMs and slow scattered copies. The result is equal to
    `sparse`, bit for bit: an infinity or a NaN in one token reaches no other
    slot.

    ```mlir
    %buffer, %slots = moe.permute choice %x by %ids
       : tensor<3x4xf32>, tensor<3x1xi32>
       -> tensor<2x2x4xf32>, tensor<3x1xi32>
    // ids 1, 0, 1     buffer: expert 0: x1 0     slots: 2, 0, 3
    //                         expert 1: x0 x2
    ```

    **Constraints:** tokens `[S, M]`, ids and slots `[S, k]` of one type, the
    buffer `[experts..., C, M]` of the tokens' element type with static expert
    dims; every slot number fits the type of the slots. At run time an id is in [0, E).
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
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "the expert networks of one rank";
  let description = [{
    Applies expert `e` to every row of slice `e` of the operand
    `[experts, rows..., M]`. Rows do not influence each other.

    - `gpt`: two GEMMs, `act(x W1) W2`; weights `[experts, M, H]` and
      `[experts, H, M]`; `activation` is `gelu` (tanh form) unless stated;
      `quick_gelu(a)` is `a * sigmoid(1.702 a)`, and `relu2(a)` the square of
      `relu(a)`.
    - `swiglu`: three GEMMs, `(silu(x Wgate) * (x Wup)) Wdown`; weights twice
      `[experts, M, H]`, then `[experts, H, M]`.
    - `geglu`: the same with `gelu` in the place of `silu`.
    - `clamped_swiglu` (gpt_oss):
      `(quick_gelu(min(x Wgate, 7)) * (clamp(x Wup, -7, 7) + 1)) Wdown`.

    `biased` weights have one row more each, `[experts, M + 1, H]` and
    `[experts, H + 1, M]`: the last is a bias, which is added to every row of
    the product. Of weights that are sharded along `H` the last one's biases
    are parts too, whose sum over the group is the bias.

    With weights sharded along `H` over a group, the result is this rank's
    partial sum; an `all_reduce` or `reduce_scatter` over the group completes
    it.

    ```mlir
    %y = moe.experts swiglu %x, %wg, %wu, %wd
       : tensor<1x8x32x64xf32>,
         tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x96x64xf32>
         -> tensor<1x8x32x64xf32>
    ```

    **Runs.** With `runs(offsets, sizes)` the operand is `[rows, M]`, and
    element `[r..., e]` of the two says that the `sizes[r..., e]` rows from row
    `offsets[r..., e]` on belong to expert `e`. Nothing is read of rows of no
    run, and in the result they are unspecified: nobody may count on them. An
    operand `[experts, rows..., M]` is the case of one run an expert, all of
    one size.

    ```mlir
    %y = moe.experts gpt %x runs(%offsets, %sizes : tensor<2x2xi32>), %w1, %w2
       : tensor<7x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
         -> tensor<7x4xf32>
    // offsets 0 1   sizes 1 2     rows of expert 0: 0, 3
    //         3 4         1 1     rows of expert 1: 1, 2, 4
    ```

    **Kept products.** With a second result, the op returns the results of its
    inner products, `keeps` `[K, rows..., H]` before the rows' `[experts, ...]`:
    `x W1` (K = 1), or `x Wgate` and `x Wup` (K = 2), each rounded to the
    element type. Rows are packed: first expert 0 has all of
    its rows, run by run, then expert 1 has its own; with runs, rows after the
    last run are unspecified. `moe-schedule` asks for them where a gradient of the
    same experts can read them (`moe.experts_dgrad`).

    ```mlir
    %y, %kept = moe.experts gpt %x, %w1, %w2
       : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
         -> tensor<2x8x4xf32> keeps tensor<1x2x8x6xf32>
    ```

    Values between products are rounded to the element type.

    **Constraints:** the operand has rank at least 3, with runs rank 2; the
    number of weights fits the kind, all of rank 3 with as many experts, M and
    one H, M + 1 and H + 1 rows where they are `biased`; `activation` requires
    `gpt`; one element type; offsets and sizes
    have one type `[..., experts]`, with integers that hold the number of rows. At
    run time, runs are inside the rows and do not overlap.
  }];
  let arguments = (ins MoE_ExpertsKindAttr:$kind, MoE_FloatTensor:$tokens,
      Variadic<MoE_FloatTensor>:$experts_weights,
      Optional<MoE_IndexTensor>:$run_offsets,
      Optional<MoE_IndexTensor>:$run_sizes,
      OptionalAttr<MoE_ActivationAttr>:$activation, UnitAttr:$biased);
  let results = (outs MoE_FloatTensor:$result,
                      Optional<MoE_FloatTensor>:$kept);
  let assemblyFormat = !strconcat("`` $kind $tokens ", MoE_RunsFormat, [{
    `,` $experts_weights (`activation` `` $activation^)?
    attr-dict `:` type($tokens) `,` type($experts_weights) `->` type($result)
    (`keeps` type($kept)^)?
  }]);
  let builders = [
    // Experts on a buffer [experts, rows..., M].
    OpBuilder<(ins "::mlir::Type":$result, "::moe::ExpertsKind":$kind,
        "::mlir::Value":$tokens, "::mlir::ValueRange":$weights,
        "::moe::ActivationAttr":$activation), [{
      build($_builder, $_state, result, /*kept=*/::mlir::Type(), kind, tokens,
            weights, /*run_offsets=*/::mlir::Value(),
            /*run_sizes=*/::mlir::Value(), activation);
    }]>,
    // Experts that return no values between their products.
    OpBuilder<(ins "::mlir::Type":$result, "::moe::ExpertsKind":$kind,
        "::mlir::Value":$tokens, "::mlir::ValueRange":$weights,
        "::mlir::Value":$run_offsets, "::mlir::Value":$run_sizes,
        "::moe::ActivationAttr":$activation, "bool":$biased), [{
      build($_builder, $_state, result, /*kept=*/::mlir::Type(), kind, tokens,
            weights, run_offsets, run_sizes, activation, biased);
    }]>
  ];
  let hasVerifier = 1;
}

def MoE_UnpermuteOp : MoE_Op<"unpermute", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "bring expert results back to their tokens";
  let description = [{
    The inverse of `permute`: token `s` becomes the sum over its copies `j`,
    ascending, of `weights[s, j]` times the row at slot `slots[s, j]`, in
    64-bit floats, rounded once. A lost copy (slot -1) adds nothing, whatever
    its weight. `ordering` is as in `permute`.

    ```mlir
    %y = moe.unpermute %buffer by %slots weights %w
       : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
    ```

    **Constraints:** buffer `[experts..., C, M]` of rank at least 2, slots and
    weights `[S, k]`, result `[S, M]` of the buffer's element type. At run
    time a slot is in [-1, experts * C).
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

#endif // MOE_LAYER_OPS_TD
