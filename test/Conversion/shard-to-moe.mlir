// MLIR's own shard dialect: what it calls its ops here, and which axes they are
// over. Groups keep the order in which axes are named.
// RUN: moe-opt %s --convert-shard-to-moe=axes=ep,tp | FileCheck %s
// RUN: moe-opt %s --convert-shard-to-moe | FileCheck %s --check-prefix=NAMES
// What is the same along an axis is sent once.
// RUN: moe-opt %s --convert-shard-to-moe=axes=ep,tp --moe-decompose-all-to-all \
// RUN:   | FileCheck %s --check-prefix=ONCE
// ONCE-LABEL: func.func @annotated(
// ONCE: moe.drop %{{.*}} on <@grid, ["tp"]>
// ONCE-NEXT: moe.all_to_all
// NAMES: moe.mesh @grid axes ["axis0", "axis1"] shape [2, 4]

// CHECK-NOT: shard.
// CHECK: moe.mesh @grid axes ["ep", "tp"] shape [2, 4]
// CHECK-NOT: moe.mesh
// CHECK-NOT: shard.
shard.grid @grid(shape = 2x4)
shard.grid @same(shape = 2x4)

// CHECK-LABEL: func.func @collectives(
func.func @collectives(%x: tensor<4x16xf32>) -> tensor<4x2xf32> {
  // CHECK: %[[A:.*]] = moe.all_to_all %{{.*}} on <@grid, ["ep"]> split 1 concat 0 {mine = 1 : i64} : tensor<4x16xf32> -> tensor<8x8xf32>
  %a = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 1
       concat_axis = 0 {mine = 1 : i64} : tensor<4x16xf32> -> tensor<8x8xf32>
  // CHECK: %[[B:.*]] = moe.all_gather %[[A]] on <@grid, ["tp", "ep"]> dim 1
  %b = shard.all_gather %a on @same grid_axes = [1, 0] gather_axis = 1
       : tensor<8x8xf32> -> tensor<8x64xf32>
  // CHECK: %[[C:.*]] = moe.all_reduce %[[B]] on <@grid, ["tp"]> reduction max
  %c = shard.all_reduce %b on @grid grid_axes = [1] reduction = max
       : tensor<8x64xf32> -> tensor<8x64xf32>
  // CHECK: %[[D:.*]] = moe.reduce_scatter %[[C]] on <@grid, ["ep"]> dim 0
  %d = shard.reduce_scatter %c on @grid grid_axes = [0] scatter_axis = 0
       : tensor<8x64xf32> -> tensor<4x64xf32>
  // CHECK: %[[E:.*]] = moe.drop %[[D]] on <@grid, ["ep", "tp"]> dim 1
  %e = shard.all_slice %d on @grid grid_axes = [0, 1] slice_axis = 1
       : tensor<4x64xf32> -> tensor<4x8xf32>
  // Over no axis: nothing is exchanged.
  // CHECK: moe.all_reduce %[[E]] on <@grid, []>
  %f = shard.all_reduce %e on @grid : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK: moe.drop %{{.*}} on <@grid, ["tp"]> dim 1
  %g = shard.all_slice %f on @grid grid_axes = [1] slice_axis = 1
       : tensor<4x8xf32> -> tensor<4x2xf32>
  return %g : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @places(
func.func @places() -> (index, index, index, index) {
  // CHECK-DAG: moe.group_rank on <@grid, ["tp"]> : index
  // CHECK-DAG: moe.group_rank on <@grid, ["ep"]> : index
  %t, %e = shard.process_multi_index on @grid axes = [1, 0] : index, index
  // CHECK-DAG: moe.group_rank on <@grid, ["ep", "tp"]> : index
  %all = shard.process_linear_index on @grid : index
  // CHECK-DAG: arith.constant 4 : index
  %size = shard.grid_shape @grid axes = [1] : index
  return %t, %e, %all, %size : index, index, index, index
}

// A function that says shardings becomes one of local tensors, whose arguments
// vary along what they are split along.
// CHECK-LABEL: func.func @annotated(
// CHECK-SAME: tensor<4x16x4xf32> {moe.varying = ["ep"]}) -> tensor<8x8x4xf32>
// CHECK: moe.all_to_all %{{.*}} on <@grid, ["ep"]> split 1 concat 0
func.func @annotated(%x: tensor<8x16x4xf32>) -> tensor<8x16x4xf32> {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<8x16x4xf32>
  %b = shard.shard %a to %columns annotate_for_users : tensor<8x16x4xf32>
  %y = tosa.abs %b : (tensor<8x16x4xf32>) -> tensor<8x16x4xf32>
  %c = shard.shard %y to %columns : tensor<8x16x4xf32>
  return %c : tensor<8x16x4xf32>
}
