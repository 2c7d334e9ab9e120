// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Further modules of MoE layers.
//
// Gates with a result other than a list of experts per token, and the points
// for users' own ops. Included at the end of MoEOps.td, so that one run of
// TableGen sees all ops of the dialect.

#ifndef MOE_MODULE_OPS_TD
#define MOE_MODULE_OPS_TD

def OpGroupFurtherModules : OpDocGroup {
  let summary = "Further modules of a layer";
  let description = [{
    Gates that choose tokens for experts or mix tokens, and hooks (SPEC FS-12).
  }];
}

let opDocGroup = OpGroupFurtherModules in {

def MoE_ExpertChoiceOp : MoE_Op<"expert_choice", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "choice of tokens for each expert";
  let description = [{
    Every expert takes the `capacity` tokens with the best scores, so that all
    experts get as many (Expert-Choice routing). Scores come from
    `logits = tokens x router`:

    - `over experts`: a token's softmax over all experts (Zhou et al. 2022);
    - `over tokens`: an expert takes the tokens with its best logits; scores
      are the softmax over the logits it took (FSMoE, section 2.1).

    `slots[s, e]` is `e * C + c` when token `s` is choice `c` of expert `e`,
    best first, and -1 when `e` did not take it; C is `capacity`.
    `weights[s, e]` is then the score, else 0. `moe.scatter` by the slots
    makes the experts' buffer, and `moe.unpermute` brings its rows back.

    A logit is the sum over the hidden dim, ascending, of products of 64-bit
    floats; a softmax is `exp(x - max)` over the sum of all these, ascending.
    Weights are rounded once. On equal scores the token with the lower number
    wins; a NaN loses against every number. With fewer tokens than `capacity`
    all are taken and the last slots of each expert stay free; with capacity 0
    none is. There is no overflow: a token may be taken by no expert, or by
    all. A softmax over values among which is a NaN or plus infinity, or over
    nothing but minus infinity, is NaN throughout.

    The tokens compete: this op cannot be cut along the tokens, and the ranks
    of a group choose among their own tokens.

    ```mlir
    %slots, %weights = moe.expert_choice over experts %x, %router capacity 4
       : tensor<16x64xf32>, tensor<64x8xf32>
       -> tensor<16x8xi32>, tensor<16x8xf32>
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E]`, results `[S, E]`; E is
    static; `capacity` is at least 0, and the slots hold
    `E * capacity - 1`.
  }];
  let arguments = (ins MoE_ChoiceScoresAttr:$scores, MoE_FloatTensor:$tokens,
      MoE_FloatTensor:$router, MoE_I64Attr:$capacity);
  let results = (outs MoE_IndexTensor:$slots, MoE_FloatTensor:$weights);
  let assemblyFormat = [{
    `over` `` $scores $tokens `,` $router `capacity` $capacity attr-dict `:`
    type($tokens) `,` type($router) `->` type($slots) `,` type($weights)
  }];
  let hasVerifier = 1;
}

def MoE_SoftGateOp : MoE_Op<"soft_gate", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "how tokens mix into slots, and slots into tokens";
  let description = [{
    SoftMoE (Puigcerver et al. 2023) chooses nothing: every slot of every
    expert gets a mix of all tokens, and every token a mix of all slots. From
    `logits[s, e, c]`, the sum over `m` of `tokens[s, m] * router[m, e, c]`,

    - `dispatch[s, e, c]` is the softmax over the tokens `s`, slot by slot;
    - `combine[s, e, c]` is the softmax over all slots `(e, c)`, token by
      token.

    Sums run over ascending numbers in 64-bit floats, a softmax is
    `exp(x - max)` over the sum of all these; results are rounded once. A NaN
    or an infinite logit (minus infinity alone among others excepted, which
    weighs 0) makes the softmax it is part of NaN: the slot's dispatch weights
    and the token's combine weights, no others. Without tokens or without
    slots the results are empty.

    ```mlir
    %dispatch, %combine = moe.soft_gate %x, %router
       : tensor<16x64xf32>, tensor<64x8x2xf32>
       -> tensor<16x8x2xf32>, tensor<16x8x2xf32>
    ```

    **Constraints:** tokens `[S, M]`, router `[M, E, C]`, results `[S, E, C]`.
  }];
  let arguments = (ins MoE_FloatTensor:$tokens, MoE_FloatTensor:$router);
  let results = (outs MoE_FloatTensor:$dispatch, MoE_FloatTensor:$combine);
  let assemblyFormat = [{
    $tokens `,` $router attr-dict `:` type($tokens) `,` type($router) `->`
    type($dispatch) `,` type($combine)
  }];
  let hasVerifier = 1;
}

def MoE_SoftPermuteOp : MoE_Op<"soft_permute", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "mix tokens into slots";
  let description = [{
    Slot `c` of expert `e` becomes the sum over all tokens `s`, ascending, of
    `weights[s, e, c]` times token `s`, in 64-bit floats, rounded once; 0
    without tokens. The buffer's leading dims together number the experts.

    ```mlir
    %buffer = moe.soft_permute %x by %dispatch
       : tensor<16x64xf32>, tensor<16x8x2xf32> -> tensor<4x2x2x64xf32>
    ```

    **Constraints:** tokens `[S, M]`, weights `[S, E, C]`, the buffer
    `[experts..., C, M]` of the tokens' element type, its expert dims static
    with product E.
  }];
  let arguments = (ins MoE_FloatTensor:$tokens, MoE_FloatTensor:$weights);
  let results = (outs MoE_FloatTensor:$buffer);
  let assemblyFormat = [{
    $tokens `by` $weights attr-dict `:` type($tokens) `,` type($weights) `->`
    type($buffer)
  }];
  let hasVerifier = 1;
}

def MoE_SoftUnpermuteOp : MoE_Op<"soft_unpermute", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "mix slots into tokens";
  let description = [{
    Token `s` becomes the sum over all slots `(e, c)`, ascending, of
    `weights[s, e, c]` times the slot's row, in 64-bit floats, rounded once; 0
    without slots.

    ```mlir
    %y = moe.soft_unpermute %buffer by %combine
       : tensor<4x2x2x64xf32>, tensor<16x8x2xf32> -> tensor<16x64xf32>
    ```

    **Constraints:** buffer `[experts..., C, M]` with static expert dims of
    product E, weights `[S, E, C]`, result `[S, M]` of the buffer's element
    type.
  }];
  let arguments = (ins MoE_FloatTensor:$buffer, MoE_FloatTensor:$weights);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $buffer `by` $weights attr-dict `:` type($buffer) `,` type($weights) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def MoE_HookOp : MoE_Op<"hook", [
    Pure, AllTypesMatch<["operand", "result"]>,
    DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "a point of a layer at which users put ops of their own";
  let description = [{
    Names one of the six points of a layer (FSMoE, section 3; SPEC FS-12) and
    hands its operand on unchanged. It takes no time, moves nothing and is
    nothing at run time; it is there to be found. Ops of a user's own go
    behind it and take its result; `docs/how-to/your-own-ops.md` describes
    how passes treat them. Only `moe-strip-hooks` removes hooks.

    - `before_moe_start`: the tokens as the layer gets them;
    - `before_dispatch`: the slots that the dispatch sends;
    - `after_dispatch`: the slots it has received;
    - `before_combine`: the experts' results that the combine sends;
    - `after_combine`: the results it has received;
    - `before_moe_end`: the tokens as the layer gives them.

    ```mlir
    %s = moe.hook before_dispatch %slots : tensor<4x2x16x64xbf16>
    ```
  }];
  let arguments = (ins MoE_HookPointAttr:$point, MoE_Tensor:$operand);
  let results = (outs MoE_Tensor:$result);
  let assemblyFormat = "`` $point $operand attr-dict `:` type($operand)";
}

} // opDocGroup

#endif // MOE_MODULE_OPS_TD
