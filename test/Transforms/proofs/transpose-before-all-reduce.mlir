// Elements may change places before they are summed up.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=transpose-before-all-reduce -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule transpose-before-all-reduce %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[TRANSPOSE:.*]] = moe.transpose %[[X]] [1, 0, 2, 3]
// CHECK-NEXT:  %[[ALL_REDUCE:.*]] = moe.all_reduce %[[TRANSPOSE]] on <@mesh, ["tp"]>
// CHECK-NEXT:  return %[[ALL_REDUCE]]
func.func @main(%x: tensor<4x3x5x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x4x5x7xf32> {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4x3x5x7xf32>
  %r = moe.transpose %s [1, 0, 2, 3] : tensor<4x3x5x7xf32> -> tensor<3x4x5x7xf32>
  return %r : tensor<3x4x5x7xf32>
}
