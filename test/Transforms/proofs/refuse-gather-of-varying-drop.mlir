// Parts of what differs along tp, gathered again, are not the whole of any rank.
// RUN: split-file %s %t
// RUN: moe-opt %t/before.mlir --moe-rewrite-collectives=rules=all-gather-of-drop --remarks-filter=.* 2> %t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK: [Missed] all-gather-of-drop {{.*}}operand varies over the group
// RUN: not moe-run %t/forced.mlir --against=%t/before.mlir --symbolic | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: unequal: result 0, rank

// The same in 4 programs, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py refusal gather-of-varying-drop %t

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[DROP:.*]] = moe.drop %[[X]] on <@mesh, ["tp"]> dim 1
// CHECK-NEXT:  %[[ALL_GATHER:.*]] = moe.all_gather %[[DROP]] on <@mesh, ["tp"]> dim 1
// CHECK-NEXT:  return %[[ALL_GATHER]]

//--- before.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<3x10xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x10xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 1 : tensor<3x10xf32> -> tensor<3x5xf32>
  %r = moe.all_gather %d on <@mesh, ["tp"]> dim 1 : tensor<3x5xf32> -> tensor<3x10xf32>
  return %r : tensor<3x10xf32>
}

// By force.
//--- forced.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<3x10xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x10xf32> {
  %r = moe.transpose %x [0, 1] : tensor<3x10xf32> -> tensor<3x10xf32>
  return %r : tensor<3x10xf32>
}
