// A gather moves behind an all-to-all over other ranks.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=gather-after-all-to-all -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 8 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule gather-after-all-to-all %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[X]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  %[[ALL_GATHER:.*]] = moe.all_gather %[[ALL_TO_ALL]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  return %[[ALL_GATHER]]
func.func @main(%x: tensor<4x3x5x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<4x3x10x7xf32> {
  %g = moe.all_gather %x on <@mesh, ["tp"]> dim 2 : tensor<4x3x5x7xf32> -> tensor<4x3x10x7xf32>
  %r = moe.all_to_all %g on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x3x10x7xf32> -> tensor<4x3x10x7xf32>
  return %r : tensor<4x3x10x7xf32>
}
