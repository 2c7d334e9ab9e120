// No dim divides by the ranks along tp; a tail that is left out stays behind.
// RUN: split-file %s %t
// RUN: moe-opt %t/before.mlir --moe-decompose-all-to-all --remarks-filter=.* 2> %t/remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t/remarks
// REMARK: [Missed] decompose {{.*}}expected a free dim that divides by the 2 ranks along "tp", got dim 2 (11), dim 3 (15), dim 1 (3)
// RUN: not moe-run %t/forced.mlir --against=%t/before.mlir --symbolic | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: unequal: result 0, rank

// The same in 4 programs, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py refusal indivisible-drop-dim %t

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK:       %[[ALL_TO_ALL:.*]] = moe.all_to_all %[[X]] on <@mesh, ["ep"]> split 0 concat 0
// CHECK-NEXT:  return %[[ALL_TO_ALL]]

//--- before.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<4x3x11x15xf32> {moe.varying = ["ep"]})
    -> tensor<4x3x11x15xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x3x11x15xf32> -> tensor<4x3x11x15xf32>
  return %r : tensor<4x3x11x15xf32>
}

// By force.
//--- forced.mlir
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<4x3x11x15xf32> {moe.varying = ["ep"]})
    -> tensor<4x3x11x15xf32> {
  %s = tensor.extract_slice %x[0, 0, 0, 0] [4, 3, 10, 15] [1, 1, 1, 1] : tensor<4x3x11x15xf32> to tensor<4x3x10x15xf32>
  %d = moe.drop %s on <@mesh, ["tp"]> dim 2 : tensor<4x3x10x15xf32> -> tensor<4x3x5x15xf32>
  %y = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x3x5x15xf32> -> tensor<4x3x5x15xf32>
  %g = moe.all_gather %y on <@mesh, ["tp"]> dim 2 : tensor<4x3x5x15xf32> -> tensor<4x3x10x15xf32>
  %r = tensor.insert_slice %g into %x[0, 0, 0, 0] [4, 3, 10, 15] [1, 1, 1, 1] : tensor<4x3x10x15xf32> into tensor<4x3x11x15xf32>
  return %r : tensor<4x3x11x15xf32>
}
