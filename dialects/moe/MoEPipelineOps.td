// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of ops in chunks.
//
// Included by MoEOps.td, so that one run of TableGen sees all ops.

#ifndef MOE_PIPELINE_OPS_TD
#define MOE_PIPELINE_OPS_TD

def OpGroupSchedule : OpDocGroup {
  let summary = "Pipelines and schedules";
  let description = [{
    Ops that say in how many chunks a chain of ops runs, and which streams its
    tasks run on.
  }];
}

/// The stages of chunks in launch order.
def MoE_LaunchOrderAttr : TypedArrayAttrBase<
    MoE_LaunchStageAttr,
    "array of dispatch, gather, scatter, combine and gradients">;

let opDocGroup = OpGroupSchedule in {

// Not a RegionBranchOpInterface: an argument of the region is a chunk of its
// operand and a result combines the yields of all chunks, but passes would
// treat forwarded values as equal (sccp folded a sum of two chunks to one of
// them).
def MoE_PipelineOp : MoE_Op<"pipeline", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "a chain of ops that runs chunk by chunk";
  let description = [{
    Cuts its operands into `degree` chunks, runs the region once per chunk, in
    order, and puts the results together. It is the rolled form: the chunks
    are independent of each other, and a schedule may overlap them.

    - `%c = %x split d`: chunk `i` of `%x`, cut along dim `d`;
    - `%c = %w shared`: the whole operand, for every chunk;
    - result `concat d`: the chunks' values joined along dim `d` in order;
    - result `sum`: the chunks' values added up, first chunk first.

    The region also sees the values around it, whole, for every chunk.

    All split operands have one size along their chunk dim, and so has every
    `concat` result, but for stacks: a chunk dim as long as there are chunks
    holds one slice for each, whatever the chunks' sizes. `sizes` are the
    chunks' sizes; without them the size is cut as evenly as possible, larger
    chunks first. Inside the region a chunk dim is static when all chunks have
    one size, and dynamic otherwise.

    `copies` says where a schedule puts the copies of all-gathers and
    reduce-scatters of the pipeline: `own`, which is meant without it, on a
    stream of their own, so that they overlap with everything else (SPEC MO-4,
    O3); `intra` on the stream of these collectives, in turn with them (O2).

    `order` says in which order a schedule launches the collectives around
    experts (SPEC FS-3, FS-6), one entry for each chunk's turn: `dispatch` is
    its all-to-all before the experts, `gather` other collectives between this
    and the experts, `scatter` other collectives behind the experts, `combine`
    the all-to-all there. `gradients` is for collectives that precede
    the pipeline in its block and give it no value, such as all-reduces of
    gradients. Everything else is launched right before its first user.
    Without `order`, collectives launch all chunks of an op before the next op,
    and local ops finish a chunk first; ops before the pipeline precede both.

    ```mlir
    %r = moe.pipeline degree 2 (%c = %x split 2 : tensor<2x1x8x4xf32>
                                as tensor<2x1x4x4xf32>) {
      %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
         : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
      moe.yield %a : tensor<2x1x4x4xf32>
    } -> concat 2 : tensor<2x1x8x4xf32>
    ```

    **Constraints:** `degree` in [1, 2^20]; at least one split operand; chunk
    dims are static dims of their tensors and have one size, at least
    `degree`, or are `degree` long; as many `sizes` as chunks, each at least 1, that add up to it;
    region arguments and yielded values have the types of the chunks; summed
    results hold floats or signless integers; an `order` holds `dispatch` and
    `combine` once a chunk, `gather` and `scatter` once a chunk or never,
    `gradients` at most once, a chunk's stages in the order dispatch, gather,
    scatter, combine, and the region then holds one `moe.experts` or
    `moe.experts_dgrad`.
  }];
  let arguments = (ins Variadic<AnyType>:$operands, MoE_I64Attr:$degree,
      OptionalAttr<DenseI64ArrayAttr>:$sizes,
      OptionalAttr<MoE_CopyPlacementAttr>:$copies,
      OptionalAttr<MoE_LaunchOrderAttr>:$order,
      // Per operand, the dim it is split along, -1 if shared; per result, the
      // dim it is joined along, -1 if summed.
      DenseI64ArrayAttr:$split_dims, DenseI64ArrayAttr:$concat_dims);
  let results = (outs Variadic<MoE_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The most chunks there may be: schedules hold a task for each.
    static constexpr int64_t kMaxDegree = int64_t(1) << 20;

    /// Size of the split operands along their chunk dims, but for stacks.
    int64_t getChunkedSize();
    /// Whether dim `dim` of an operand's or result's type, -1 for one that is
    /// not cut, holds one slice a chunk instead of what is cut in its size.
    bool isStack(::mlir::Type type, int64_t dim);
    /// The stages that planners write as the letters D, A, R, C and G, for
    /// dispatch, gather, scatter, combine and gradients; nullopt when one is
    /// another letter.
    static ::std::optional<::llvm::SmallVector<::moe::LaunchStage>>
    symbolizeOrder(::llvm::StringRef letters);
    /// The stages of the order; empty without one.
    ::llvm::SmallVector<::moe::LaunchStage> getLaunchStages();
    /// Sizes of all chunks, first to last.
    ::llvm::SmallVector<int64_t> getChunkSizes();
  }];
}

} // opDocGroup

#endif // MOE_PIPELINE_OPS_TD
