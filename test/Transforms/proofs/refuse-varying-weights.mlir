// Experts that differ along tp do not commute with a gather over it.
// RUN: split-file %s %t
// RUN: moe-opt %t/before.mlir --moe-rewrite-collectives=rules=gather-after-rowwise --remarks-filter=.* 2> %t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK: [Missed] gather-after-rowwise {{.*}}an operand varies over the group of the gather
// RUN: not moe-run %t/forced.mlir --against=%t/before.mlir --symbolic | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: unequal: result 0, rank

// The same in 4 programs, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py refusal varying-weights %t

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:{{.*}}%[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:
// CHECK:       %[[ALL_GATHER:.*]] = moe.all_gather %[[X]] on <@mesh, ["tp"]> dim 2
// CHECK-NEXT:  %[[EXPERTS:.*]] = moe.experts gpt %[[ALL_GATHER]], %[[A]], %[[B]]
// CHECK-NEXT:  return %[[EXPERTS]]

//--- before.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<3x4x5x7xf32> {moe.varying = ["ep", "tp"]},
                %a: tensor<3x7x11xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<3x11x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x4x10x7xf32> {
  %g = moe.all_gather %x on <@mesh, ["tp"]> dim 2 : tensor<3x4x5x7xf32> -> tensor<3x4x10x7xf32>
  %r = moe.experts gpt %g, %a, %b : tensor<3x4x10x7xf32>, tensor<3x7x11xf32>, tensor<3x11x7xf32> -> tensor<3x4x10x7xf32>
  return %r : tensor<3x4x10x7xf32>
}

// By force.
//--- forced.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<3x4x5x7xf32> {moe.varying = ["ep", "tp"]},
                %a: tensor<3x7x11xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<3x11x7xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x4x10x7xf32> {
  %y = moe.experts gpt %x, %a, %b : tensor<3x4x5x7xf32>, tensor<3x7x11xf32>, tensor<3x11x7xf32> -> tensor<3x4x5x7xf32>
  %r = moe.all_gather %y on <@mesh, ["tp"]> dim 2 : tensor<3x4x5x7xf32> -> tensor<3x4x10x7xf32>
  return %r : tensor<3x4x10x7xf32>
}
