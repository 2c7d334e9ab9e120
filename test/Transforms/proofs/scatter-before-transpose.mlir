// Only the part that a rank keeps is transposed.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=scatter-before-transpose -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule scatter-before-transpose %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[REDUCE_SCATTER:.*]] = moe.reduce_scatter %[[X]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[TRANSPOSE:.*]] = moe.transpose %[[REDUCE_SCATTER]] [2, 0, 1, 3]
// CHECK-NEXT:  return %[[TRANSPOSE]]
func.func @main(%x: tensor<4x3x10x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<5x4x3x7xf32> {
  %y = moe.transpose %x [2, 0, 1, 3] : tensor<4x3x10x7xf32> -> tensor<10x4x3x7xf32>
  %r = moe.reduce_scatter %y on <@mesh, ["tp"]> dim 0 : tensor<10x4x3x7xf32> -> tensor<5x4x3x7xf32>
  return %r : tensor<5x4x3x7xf32>
}
