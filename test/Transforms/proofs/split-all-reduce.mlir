// A sum over servers is one of parts: those of a server, then of its parts on
// all servers.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=split-all-reduce -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 28 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule split-all-reduce %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[ROW:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1]]
// CHECK-NEXT:  %[[PART:.*]] = moe.reduce_scatter %[[ROW]] on <@mesh, ["tp"]> dim 0
// CHECK-NEXT:  %[[SUM:.*]] = moe.all_reduce %[[PART]] on <@mesh, ["ep"]>
// CHECK-NEXT:  %[[ALL:.*]] = moe.all_gather %[[SUM]] on <@mesh, ["tp"]> dim 0
// CHECK-NEXT:  %[[EXPAND_SHAPE:.*]] = tensor.expand_shape %[[ALL]] {{\[\[}}0, 1]] output_shape [3, 10]
// CHECK-NEXT:  return %[[EXPAND_SHAPE]]
func.func @main(%x: tensor<3x10xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x10xf32> {
  %r = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<3x10xf32>
  return %r : tensor<3x10xf32>
}
