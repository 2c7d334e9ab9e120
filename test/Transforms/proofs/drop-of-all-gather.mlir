// A rank's part of what was gathered is what it gave.
// RUN: moe-opt %s --canonicalize -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule drop-of-all-gather %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       return %[[X]]
func.func @main(%x: tensor<3x5xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x5xf32> {
  %g = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<3x5xf32> -> tensor<3x10xf32>
  %r = moe.drop %g on <@mesh, ["tp"]> dim 1 : tensor<3x10xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
