// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that cut the batch.

#ifndef MOE_TRANSFORMS_BATCHPASSES_TD
#define MOE_TRANSFORMS_BATCHPASSES_TD

include "moe/Support/PassBase.td"

def SplitBatch : MoEPass<"moe-split-batch", "::mlir::ModuleOp"> {
  let summary = "Split the batch into sub-batches that run concurrently "
                "through all layers";
  let description = [{
    *Preserving*, but for `slots=share`. Cuts the tokens of a function with
    layers along whole sequences, as its dense parts state them (`sequences`),
    into as many parts of one size. Each part runs through all layers as
    a chain of ops of its own, marked with `moe.sub_batch`, which `moe-schedule`
    interleaves: while one part's rows are exchanged, another's attention and
    experts compute, in both directions of a training step, whatever layers are
    made into themselves. Values of tokens and their gradients stay bit for bit
    what they are; the gradient of a weight is the sum of what the parts have
    of it, rounded once more a part, and all-reduced once for all of them.

    A layer that drops nothing exchanges the rows of each part by a plan of
    its own, with room for all rows that its part may receive, at most the
    whole one's limit: where the whole has room, the parts have. A layer with a
    number of slots an expert drops tokens by all that came before, and is not
    cut, unless it has one for every token; `slots=share` gives each part its
    share of the slots, which is *changing*: other tokens may be dropped.

    A function that cannot be cut is left as it is, with a missed remark: a gate
    that goes by the numbers of tokens, an op of which nothing says that it
    treats tokens one by one, parts that do not divide the sequences.

    ```mlir
    // moe-opt in.mlir --moe-split-batch=sub-batches=2
    %y = moe.dense "0.attention" %x macs 64 sequences 2 : tensor<8x4xf32>
    // becomes
    %y0 = moe.dense "0.attention" %x0 macs 32 {moe.sub_batch = 0 : i64} : tensor<4x4xf32>
    %y1 = moe.dense "0.attention" %x1 macs 32 {moe.sub_batch = 1 : i64} : tensor<4x4xf32>
    ```
  }];
  let options = [
    Option<"parts", "sub-batches", "::moe::Integer", "2",
           "Number of sub-batches">,
    Option<"slots", "slots", "::moe::SlotSharing", "::moe::SlotSharing::Keep",
           "How to treat layers whose tokens compete for capacity slots",
           "::moe::EnumValues<::moe::SlotSharing>()">
  ];
  let dependentDialects = ["::moe::MoEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // MOE_TRANSFORMS_BATCHPASSES_TD
