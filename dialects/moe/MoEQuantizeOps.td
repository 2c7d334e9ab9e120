// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantized rows.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_QUANTIZE_OPS_TD
#define MOE_QUANTIZE_OPS_TD

def OpGroupQuantize : OpDocGroup {
  let summary = "Rows of fewer bits";
  let description = [{
    Tokens may be sent to their experts as floats of 8 bits, e4m3, with a scale of 32
    bits for each block of a row, and return as they are (DeepSeek-V3 sends
    blocks of 128): half the bytes of bf16 on the way there, for an error of at
    most one part in 16. Two tensors of the same rows are sent:

    ```mlir
    %q, %s   = moe.quantize %x block 128       // [S, M] and [S, M / 128]
    %r, %t   = moe.permute_rows choice %q by %ids experts 4
    %u, %v   = moe.permute_rows choice %s by %ids experts 4
    %in      = moe.ragged_all_to_all %r into ...
    %scales  = moe.ragged_all_to_all %u into ...
    %tokens  = moe.dequantize %in scales %scales block 128
    %y       = moe.experts gpt %tokens runs(...), ...
    ```

    This is another program than the one without it, and other numbers:
    `moe-quantize-dispatch` reports it.
  }];
}

let opDocGroup = OpGroupQuantize in {

def MoE_QuantizeOp : MoE_Op<"quantize", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "rows as e4m3, with a scale for each block of a row";
  let description = [{
    Each row is cut into blocks of `block` elements, the last one with the
    rest. With `a` the largest magnitude of a block, its scale is `a / 448`, as a
    32-bit float, but at least 2^-126, and its elements are `x / scale`, as a
    32-bit float and then to the nearest number of e4m3, ties to even; larger
    values become 448. So `values * scales` is no farther from `x` than 2^-4
    of its magnitude, or than 2^-10 of the scale, and the rounding of the
    product. A block with an infinity or a NaN is NaN, its scale included.

    ```mlir
    %values, %scales = moe.quantize %x block 128
       : tensor<16x320xbf16> -> tensor<16x320xf8E4M3FN>, tensor<16x3xf32>
    ```

    **Constraints:** the block has at least one element; x `[S, M]` of f32, f16
    or bf16 with a static M, values `[S, M]` of f8E4M3FN, scales
    `[S, ceil(M / block)]` of f32.
  }];
  let arguments = (ins MoE_FloatTensor:$x, MoE_I64Attr:$block);
  let results = (outs MoE_FloatTensor:$values, MoE_FloatTensor:$scales);
  let assemblyFormat = [{
    $x `block` $block attr-dict `:` type($x) `->` type($values) `,`
    type($scales)
  }];
  let hasVerifier = 1;
}

def MoE_DequantizeOp : MoE_Op<"dequantize", [
    Pure, DeclareOpInterfaceMethods<MoE_DimMapOpInterface>]> {
  let summary = "rows of e4m3 times the scales of their blocks";
  let description = [{
    The values of `quantize`, as floats again: each element times the scale of
    its block, as a 32-bit float, rounded to the result's elements.

    ```mlir
    %x = moe.dequantize %values scales %scales block 128
       : tensor<16x320xf8E4M3FN>, tensor<16x3xf32> -> tensor<16x320xbf16>
    ```

    **Constraints:** as of `quantize`, with the result in the place of x.
  }];
  let arguments = (ins MoE_FloatTensor:$values, MoE_FloatTensor:$scales,
                       MoE_I64Attr:$block);
  let results = (outs MoE_FloatTensor:$result);
  let assemblyFormat = [{
    $values `scales` $scales `block` $block attr-dict `:` type($values) `,`
    type($scales) `->` type($result)
  }];
  let hasVerifier = 1;
}

} // opDocGroup

#endif // MOE_QUANTIZE_OPS_TD
