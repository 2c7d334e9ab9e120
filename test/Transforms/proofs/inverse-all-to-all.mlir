// What is sent and sent back is where it was.
// RUN: moe-opt %s --canonicalize -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule inverse-all-to-all %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       return %[[X]]
func.func @main(%x: tensor<8x3x5xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<8x3x5xf32> {
  %y = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<8x3x5xf32> -> tensor<2x12x5xf32>
  %r = moe.all_to_all %y on <@mesh, ["ep"]> split 1 concat 0 : tensor<2x12x5xf32> -> tensor<8x3x5xf32>
  return %r : tensor<8x3x5xf32>
}
