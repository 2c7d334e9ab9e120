// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients.
//
// The ops of backward passes that are not already transposes of each other.
// Included by MoEOps.td, so that one run of TableGen sees all ops of the
// dialect.

#ifndef MOE_GRADIENT_OPS_TD
#define MOE_GRADIENT_OPS_TD

def OpGroupTraining : OpDocGroup {
  let summary = "Gradients and dense parts";
  let description = [{
    Ops of the backward pass, and the part of a model between two MoE layers.
    For a value `v`, `dv` is the gradient of the loss with respect to it.

    | forward | gradients |
    |---|---|
    | `experts` | of the tokens: `experts_dgrad`; of the weights: `experts_wgrad` |
    | `permute`, `permute_rows` | of the tokens: `unpermute` of the buffer's gradient, all weights 1 |
    | `unpermute` | of the buffer: `scatter`; of the weights: `unpermute_wgrad` |
    | `gate` | of the tokens and the router, the noise, the projection: `gate_grad` |
    | `expert_choice` | of the tokens and the router: `expert_choice_grad` |
    | `soft_gate` | of the tokens and the router: `soft_gate_grad` |
    | `soft_permute` | of the tokens: `soft_unpermute`; of the weights: `soft_wgrad` |
    | `soft_unpermute` | of the buffer: `soft_permute`; of the weights: `soft_wgrad` |
    | `dense` | `dense_dgrad`, `dense_wgrad` |
    | a collective, `drop`, `transpose` | its transpose as a linear map |

    All sums are taken in 64-bit floats and rounded once to the result's type.
  }];
}

let opDocGroup = OpGroupTraining in {

def MoE_ExpertsDgradOp : MoE_Op<"experts_dgrad", [
    Pure, AttrSizedOperandSegments,
    AllTypesMatch<["tokens", "cotangent", "result"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "gradient of experts with respect to their tokens";
  let description = [{
    With `dy` the gradient of the result of `moe.experts` of the same kind on
    the tokens `x` and the same weights, gives the gradient of `x`. Work
    between the GEMMs is computed again from `x`, unless the op takes the
    values that the forward pass `kept`; per row,

    - `gpt`: `dx = (dy W2ᵀ * act'(a)) W1ᵀ` with `a = x W1`;
    - `swiglu`: `dx = (dh * u * silu'(g)) Wgateᵀ + (dh * silu(g)) Wupᵀ` with
      `dh = dy Wdownᵀ`, `g = x Wgate`, `u = x Wup`; `geglu` alike;
    - `clamped_swiglu`: the same of the clamped `g` and `u`, with `u + 1` in the
      place of `u`; where one was beyond its limit, its part is 0.

    The derivative of `relu` at 0 is 0. Biases have no part in `dx`. With weights sharded along `H` over a
    group the result is this rank's partial sum, as for `moe.experts`.
    `runs` are as in `moe.experts`: rows of no run are not read, and
    in the result they are unspecified.

    ```mlir
    %dx = moe.experts_dgrad gpt %dy at %x, %w1, %w2 activation relu
       : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
    ```

    `kept` is the second result of those `moe.experts`: with it the op does one
    product per weight, without it also the inner ones again. The second result
    `[K + 1, rows..., H]` passes the factors of `experts_wgrad`: the input of the
    last product, then the gradients of the inner products' results, rows and
    rounding as in `kept`.

    ```mlir
    %dx, %handed = moe.experts_dgrad gpt %dy at %x, %w1, %w2
       kept %kept : tensor<1x2x8x6xf32>
       : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
         hands tensor<2x2x8x6xf32>
    ```

    **Constraints:** as for `moe.experts`; `dy` and the result have the type
    of the tokens.
  }];
  let arguments = (ins MoE_ExpertsKindAttr:$kind, MoE_FloatTensor:$tokens,
      Variadic<MoE_FloatTensor>:$experts_weights, MoE_FloatTensor:$cotangent,
      Optional<MoE_IndexTensor>:$run_offsets,
      Optional<MoE_IndexTensor>:$run_sizes, Optional<MoE_FloatTensor>:$kept,
      OptionalAttr<MoE_ActivationAttr>:$activation, UnitAttr:$biased);
  let results = (outs MoE_FloatTensor:$result,
                      Optional<MoE_FloatTensor>:$handed);
  let assemblyFormat = !strconcat("`` $kind $cotangent `at` $tokens ", MoE_RunsFormat, [{
    `,` $experts_weights
    (`activation` `` $activation^)? (`kept` $kept^ `:` type($kept))?
    attr-dict `:` type($tokens) `,` type($experts_weights)
    (`hands` type($handed)^)?
  }]);
  let builders = [
    // Experts on a buffer [experts, rows..., M].
    OpBuilder<(ins "::mlir::Type":$result, "::moe::ExpertsKind":$kind,
        "::mlir::Value":$tokens, "::mlir::ValueRange":$weights,
        "::mlir::Value":$cotangent, "::moe::ActivationAttr":$activation), [{
      build($_builder, $_state, result, /*handed=*/::mlir::Type(), kind, tokens,
            weights, cotangent, /*run_offsets=*/::mlir::Value(),
            /*run_sizes=*/::mlir::Value(), /*kept=*/::mlir::Value(),
            activation);
    }]>,
    // A gradient that neither takes nor returns values between its products.
    OpBuilder<(ins "::mlir::Type":$result, "::moe::ExpertsKind":$kind,
        "::mlir::Value":$tokens, "::mlir::ValueRange":$weights,
        "::mlir::Value":$cotangent, "::mlir::Value":$run_offsets,
        "::mlir::Value":$run_sizes, "::moe::ActivationAttr":$activation,
        "bool":$biased), [{
      build($_builder, $_state, result, /*handed=*/::mlir::Type(), kind, tokens,
            weights, cotangent, run_offsets, run_sizes,
            /*kept=*/::mlir::Value(), activation, biased);
    }]>
  ];
  let hasVerifier = 1;
}

def MoE_ExpertsWgradOp : MoE_Op<"experts_wgrad", [
    Pure, AttrSizedOperandSegments,
    AllTypesMatch<["tokens", "cotangent"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "gradients of experts with respect to their weights";
  let description = [{
    With `dy` the gradient of the result of `moe.experts` of the same kind on
    the tokens `x` and the same weights, gives the gradient of each weight,
    summed over the rows of its expert. In the words of `experts_dgrad`, of
    expert `e` over its rows,

    - `gpt`: `dW1 = xᵀ (dy W2ᵀ * act'(a))`, `dW2 = act(a)ᵀ dy`;
    - `swiglu`: `dWgate = xᵀ (dh * u * silu'(g))`,
      `dWup = xᵀ (dh * silu(g))`, `dWdown = (silu(g) * u)ᵀ dy`; the other
      gated kinds alike.

    With `biased` weights the last row of each gradient is the bias's gradient: in
    these products, `x` and the factor of the last weight end with a 1.

    It is an op of its own because nothing waits for it but the update of the
    weights: it may fill the time in which tokens are on their way. `runs` are
    those of `moe.experts`; no other row is read. The sum of an expert takes its
    runs in the order of the vectors of offsets and sizes, outer dims first, and
    the rows of a run in ascending order; without runs, all rows in ascending
    order. An expert without rows has the gradient 0.

    ```mlir
    %dw:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2
       : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
         -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
    ```

    `handed` is the second result of `experts_dgrad` of the same `dy`: with it
    the op does one product per weight, without it all but one of the products
    of `experts_dgrad` again.

    ```mlir
    %dw:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2
       handed %handed : tensor<2x2x8x6xf32>
       : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
         -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
    ```

    **Constraints:** as for `moe.experts`; `dy` has the type of the tokens; one
    result per weight, of its type. All results may be f32 if weights are narrower.
  }];
  let arguments = (ins MoE_ExpertsKindAttr:$kind, MoE_FloatTensor:$tokens,
      Variadic<MoE_FloatTensor>:$experts_weights, MoE_FloatTensor:$cotangent,
      Optional<MoE_IndexTensor>:$run_offsets,
      Optional<MoE_IndexTensor>:$run_sizes, Optional<MoE_FloatTensor>:$handed,
      OptionalAttr<MoE_ActivationAttr>:$activation, UnitAttr:$biased);
  let results = (outs Variadic<MoE_FloatTensor>:$gradients);
  let assemblyFormat = !strconcat("`` $kind $cotangent `at` $tokens ", MoE_RunsFormat, [{
    `,` $experts_weights
    (`activation` `` $activation^)? (`handed` $handed^ `:` type($handed))?
    attr-dict `:` type($tokens) `,` type($experts_weights) `->`
    type($gradients)
  }]);
  let builders = [
    // Experts on a buffer [experts, rows..., M].
    OpBuilder<(ins "::mlir::TypeRange":$gradients, "::moe::ExpertsKind":$kind,
        "::mlir::Value":$tokens, "::mlir::ValueRange":$weights,
        "::mlir::Value":$cotangent, "::moe::ActivationAttr":$activation), [{
      build($_builder, $_state, gradients, kind, tokens, weights, cotangent,
            /*run_offsets=*/::mlir::Value(), /*run_sizes=*/::mlir::Value(),
            /*handed=*/::mlir::Value(), activation);
    }]>,
    // Gradients that recompute the values between products.
    OpBuilder<(ins "::mlir::TypeRange":$gradients, "::moe::ExpertsKind":$kind,
        "::mlir::Value":$tokens, "::mlir::ValueRange":$weights,
        "::mlir::Value":$cotangent, "::mlir::Value":$run_offsets,
        "::mlir::Value":$run_sizes, "::moe::ActivationAttr":$activation,
        "bool":$biased), [{
      build($_builder, $_state, gradients, kind, tokens, weights, cotangent,
            run_offsets, run_sizes, /*handed=*/::mlir::Value(), activation,
            biased);
    }]>
  ];
  let hasVerifier = 1;
}

def MoE_ScatterOp : MoE_Op<"scatter", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "put rows into slots";
  let description = [{
    The transpose of `unpermute` in its buffer: the row at slot `slots[s, j]` is
    `weights[s, j]` times row `s`, or row `s` itself without weights. Slot -1
    is nowhere, and free slots are zero.

    ```mlir
    %buffer = moe.scatter %rows by %slots weights %w : tensor<3x1xf32>
       : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>
    // slots 2, -1, 3     buffer: expert 0: 0       0
    //                            expert 1: w0 r0   w2 r2
    ```

    **Constraints:** rows `[S, M]`, slots and weights `[S, k]`, buffer
    `[experts..., C, M]` of rank at least 2 with static dims but `M`, and of
    the rows' element type. At run time a slot is in [-1, experts * C), and
    no slot but -1 is there twice.
  }];
  let arguments = (ins MoE_FloatTensor:$rows, MoE_IndexTensor:$slots,
                       Optional<MoE_FloatTensor>:$weights);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $rows `by` $slots (`weights` $weights^ `:` type($weights))? attr-dict `:`
    type($rows) `,` type($slots) `->` type($result)
  }];
  let hasVerifier = 1;
}

def MoE_UnpermuteWgradOp : MoE_Op<"unpermute_wgrad", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "gradient of unpermute with respect to its weights";
  let description = [{
    With `dy` the gradient of the result of `moe.unpermute` of the same buffer by
    the same slots: element `[s, j]` is the dot product of row `s` of `dy` and
    the row at slot `slots[s, j]`, and 0 for a lost copy (slot -1).

    ```mlir
    %dw = moe.unpermute_wgrad %dy, %buffer by %slots
       : tensor<3x4xf32>, tensor<2x2x4xf32>, tensor<3x1xi32> -> tensor<3x1xf32>
    ```

    **Constraints:** `dy` `[S, M]`, buffer `[experts..., C, M]` of rank at least
    2 and of `dy`'s element type, slots and result `[S, k]`. At run time a slot
    is in [-1, experts * C).
  }];
  let arguments = (ins MoE_FloatTensor:$cotangent, MoE_FloatTensor:$buffer,
                       MoE_IndexTensor:$slots);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $cotangent `,` $buffer `by` $slots attr-dict `:` type($cotangent) `,`
    type($buffer) `,` type($slots) `->` type($result)
  }];
  let hasVerifier = 1;
}

def MoE_GateGradOp : MoE_Op<"gate_grad", [
    Pure, AttrSizedOperandSegments,
    AllTypesMatch<["tokens", "tokens_gradient"]>,
    AllTypesMatch<["router", "router_gradient"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "gradient of a gate's weights";
  let description = [{
    With `dw` the gradient of the weights of `moe.gate` of the same kind on the
    same tokens and router, gives the gradients of the tokens and of the
    router, and as a third result that of the `noise` or of the `projection`
    where the gate has one. The ids are those the gate gave: the choice itself,
    and with it the bias and the groups that only choose, has no gradient.

    Per token with scores `p`, chosen experts `i` and, without `normalize`,
    `dp[i[j]] = scale * dw[j]`; with it, for `t` the sum of the chosen scores,

    ```
    dp[i[j]] = scale * (dw[j] - sum over l of dw[l] p[i[l]] / t) / t
    ```

    and 0 for all others. Then `dlogit = p * (dp - sum over e of dp[e] p[e])`
    (softmax, switch, xmoe), `dp * p * (1 - p)` (sigmoid), or
    `dp * (1 - exp(-p²)) / (2 p)`, 0 where `p` is (sqrtsoftplus). A `gshard` gate
    has as scores the softmax over the chosen logits alone, and 0 is the
    gradient of the others.

    - `softmax`, `sigmoid`, `sqrtsoftplus`, `gshard`: `dx = dlogit routerᵀ`, and `drouter` is
      the sum over the tokens of `xᵀ dlogit`; of a `biased` router its last
      row is the sum of `dlogit`.
    - `switch` with `jitter`: with `j` the factors of the gate's jitter, drawn
      again from the seed, `dx = j * (dlogit routerᵀ)`, and `drouter` is the
      sum of `(x * j)ᵀ dlogit`.
    - `gshard` with `noise`: with `n` the gate's normal numbers, drawn again,
      and `ds = dlogit * n * sigmoid(x noise)`, `dx` is also given
      `ds noiseᵀ`, and `dnoise` is the sum of `xᵀ ds`.
    - `xmoe`: with `q = x projection` and the columns `r[e]` of the router,
      lengths `|q|` and `|r[e]|`, `u[e] = dlogit[e] / temperature` and the
      cosine `c[e]`: `dq` is the sum over `e` of
      `u[e] (r[e] / (|q| |r[e]|) - c[e] q / |q|²)`, `drouter[e]` the sum over
      the tokens of `u[e] (q / (|q| |r[e]|) - c[e] r[e] / |r[e]|²)`, 0 where
      the product of the lengths is 0; then `dx = dq projectionᵀ`, and
      `dprojection` is the sum of `xᵀ dq`.

    ```mlir
    %dx, %drouter = moe.gate_grad softmax %x, %router by %ids, %dw {normalize}
       : tensor<16x64xbf16>, tensor<64x8xbf16>, tensor<16x2xi32>,
         tensor<16x2xf32>
    %g:3 = moe.gate_grad gshard %x, %router by %ids, %dw
       noise %noise : tensor<64x8xbf16> seed %seed
       : tensor<16x64xbf16>, tensor<64x8xbf16>, tensor<16x2xi32>,
         tensor<16x2xf32> -> tensor<64x8xbf16>
    ```

    **Constraints:** tokens and `dx` `[S, M]`, router and `drouter` `[M, E]`,
    ids and `dw` `[S, k]`; E is static; 1 <= k <= E where static; `scale` is
    finite and positive; `noise`, `projection`, `temperature`, `jitter`,
    `seed` and `biased` as in `moe.gate`; the third result is there with noise or a
    projection, and of its type. At run time ids are in [0, E) and a token's
    are distinct.
  }];
  let arguments = (ins MoE_GateKindAttr:$kind, MoE_FloatTensor:$tokens,
      MoE_FloatTensor:$router, MoE_IndexTensor:$ids,
      MoE_FloatTensor:$cotangent, Optional<MoE_FloatTensor>:$noise,
      Optional<MoE_FloatTensor>:$projection, Optional<I64>:$seed,
      UnitAttr:$normalize, DefaultValuedAttr<F64Attr, "1.0">:$scale,
      OptionalAttr<F64Attr>:$jitter, OptionalAttr<F64Attr>:$temperature,
      UnitAttr:$biased);
  let results = (outs MoE_FloatTensor:$tokens_gradient,
                      MoE_FloatTensor:$router_gradient,
                      Optional<MoE_FloatTensor>:$further_gradient);
  let assemblyFormat = [{
    `` $kind $tokens `,` $router `by` $ids `,` $cotangent
    (`noise` $noise^ `:` type($noise))?
    (`projection` $projection^ `:` type($projection))?
    (`temperature` $temperature^)? (`jitter` $jitter^)? (`seed` $seed^)?
    attr-dict `:` type($tokens) `,` type($router) `,` type($ids) `,`
    type($cotangent) (`->` type($further_gradient)^)?
  }];
  let hasVerifier = 1;
}

def MoE_ExpertChoiceGradOp : MoE_Op<"expert_choice_grad", [
    Pure, AllTypesMatch<["tokens", "tokens_gradient"]>,
    AllTypesMatch<["router", "router_gradient"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "gradient of the weights of experts that choose";
  let description = [{
    With `dw` the gradient of the weights of `moe.expert_choice` of the same
    scores on the same tokens and router, and the slots that it gave, gives the
    gradients of the tokens and of the router. Which tokens an expert took has
    no gradient, nor has a weight where the slot is -1: `dp[s, e]` is 0 there,
    else `dw[s, e]`. With `p` the scores,

    ```
    dlogit[s, e] = p[s, e] * (dp[s, e] - sum of dp p)
    ```

    with the sum over the experts of the token (`over experts`), or over the
    tokens the expert took, and `dlogit` 0 for those it did not take (`over
    tokens`). Then `dx = dlogit routerᵀ` and `drouter = xᵀ dlogit`.

    ```mlir
    %dx, %drouter = moe.expert_choice_grad over experts %x, %router
       by %slots, %dw : tensor<16x64xf32>, tensor<64x8xf32>,
       tensor<16x8xi32>, tensor<16x8xf32>
    ```

    **Constraints:** tokens and `dx` `[S, M]`, router and `drouter` `[M, E]`,
    slots and `dw` `[S, E]`; E is static.
  }];
  let arguments = (ins MoE_ChoiceScoresAttr:$scores, MoE_FloatTensor:$tokens,
      MoE_FloatTensor:$router, MoE_IndexTensor:$slots,
      MoE_FloatTensor:$cotangent);
  let results = (outs MoE_FloatTensor:$tokens_gradient,
                      MoE_FloatTensor:$router_gradient);
  let assemblyFormat = [{
    `over` `` $scores $tokens `,` $router `by` $slots `,` $cotangent attr-dict
    `:` type($tokens) `,` type($router) `,` type($slots) `,` type($cotangent)
  }];
  let hasVerifier = 1;
}

def MoE_SoftGateGradOp : MoE_Op<"soft_gate_grad", [
    Pure, AllTypesMatch<["tokens", "tokens_gradient"]>,
    AllTypesMatch<["router", "router_gradient"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "gradient of the weights of a soft gate";
  let description = [{
    With `ddispatch` and `dcombine` the gradients of the results `d` and `c` of
    `moe.soft_gate` on the same tokens and router, gives the gradients of the
    tokens and of the router:

    ```
    dlogit[s, e, c] = d * (ddispatch - sum over the tokens of ddispatch d)
                    + c * (dcombine - sum over the slots of dcombine c)
    ```

    `dx = dlogit routerᵀ`, `drouter = xᵀ dlogit`. `d` and `c` are computed
    again.

    ```mlir
    %dx, %drouter = moe.soft_gate_grad %x, %router by %ddispatch, %dcombine
       : tensor<16x64xf32>, tensor<64x8x2xf32>, tensor<16x8x2xf32>,
         tensor<16x8x2xf32>
    ```

    **Constraints:** tokens and `dx` `[S, M]`, router and `drouter`
    `[M, E, C]`, `ddispatch` and `dcombine` `[S, E, C]`.
  }];
  let arguments = (ins MoE_FloatTensor:$tokens, MoE_FloatTensor:$router,
      MoE_FloatTensor:$dispatch_cotangent, MoE_FloatTensor:$combine_cotangent);
  let results = (outs MoE_FloatTensor:$tokens_gradient,
                      MoE_FloatTensor:$router_gradient);
  let assemblyFormat = [{
    $tokens `,` $router `by` $dispatch_cotangent `,` $combine_cotangent
    attr-dict `:` type($tokens) `,` type($router) `,`
    type($dispatch_cotangent) `,` type($combine_cotangent)
  }];
  let hasVerifier = 1;
}

def MoE_SoftWgradOp : MoE_Op<"soft_wgrad", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "gradient of a mix with respect to its weights";
  let description = [{
    Element `[s, e, c]` is the dot product of row `s` and the row of slot `c`
    of expert `e`. Of `moe.soft_permute` the rows are its tokens and the buffer is
    the gradient of its result; of `moe.soft_unpermute` the rows are the gradient
    of its result and the buffer is its own.

    ```mlir
    %dw = moe.soft_wgrad %rows, %buffer
       : tensor<16x64xf32>, tensor<4x2x2x64xf32> -> tensor<16x8x2xf32>
    ```

    **Constraints:** rows `[S, M]`, buffer `[experts..., C, M]` of their element
    type with static expert dims of product E, result `[S, E, C]`.
  }];
  let arguments = (ins MoE_FloatTensor:$rows, MoE_FloatTensor:$buffer);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $rows `,` $buffer attr-dict `:` type($rows) `,` type($buffer) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // MOE_GRADIENT_OPS_TD
