// Two drops of one dim are one over both axes.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=merge-drops -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule merge-drops %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[DROP:.*]] = moe.drop %[[X]] on <@mesh, ["ep", "tp"]> dim 1
// CHECK-NEXT:  return %[[DROP]]
func.func @main(%x: tensor<3x40xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x5xf32> {
  %y = moe.drop %x on <@mesh, ["ep"]> dim 1 : tensor<3x40xf32> -> tensor<3x10xf32>
  %r = moe.drop %y on <@mesh, ["tp"]> dim 1 : tensor<3x10xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
