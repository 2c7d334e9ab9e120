// An all-to-all over two axes is one over each, on the view that has a dim for
// each.
// RUN: moe-opt %s --moe-rewrite-collectives=rules=split-all-to-all -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 8 ranks

// The same on 12 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule split-all-to-all %t
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[EXPAND_SHAPE:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1, 2], [3], [4]] output_shape [4, 2, 2, 3, 7]
// CHECK-NEXT:  %[[TRANSPOSE:.*]] = moe.transpose %[[EXPAND_SHAPE]] [1, 0, 2, 3, 4]
// CHECK-NEXT:  %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[TRANSPOSE]] on <@mesh, ["tp"]> split 0 concat 0
// CHECK-NEXT:  %[[TRANSPOSE_2:.*]] = moe.transpose %[[ALL_TO_ALL]] [1, 0, 2, 3, 4]
// CHECK-NEXT:  %[[ALL_TO_ALL_2:.*]] = moe.all_to_all %[[TRANSPOSE_2]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  %[[COLLAPSE_SHAPE:.*]] = tensor.collapse_shape %[[ALL_TO_ALL_2]] {{\[\[}}0, 1, 2], [3], [4]]
// CHECK-NEXT:  return %[[COLLAPSE_SHAPE]]
func.func @main(%x: tensor<16x3x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<16x3x7xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0 : tensor<16x3x7xf32> -> tensor<16x3x7xf32>
  return %r : tensor<16x3x7xf32>
}
