// RUN: moe-opt %s -split-input-file -allow-unregistered-dialect -moe-schedule --remarks-filter=moe-schedule 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

moe.mesh @mesh axes ["ep"] shape [2]

// An op of no dialect is a task of its whole name.
// CHECK-LABEL: func.func @no_dialect
// CHECK:         moe.task @compute "x"[0 of 1]
// CHECK-NEXT:      "x"() : () -> ()
func.func @no_dialect(%x: tensor<4xf32>) -> tensor<8xf32> {
  "x"() : () -> ()
  %r = moe.all_gather %x on <@mesh, ["ep"]> dim 0 : tensor<4xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

// Nothing can be cut from a tensor without elements: no slice of it is valid.
// CHECK-LABEL: func.func @no_elements
// CHECK:         moe.pipeline
// REMARK: [Missed] {{.*}}pipelines over empty operands are not supported
func.func @no_elements(%x: tensor<2x3x0xi64>) -> tensor<2x3x0xi64> {
  %r = moe.pipeline degree 2 (%c = %x split 1 : tensor<2x3x0xi64> as tensor<2x?x0xi64>) {
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x?x0xi64> -> tensor<2x?x0xi64>
    moe.yield %a : tensor<2x?x0xi64>
  } -> concat 1 : tensor<2x3x0xi64>
  return %r : tensor<2x3x0xi64>
}

// -----

moe.mesh @mesh axes ["ep"] shape [6]

// A result of known shape does not say how large the operand is.
// CHECK-LABEL: func.func @dynamic_operand
// CHECK-NOT:     moe.schedule
// REMARK: [Missed] {{.*}}dynamic shapes are not supported outside pipelines, got one in moe.all_to_all
func.func @dynamic_operand(%x: tensor<?x5xf32>) -> tensor<2x30xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<?x5xf32> -> tensor<2x30xf32>
  return %r : tensor<2x30xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [6]

// CHECK-LABEL: func.func @too_large
// CHECK-NOT:     moe.schedule
// REMARK: [Missed] {{.*}}expected tensors with fewer than 2^63 elements, got larger ones in moe.all_to_all
func.func @too_large(%x: tensor<9223372036854775807x12xf32>) -> tensor<9223372036854775807x12xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 1 : tensor<9223372036854775807x12xf32> -> tensor<9223372036854775807x12xf32>
  return %r : tensor<9223372036854775807x12xf32>
}
