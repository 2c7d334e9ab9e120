// Parts of a sum gathered are the sum.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=all-gather-of-reduce-scatter -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule all-gather-of-reduce-scatter %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[ALL_REDUCE:.*]] = moe.all_reduce %[[X]] on <@mesh, ["tp"]>
// CHECK-NEXT:  return %[[ALL_REDUCE]]
func.func @main(%x: tensor<3x10xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x10xf32> {
  %d = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 1 : tensor<3x10xf32> -> tensor<3x5xf32>
  %r = moe.all_gather %d on <@mesh, ["tp"]> dim 1 : tensor<3x5xf32> -> tensor<3x10xf32>
  return %r : tensor<3x10xf32>
}
