// Axes of one rank in a group change nothing, so that the gather meets its drop and
// the all-to-all its inverse.
// RUN: moe-opt %s --canonicalize -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule unit-axes %t
moe.mesh @mesh axes ["one", "ep", "uno", "tp"] shape [1, 4, 1, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       return %[[X]]
func.func @main(%x: tensor<4x5x3xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<4x5x3xf32> {
  %g = moe.all_gather %x on <@mesh, ["tp", "one"]> dim 2 : tensor<4x5x3xf32> -> tensor<4x5x6xf32>
  %d = moe.drop %g on <@mesh, ["uno", "tp"]> dim 2 : tensor<4x5x6xf32> -> tensor<4x5x3xf32>
  %a = moe.all_to_all %d on <@mesh, ["one", "ep"]> split 0 concat 0 : tensor<4x5x3xf32> -> tensor<4x5x3xf32>
  %r = moe.all_to_all %a on <@mesh, ["ep", "uno"]> split 0 concat 0 : tensor<4x5x3xf32> -> tensor<4x5x3xf32>
  return %r : tensor<4x5x3xf32>
}
