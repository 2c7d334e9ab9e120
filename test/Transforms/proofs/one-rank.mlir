// Collectives over one rank do nothing.
// RUN: moe-opt %s --canonicalize -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule one-rank %t
moe.mesh @mesh axes ["one", "ep", "tp"] shape [1, 4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       return %[[X]]
func.func @main(%x: tensor<4x5xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<4x5xf32> {
  %a = moe.all_gather %x on <@mesh, ["one"]> dim 0 : tensor<4x5xf32> -> tensor<4x5xf32>
  %b = moe.reduce_scatter %a on <@mesh, ["one"]> dim 0 : tensor<4x5xf32> -> tensor<4x5xf32>
  %c = moe.drop %b on <@mesh, ["one"]> dim 0 : tensor<4x5xf32> -> tensor<4x5xf32>
  %d = moe.all_reduce %c on <@mesh, ["one"]> : tensor<4x5xf32>
  %r = moe.all_to_all %d on <@mesh, ["one"]> split 0 concat 0 : tensor<4x5xf32> -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
