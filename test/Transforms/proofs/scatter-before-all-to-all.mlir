// A sum is exchanged in parts, each summed up on the rank that sends it.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=scatter-before-all-to-all -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 8 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule scatter-before-all-to-all %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[REDUCE_SCATTER:.*]] = moe.reduce_scatter %[[X]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[REDUCE_SCATTER]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  %[[ALL_GATHER:.*]] = moe.all_gather %[[ALL_TO_ALL]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  return %[[ALL_GATHER]]
func.func @main(%x: tensor<4x3x10x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<4x3x10x7xf32> {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4x3x10x7xf32>
  %r = moe.all_to_all %s on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x3x10x7xf32> -> tensor<4x3x10x7xf32>
  return %r : tensor<4x3x10x7xf32>
}
