// RUN: moe-opt %s -moe-split-mesh-axis="axis=ep inner=2" | FileCheck %s
// RUN: moe-opt %s -moe-split-mesh-axis="axis=ep inner=2" -o %t.mlir
// RUN: moe-run %t.mlir --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// RUN: not moe-opt %s -moe-split-mesh-axis="axis=ep inner=3" 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not moe-opt %s -moe-split-mesh-axis="axis=ep" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not moe-opt %s -moe-split-mesh-axis="axis=cp inner=2" 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: echo 'moe.mesh @m axes ["ep", "ep_inner"] shape [4, 3]' | not moe-opt -moe-split-mesh-axis="axis=ep inner=2" 2>&1 | FileCheck %s --check-prefix=CLASH
// RUN: echo 'module {}' | not moe-opt -moe-split-mesh-axis="axis=ep inner=2" 2>&1 | FileCheck %s --check-prefix=MESH

// CHECK: moe.mesh @mesh axes ["ep_outer", "ep_inner", "tp"] shape [2, 2, 3]
// PROOF: equal: 12 ranks
// DIVIDE: error: moe-split-mesh-axis: expected inner to divide the 4 ranks along "ep", got 3
// ZERO: error: moe-split-mesh-axis: expected inner to divide the 4 ranks along "ep", got 0
// AXIS: error: moe-split-mesh-axis: expected an axis of the mesh, one of ["ep", "tp"], got "cp"
// CLASH: error: moe-split-mesh-axis: the mesh already has an axis "ep_inner"
// MESH: error: moe-split-mesh-axis: expected a module with a moe.mesh
moe.mesh @mesh axes ["ep", "tp"] shape [4, 3]

// CHECK: func.func @apart() attributes {moe.divergent = ["tp", "ep_outer", "ep_inner"]}
func.func @apart() attributes {moe.divergent = ["tp", "ep"]} {
  return
}

// CHECK: func.func @main(%{{.*}}: tensor<12x5xf32> {moe.varying = ["ep_outer", "ep_inner"]})
// CHECK: moe.all_to_all %{{.*}} on <@mesh, ["tp", "ep_outer", "ep_inner"]>
func.func @main(%x: tensor<12x5xf32> {moe.varying = ["ep"]}) -> tensor<12x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["tp", "ep"]> split 0 concat 0 : tensor<12x5xf32> -> tensor<12x5xf32>
  return %r : tensor<12x5xf32>
}
