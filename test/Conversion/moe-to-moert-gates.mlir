// RUN: moe-opt %s --convert-moe-to-moert | FileCheck %s
// RUN: moe-opt %s --convert-moe-to-moert --convert-moert-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @gates
// CHECK: moert.gate %{{.*}} softmax ins(%[[X:.*]], %[[R:.*]] : {{.*}}) seed(%{{.*}} : memref<i64>) outs({{.*}}) top_k 1 {jitter = 1.000000e-01 : f64}
// CHECK: moert.gate %{{.*}} gshard ins(%[[X]], %[[R]] : {{.*}}) noise(%{{.*}} : memref<6x3xbf16>) seed(%{{.*}} : memref<i64>) outs({{.*}}) top_k 2
// CHECK: moert.gate %{{.*}} xmoe ins(%[[X]], %{{.*}}) projection(%{{.*}} : memref<6x2xf32>) outs({{.*}}) top_k 2 {temperature = 1.000000e-01 : f64}
// LLVM-LABEL: llvm.func @moe_gates
// LLVM-COUNT-3: llvm.call @moert_gate(
func.func @gates(%x: tensor<4x6xf32>, %r: tensor<6x3xf32>, %n: tensor<6x3xbf16>, %q: tensor<2x3xf32>, %p: tensor<6x2xf32>, %t: i64) -> (tensor<4x1xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %s = arith.constant 7 : i64
  %0:2 = moe.gate switch %x, %r jitter 0.1 seed %s top_k 1 : tensor<4x6xf32>, tensor<6x3xf32> -> tensor<4x1xi32>, tensor<4x1xf32>
  %1:2 = moe.gate gshard %x, %r noise %n : tensor<6x3xbf16> seed %t top_k 2 : tensor<4x6xf32>, tensor<6x3xf32> -> tensor<4x2xi32>, tensor<4x2xf32>
  %2:2 = moe.gate xmoe %x, %q projection %p : tensor<6x2xf32> temperature 0.1 top_k 2 : tensor<4x6xf32>, tensor<2x3xf32> -> tensor<4x2xi32>, tensor<4x2xf32>
  return %0#1, %1#1, %2#1 : tensor<4x1xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @mixes
// CHECK: moert.expert_choice %{{.*}} experts ins({{.*}}) outs({{.*}}) capacity 2
// CHECK: moert.soft_gate
// CHECK: moert.soft_permute
// CHECK: moert.soft_unpermute
// LLVM-LABEL: llvm.func @moe_mixes
// LLVM: llvm.call @moert_expert_choice
// LLVM: llvm.call @moert_soft_gate
// LLVM: llvm.call @moert_soft_order
// LLVM: llvm.call @moert_soft_unorder
func.func @mixes(%x: tensor<4x6xf32>, %r: tensor<6x3xf32>, %q: tensor<6x3x2xf32>) -> (tensor<4x3xf32>, tensor<4x6xf32>) {
  %i, %w = moe.expert_choice over experts %x, %r capacity 2 : tensor<4x6xf32>, tensor<6x3xf32> -> tensor<4x3xi32>, tensor<4x3xf32>
  %d, %c = moe.soft_gate %x, %q : tensor<4x6xf32>, tensor<6x3x2xf32> -> tensor<4x3x2xf32>, tensor<4x3x2xf32>
  %b = moe.soft_permute %x by %d : tensor<4x6xf32>, tensor<4x3x2xf32> -> tensor<3x2x6xf32>
  %y = moe.soft_unpermute %b by %c : tensor<3x2x6xf32>, tensor<4x3x2xf32> -> tensor<4x6xf32>
  return %w, %y : tensor<4x3xf32>, tensor<4x6xf32>
}
