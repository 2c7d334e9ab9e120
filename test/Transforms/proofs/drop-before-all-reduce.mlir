// Only the part that a rank keeps is summed up.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=drop-before-all-reduce -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule drop-before-all-reduce %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[DROP:.*]] = moe.drop %[[X]] on <@mesh, ["tp"]> dim 1
// CHECK-NEXT:  %[[ALL_REDUCE:.*]] = moe.all_reduce %[[DROP]] on <@mesh, ["ep"]>
// CHECK-NEXT:  return %[[ALL_REDUCE]]
func.func @main(%x: tensor<3x10xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x5xf32> {
  %s = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<3x10xf32>
  %r = moe.drop %s on <@mesh, ["tp"]> dim 1 : tensor<3x10xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
