// An all-to-all over all axes leaves none to drop over.
// RUN: split-file %s %t
// RUN: moe-opt %t/before.mlir --moe-decompose-all-to-all --remarks-filter=.* 2> %t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK: [Missed] decompose {{.*}}no mesh axis outside the group to drop over
// RUN: not moe-run %t/forced.mlir --against=%t/before.mlir --symbolic | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: unequal: result 0, rank

// The same in 8 programs, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py refusal overlapping-axes %t

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[X]] on <@mesh, ["ep", "tp"]> split 0 concat 0
// CHECK-NEXT:  return %[[ALL_TO_ALL]]

//--- before.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<8x3x10x7xf32> {moe.varying = []})
    -> tensor<8x3x10x7xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0 : tensor<8x3x10x7xf32> -> tensor<8x3x10x7xf32>
  return %r : tensor<8x3x10x7xf32>
}

// By force.
//--- forced.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<8x3x10x7xf32> {moe.varying = []})
    -> tensor<8x3x10x7xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 2 : tensor<8x3x10x7xf32> -> tensor<8x3x5x7xf32>
  %y = moe.all_to_all %d on <@mesh, ["ep", "tp"]> split 0 concat 0 : tensor<8x3x5x7xf32> -> tensor<8x3x5x7xf32>
  %r = moe.all_gather %y on <@mesh, ["tp"]> dim 2 : tensor<8x3x5x7xf32> -> tensor<8x3x10x7xf32>
  return %r : tensor<8x3x10x7xf32>
}
