// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense parts and their gradients.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_DENSE_OPS_TD
#define MOE_DENSE_OPS_TD

let opDocGroup = OpGroupTraining in {

class MoE_DenseBase<string mnemonic, list<Trait> traits>
    : MoE_Op<mnemonic, [
        Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>] # traits> {
  let hasVerifier = 1;
}

def MoE_DenseOp : MoE_DenseBase<"dense", [
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "a part of a model between its MoE layers, of stated cost";
  let description = [{
    Stands for a dense part of a model (attention, a dense feed-forward block)
    whose weights are not modeled: `macs` multiply-accumulates of this rank in
    `gemms` GEMMs, or `us` microseconds where these are stated, whatever the
    machine.

    So that programs with it have a meaning, its value is its operand over
    `parts`, rounded: the share of one of so many ranks among which the part is
    split, so that the sum over these ranks is the operand. A proof on terms
    takes it as an unknown function, told apart by its attributes, of the rows
    of a sequence.

    Rows belong to `sequences` sequences, and rows of one sequence never
    depend on rows of another: along them the op may be cut, each part with
    its share of `macs` and `us`. Where the rows were
    gathered from `shards` ranks that each hold a piece of every sequence, they
    are `[shards, sequences, S / (shards * sequences)]`, outermost first.

    ```mlir
    %y = moe.dense "3.attention" %x macs 65536 gemms 6 parts 4 sequences 2
       : tensor<16x64xbf16>
    ```

    **Constraints:** the name is not empty; rows `[S, M]`; `macs` at least 0,
    `gemms`, `parts`, `sequences` and `shards` (each 1 unless stated) at least
    1, `sequences * shards` a divisor of `S`; `us` finite and at least 0.
  }];
  let arguments = (ins StrAttr:$name, MoE_FloatTensor:$operand,
      MoE_I64Attr:$macs, DefaultValuedAttr<MoE_I64Attr, "1">:$gemms,
      DefaultValuedAttr<MoE_I64Attr, "1">:$parts,
      DefaultValuedAttr<MoE_I64Attr, "1">:$sequences,
      DefaultValuedAttr<MoE_I64Attr, "1">:$shards, OptionalAttr<F64Attr>:$us);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $name $operand `macs` $macs (`gemms` $gemms^)? (`parts` $parts^)?
    (`sequences` $sequences^)? (`shards` $shards^)? (`us` $us^)? attr-dict `:` type($operand)
  }];
}

def MoE_DenseDgradOp : MoE_DenseBase<"dense_dgrad", [
    AllTypesMatch<["tokens", "cotangent", "result"]>]> {
  let summary = "gradient of a dense part with respect to its operand";
  let description = [{
    With `dy` the gradient of the result of `moe.dense` at the operand `x`,
    gives the gradient of `x`. Its value is `dy` over `parts`, rounded, as the
    value of `moe.dense` has it; on terms it is an unknown function of a
    sequence's rows of `x` and `dy`.

    ```mlir
    %dx = moe.dense_dgrad "3.attention" %dy at %x macs 65536 gemms 6
       : tensor<16x64xbf16>
    ```

    **Constraints:** as for `moe.dense`; `dy` and the result have the type of
    `x`.
  }];
  let arguments = (ins StrAttr:$name, MoE_FloatTensor:$cotangent,
      MoE_FloatTensor:$tokens, MoE_I64Attr:$macs,
      DefaultValuedAttr<MoE_I64Attr, "1">:$gemms,
      DefaultValuedAttr<MoE_I64Attr, "1">:$parts,
      DefaultValuedAttr<MoE_I64Attr, "1">:$sequences,
      DefaultValuedAttr<MoE_I64Attr, "1">:$shards, OptionalAttr<F64Attr>:$us);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $name $cotangent `at` $tokens `macs` $macs (`gemms` $gemms^)?
    (`parts` $parts^)? (`sequences` $sequences^)? (`shards` $shards^)?
    (`us` $us^)? attr-dict `:` type($tokens)
  }];
}

def MoE_DenseWgradOp : MoE_DenseBase<"dense_wgrad", [
    AllTypesMatch<["tokens", "cotangent"]>]> {
  let summary = "gradient of a dense part with respect to its weights";
  let description = [{
    Stands for the gradient of all weights of a dense part, one vector of as
    many elements as it has parameters on this rank. Element `p` of its value
    is, for rows of `M` elements, the sum over the rows `s` of

    ```
    x[s, p mod M] * dy[s, (p / M) mod M]
    ```

    so that it depends on both operands and, like the gradient that it represents,
    adds up over ranks that hold other rows. On terms it is a sum over the
    sequences, of an unknown function of a sequence's rows of `x` and `dy`.

    ```mlir
    %dw = moe.dense_wgrad "3.attention" %dy at %x macs 65536 gemms 4
       : tensor<16x64xbf16> -> tensor<4096xbf16>
    ```

    **Constraints:** as for `moe.dense`; `dy` has the type of `x`; the result is a
    vector of its elements, or of f32 if they are narrower.
  }];
  let arguments = (ins StrAttr:$name, MoE_FloatTensor:$cotangent,
      MoE_FloatTensor:$tokens, MoE_I64Attr:$macs,
      DefaultValuedAttr<MoE_I64Attr, "1">:$gemms,
      DefaultValuedAttr<MoE_I64Attr, "1">:$sequences,
      DefaultValuedAttr<MoE_I64Attr, "1">:$shards, OptionalAttr<F64Attr>:$us);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $name $cotangent `at` $tokens `macs` $macs (`gemms` $gemms^)?
    (`sequences` $sequences^)? (`shards` $shards^)? (`us` $us^)? attr-dict `:` type($tokens) `->` type($result)
  }];
}

} // opDocGroup

#endif // MOE_DENSE_OPS_TD
