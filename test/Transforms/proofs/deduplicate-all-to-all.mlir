// Ranks along tp hold the same: each sends its part, and the whole is gathered.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=deduplicate-all-to-all -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 20 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule deduplicate-all-to-all %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[DROP:.*]] = moe.drop %[[X]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[DROP]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  %[[ALL_GATHER:.*]] = moe.all_gather %[[ALL_TO_ALL]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  return %[[ALL_GATHER]]
func.func @main(%x: tensor<4x3x10x7xf32> {moe.varying = ["ep"]})
    -> tensor<4x3x10x7xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x3x10x7xf32> -> tensor<4x3x10x7xf32>
  return %r : tensor<4x3x10x7xf32>
}
