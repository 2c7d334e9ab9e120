// Two gathers of one dim are one over both axes, the later one outside.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=merge-all-gathers -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 8 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule merge-all-gathers %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[ALL_GATHER:.*]] = moe.all_gather %[[X]] on <@mesh, ["ep", "tp"]> dim 1
// CHECK-NEXT:  return %[[ALL_GATHER]]
func.func @main(%x: tensor<3x5xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x40xf32> {
  %y = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<3x5xf32> -> tensor<3x10xf32>
  %r = moe.all_gather %y on <@mesh, ["ep"]> dim 1 : tensor<3x10xf32> -> tensor<3x40xf32>
  return %r : tensor<3x40xf32>
}
