// A dim that the all-to-all splits cannot be dropped.
// RUN: split-file %s %t
// RUN: moe-opt %t/before.mlir --moe-decompose-all-to-all=drop-dim=0 --remarks-filter=.* 2> %t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK: [Missed] decompose {{.*}}expected a drop dim that is neither the split nor the concat dim and below rank 4, got 0
// RUN: not moe-run %t/forced.mlir --against=%t/before.mlir --symbolic | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: unequal: result 0, rank

// The same in 1 programs, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py refusal drop-dim-is-split-dim %t

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[X]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  return %[[ALL_TO_ALL]]

//--- before.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<8x3x10x7xf32> {moe.varying = ["ep"]})
    -> tensor<8x3x10x7xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x3x10x7xf32> -> tensor<8x3x10x7xf32>
  return %r : tensor<8x3x10x7xf32>
}

// By force.
//--- forced.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<8x3x10x7xf32> {moe.varying = ["ep"]})
    -> tensor<8x3x10x7xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 0 : tensor<8x3x10x7xf32> -> tensor<4x3x10x7xf32>
  %y = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x3x10x7xf32> -> tensor<4x3x10x7xf32>
  %r = moe.all_gather %y on <@mesh, ["tp"]> dim 0 : tensor<4x3x10x7xf32> -> tensor<8x3x10x7xf32>
  return %r : tensor<8x3x10x7xf32>
}
