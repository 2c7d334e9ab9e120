// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import of upstream's shard dialect.

#ifndef MOE_CONVERSION_SHARD_PASSES_TD
#define MOE_CONVERSION_SHARD_PASSES_TD

include "moe/Support/PassBase.td"

def ConvertShardToMoE
    : MoEPass<"convert-shard-to-moe", "::mlir::ModuleOp"> {
  let summary = "Convert a program in MLIR's shard dialect to moe";
  let description = [{
    *Preserving*. The `shard.grid` becomes a `moe.mesh` whose axes are called
    `axes`, and its collectives become ops of `moe`: `all_to_all`, `all_gather`,
    `all_reduce`, `reduce_scatter`, and `all_slice`, which is `moe.drop`. Where a
    process is, is `moe.group_rank`. Several grids are to be of one shape.

    A function that says shardings (`shard.shard`) is partitioned first, by
    upstream's `sharding-propagation` and `shard-partition`, and `moe.varying` of
    its arguments follows from their shardings, so data that are the same along an
    axis can be sent once. For a function that is partitioned already, only its
    `moe.varying` is known, with the axes of a `moe.mesh` next to the grid: it has
    the grid's shape and becomes the mesh, and `axes` is not given.

    Refused by name are unknown sizes, collectives without an op of `moe`
    (`broadcast`, `shift`, `send`, ...), reductions other than sum, product, min
    and max, and those that change the type.

    ```mlir
    // moe-opt in.mlir --convert-shard-to-moe=axes=ep,tp
    shard.grid @grid(shape = 2x4)
    %r = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 1
    // becomes
    moe.mesh @grid axes ["ep", "tp"] shape [2, 4]
    %r = moe.all_to_all %x on <@grid, ["ep"]> split 1 concat 0
    ```
  }];
  let options = [
    Option<"axes", "axes", "std::string", "",
           "Names of the grid's axes, first to last, as ep,tp (default: "
           "the axes of the module's moe.mesh, else axis0, axis1, ...)">
  ];
  let dependentDialects = [
    "::moe::MoEDialect", "::mlir::arith::ArithDialect",
    "::mlir::shard::ShardDialect"
  ];
}

#endif // MOE_CONVERSION_SHARD_PASSES_TD
