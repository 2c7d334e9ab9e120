// A mesh beside the grid names its axes, so that a function of local tensors can
// say what is the same on several ranks, which is sent once.
// RUN: moe-opt %s --convert-shard-to-moe --moe-decompose-all-to-all | FileCheck %s --implicit-check-not=shard.
// RUN: moe-opt %s --convert-shard-to-moe -o %t.mlir
// RUN: moe-opt %t.mlir --moe-decompose-all-to-all | moe-run - --against=%t.mlir | FileCheck %s --check-prefix=VALUES

// CHECK: moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]
shard.grid @grid(shape = 2x4)
moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]

// VALUES: equal: 8 ranks
// CHECK-LABEL: func.func @main(
// CHECK: moe.drop %{{.*}} on <@mesh, ["tp"]>
// CHECK-NEXT: moe.all_to_all %{{.*}} on <@mesh, ["ep"]>
func.func @main(%x: tensor<4x8xf32> {moe.varying = ["ep"]}) -> tensor<4x8xf32> {
  %r = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 0
       concat_axis = 0 : tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
