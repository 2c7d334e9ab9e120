// Splitting an axis of one mesh leaves the mesh of a module inside alone, though
// it has the same name.
// RUN: moe-opt %s --moe-split-mesh-axis="axis=ep inner=2" | FileCheck %s

// CHECK: module @inner
// CHECK: moe.mesh @mesh axes ["ep"] shape [2]
// CHECK: func.func @f(%{{.*}}: tensor<2xf32> {moe.varying = ["ep"]})
// CHECK: moe.group_rank on <@mesh, ["ep"]>
// CHECK: moe.mesh @mesh axes ["ep_outer", "ep_inner", "tp"] shape [2, 2, 3]
// CHECK: func.func @g(%{{.*}}: tensor<2xf32> {moe.varying = ["ep_outer", "ep_inner"]})
// CHECK: moe.group_rank on <@mesh, ["ep_outer", "ep_inner"]>
module @outer {
  module @inner {
    moe.mesh @mesh axes ["ep"] shape [2]
    func.func @f(%x: tensor<2xf32> {moe.varying = ["ep"]}) -> index {
      %i = moe.group_rank on <@mesh, ["ep"]> : index
      return %i : index
    }
  }
  moe.mesh @mesh axes ["ep", "tp"] shape [4, 3]
  func.func @g(%x: tensor<2xf32> {moe.varying = ["ep"]}) -> index {
    %i = moe.group_rank on <@mesh, ["ep"]> : index
    return %i : index
  }
}
