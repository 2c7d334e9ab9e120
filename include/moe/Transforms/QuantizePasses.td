// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that send fewer bits.

#ifndef MOE_TRANSFORMS_QUANTIZEPASSES_TD
#define MOE_TRANSFORMS_QUANTIZEPASSES_TD

include "moe/Support/PassBase.td"

def QuantizeDispatch : MoEPass<"moe-quantize-dispatch", "::mlir::ModuleOp"> {
  let summary = "Send tokens to their experts as 8-bit floats";
  let description = [{
    *Changing*: experts see rounded tokens. Where a layer that exchanges rows
    sends tokens to its experts, they become e4m3 before they are sorted, with a
    scale of 32 bits for each block of a row (DeepSeek-V3 has blocks of 128),
    travel so through every exchange to the experts, between nodes and inside of
    them, and are floats of their own type again where experts, or the backward
    pass, read them. Of what comes back, and of gradients, nothing changes:
    they travel as they are.

    No element is farther from what it was than 2^-4 of its magnitude, or than
    2^-10 of its block's scale, which is the block's largest magnitude / 448, and
    the rounding to its type. (Of numbers drawn evenly or normally, in blocks of
    128, the root of the mean square of the error is 2.5 and 2.6 % of theirs.)
    Bytes sent are 1 + 4 / block an element, in place of 2 of bf16.

    It comes behind the choice of the exchange (`moe-decompose-all-to-all`, also
    in mode `nodes`) and before chunks (`moe-pipeline`) and schedules, and says
    by a missed remark why a layer stays as it is.

    ```mlir
    // moe-opt in.mlir --moe-quantize-dispatch=block=4
    %rows, %slots = moe.permute_rows choice %x by %ids experts 4
    %in = moe.ragged_all_to_all %rows into %e1 on <@mesh, ["ep"]>
    // becomes
    %values, %scales = moe.quantize %x block 4
    %rows, %slots = moe.permute_rows choice %values by %ids experts 4
    %s, %more = moe.permute_rows choice %scales by %ids experts 4
    %v = moe.ragged_all_to_all %rows into
    %t = moe.ragged_all_to_all %s into
    %in = moe.dequantize %v scales %t block 4
    ```
  }];
  let options = [
    Option<"block", "block", "::moe::Integer", "128",
           "Elements per scale within a row; 0: one scale per row">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect"];
}

#endif // MOE_TRANSFORMS_QUANTIZEPASSES_TD
