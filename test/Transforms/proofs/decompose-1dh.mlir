// One rank of a node collects, the collecting ranks exchange, and each spreads
// what it got inside its node.
// RUN: moe-opt %s --moe-decompose-all-to-all="mode=hierarchical variant=1dh" -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 4 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule decompose-1dh %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       moe.ragged_all_to_all %[[X]] into %{{.*}} on <@mesh, ["tp"]> send(%{{.*}}, %{{.*}}) recv(%{{.*}}, %{{.*}})
// CHECK:       moe.transpose %{{.*}} [1, 0, 2, 3, 4]
// CHECK:       moe.ragged_all_to_all %{{.*}} into %{{.*}} on <@mesh, ["ep"]> send(%{{.*}}, %{{.*}}) recv(%{{.*}}, %{{.*}})
// CHECK:       moe.transpose %{{.*}} [1, 0, 2, 3, 4]
// CHECK:       %[[RAGGED_ALL_TO_ALL_3:.*]] = moe.ragged_all_to_all %{{.*}} into %{{.*}} on <@mesh, ["tp"]> send(%{{.*}}, %{{.*}}) recv(%{{.*}}, %{{.*}})
// CHECK:       return %[[RAGGED_ALL_TO_ALL_3]]
func.func @main(%x: tensor<16x3x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<16x3x7xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0 : tensor<16x3x7xf32> -> tensor<16x3x7xf32>
  return %r : tensor<16x3x7xf32>
}
