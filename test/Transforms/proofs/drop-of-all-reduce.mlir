// A part of a sum is what a reduce-scatter gives.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=drop-of-all-reduce -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 8 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule drop-of-all-reduce %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[REDUCE_SCATTER:.*]] = moe.reduce_scatter %[[X]] on <@mesh, ["tp"]> dim 1
// CHECK-NEXT:  return %[[REDUCE_SCATTER]]
func.func @main(%x: tensor<3x10xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x5xf32> {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<3x10xf32>
  %r = moe.drop %s on <@mesh, ["tp"]> dim 1 : tensor<3x10xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
