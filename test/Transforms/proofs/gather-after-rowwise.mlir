// What treats the gathered dim row by row is done before the gather.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=gather-after-rowwise -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 12 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule gather-after-rowwise %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:{{.*}}%[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:
// CHECK:       %[[EXPERTS:.*]] = moe.experts gpt %[[X]], %[[A]], %[[B]]
// CHECK-NEXT:  %[[ALL_GATHER:.*]] = moe.all_gather %[[EXPERTS]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  return %[[ALL_GATHER]]
func.func @main(%x: tensor<3x4x5x7xf32> {moe.varying = ["ep", "tp"]},
                %a: tensor<3x7x11xf32> {moe.varying = ["ep"]},
                %b: tensor<3x11x7xf32> {moe.varying = ["ep"]})
    -> tensor<3x4x10x7xf32> {
  %g = moe.all_gather %x on <@mesh, ["tp"]> dim 2 : tensor<3x4x5x7xf32> -> tensor<3x4x10x7xf32>
  %r = moe.experts gpt %g, %a, %b : tensor<3x4x10x7xf32>, tensor<3x7x11xf32>, tensor<3x11x7xf32> -> tensor<3x4x10x7xf32>
  return %r : tensor<3x4x10x7xf32>
}
