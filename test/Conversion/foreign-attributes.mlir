// RUN: moe-opt %s --allow-unregistered-dialect --convert-moe-to-moert | FileCheck %s --check-prefix=MOERT
// RUN: moe-opt %s --allow-unregistered-dialect --convert-moe-to-moert --convert-moert-to-llvm | FileCheck %s

// What other dialects have noted goes with what is made of it.
// MOERT: func.func @main({{.*}}memref<4x4xf32> {test.in}, {{.*}}memref<4x4xf32> {test.out}) attributes {moert.inputs = 2 : i64, {{.*}}test.function = "f"}
// MOERT: moert.dense {{.*}} {test.dense = 1 : i64}
// MOERT: moert.all_to_all {{.*}} {test.exchange}
// CHECK: llvm.call @moert_dense({{.*}}) {test.dense = 1 : i64}
// CHECK: llvm.call @moert_all_to_all({{.*}}) {test.exchange}
// CHECK: llvm.func @moe_main({{.*}}) -> i32 attributes {{{.*}}test.function = "f"}
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4x4xf32> {test.in}, %y: tensor<4x4xf32>) -> (tensor<4x4xf32> {test.out}) attributes {test.function = "f"} {
  %0 = moe.dense "d" %x macs 1 {test.dense = 1 : i64} : tensor<4x4xf32>
  %1 = moe.all_to_all %0 on <@mesh, ["ep"]> split 0 concat 0 {test.exchange} : tensor<4x4xf32> -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
