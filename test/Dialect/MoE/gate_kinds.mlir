// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @switch
// GENERIC: "moe.gate"(%{{.*}}, %{{.*}}) <{kind = #moe<gate_kind switch>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, scale = 1.000000e+00 : f64, top_k = 1 : i64}>
func.func @switch(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>)
    -> (tensor<16x1xi32>, tensor<16x1xf32>) {
  // CHECK: moe.gate switch %{{.*}}, %{{.*}} top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  %i, %w = moe.gate switch %x, %r top_k 1
     : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return %i, %w : tensor<16x1xi32>, tensor<16x1xf32>
}

// CHECK-LABEL: func.func @switch_with_jitter
// GENERIC: jitter = 1.000000e-02 : f64, kind = #moe<gate_kind switch>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>
func.func @switch_with_jitter(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>,
                              %seed: i64)
    -> (tensor<16x1xi32>, tensor<16x1xf32>) {
  // CHECK: moe.gate switch %{{.*}}, %{{.*}} jitter 1.000000e-02 seed %{{.*}} top_k 1 : tensor<16x64xf32>
  %i, %w = moe.gate switch %x, %r jitter 0.01 seed %seed top_k 1
     : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return %i, %w : tensor<16x1xi32>, tensor<16x1xf32>
}

// CHECK-LABEL: func.func @gshard
func.func @gshard(%x: tensor<?x64xf32>, %r: tensor<64x8xf32>,
                  %noise: tensor<64x8xbf16>, %seed: i64)
    -> (tensor<?x2xi32>, tensor<?x2xf32>, tensor<?x8xi32>, tensor<?x8xf32>) {
  // CHECK: moe.gate gshard %{{.*}}, %{{.*}} noise %{{.*}} : tensor<64x8xbf16> seed %{{.*}} top_k 2 : tensor<?x64xf32>
  %i, %w = moe.gate gshard %x, %r noise %noise : tensor<64x8xbf16> seed %seed
     top_k 2
     : tensor<?x64xf32>, tensor<64x8xf32> -> tensor<?x2xi32>, tensor<?x2xf32>
  // Without noise there is nothing to draw.
  // CHECK: moe.gate gshard %{{.*}}, %{{.*}} top_k 8 {scale = 2.000000e+00 : f64} : tensor<?x64xf32>
  %j, %v = moe.gate gshard %x, %r top_k 8 {scale = 2.0 : f64}
     : tensor<?x64xf32>, tensor<64x8xf32> -> tensor<?x8xi32>, tensor<?x8xf32>
  return %i, %w, %j, %v
     : tensor<?x2xi32>, tensor<?x2xf32>, tensor<?x8xi32>, tensor<?x8xf32>
}

// The router's columns are compared with the projected tokens.
// CHECK-LABEL: func.func @xmoe
func.func @xmoe(%x: tensor<16x64xf32>, %r: tensor<4x8xf32>,
                %p: tensor<64x4xf32>) -> (tensor<16x2xi32>, tensor<16x2xf32>) {
  // CHECK: moe.gate xmoe %{{.*}}, %{{.*}} projection %{{.*}} : tensor<64x4xf32> temperature 7.000000e-02 top_k 2 {normalize} : tensor<16x64xf32>, tensor<4x8xf32>
  %i, %w = moe.gate xmoe %x, %r projection %p : tensor<64x4xf32>
     temperature 0.07 top_k 2 {normalize}
     : tensor<16x64xf32>, tensor<4x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return %i, %w : tensor<16x2xi32>, tensor<16x2xf32>
}

// CHECK-LABEL: func.func @expert_choice
func.func @expert_choice(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>,
                         %any: tensor<?x64xf32>)
    -> (tensor<16x8xi32>, tensor<16x8xf32>, tensor<?x8xi8>, tensor<?x8xf16>) {
  // CHECK: moe.expert_choice over experts %{{.*}}, %{{.*}} capacity 4 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8xi32>, tensor<16x8xf32>
  %s, %w = moe.expert_choice over experts %x, %r capacity 4
     : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8xi32>, tensor<16x8xf32>
  // 8 experts of 16 slots: number 127 is the last that i8 holds.
  // CHECK: moe.expert_choice over tokens %{{.*}}, %{{.*}} capacity 16 : tensor<?x64xf32>, tensor<64x8xf32> -> tensor<?x8xi8>, tensor<?x8xf16>
  %t, %v = moe.expert_choice over tokens %any, %r capacity 16
     : tensor<?x64xf32>, tensor<64x8xf32> -> tensor<?x8xi8>, tensor<?x8xf16>
  // CHECK: moe.expert_choice over tokens %{{.*}}, %{{.*}} capacity 0
  %u, %n = moe.expert_choice over tokens %any, %r capacity 0
     : tensor<?x64xf32>, tensor<64x8xf32> -> tensor<?x8xi8>, tensor<?x8xf16>
  return %s, %w, %t, %v
     : tensor<16x8xi32>, tensor<16x8xf32>, tensor<?x8xi8>, tensor<?x8xf16>
}

// CHECK-LABEL: func.func @soft
func.func @soft(%x: tensor<16x64xf32>, %r: tensor<64x8x2xbf16>)
    -> tensor<16x64xf32> {
  // CHECK: moe.soft_gate %{{.*}}, %{{.*}} : tensor<16x64xf32>, tensor<64x8x2xbf16> -> tensor<16x8x2xf32>, tensor<16x8x2xf32>
  %d, %c = moe.soft_gate %x, %r : tensor<16x64xf32>, tensor<64x8x2xbf16>
     -> tensor<16x8x2xf32>, tensor<16x8x2xf32>
  // CHECK: moe.soft_permute %{{.*}} by %{{.*}} : tensor<16x64xf32>, tensor<16x8x2xf32> -> tensor<4x2x2x64xf32>
  %b = moe.soft_permute %x by %d
     : tensor<16x64xf32>, tensor<16x8x2xf32> -> tensor<4x2x2x64xf32>
  // CHECK: moe.soft_unpermute %{{.*}} by %{{.*}} : tensor<4x2x2x64xf32>, tensor<16x8x2xf32> -> tensor<16x64xf32>
  %y = moe.soft_unpermute %b by %c
     : tensor<4x2x2x64xf32>, tensor<16x8x2xf32> -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
}

// CHECK-LABEL: func.func @orderings
func.func @orderings(%x: tensor<3x4xf32>, %ids: tensor<3x1xi32>,
                     %w: tensor<3x1xf32>) -> tensor<3x4xf32> {
  // CHECK: moe.permute choice %{{.*}} by %{{.*}} ordering einsum : tensor<3x4xf32>
  %b, %s = moe.permute choice %x by %ids ordering einsum
     : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x1xi32>
  // What is meant without it is not printed.
  // CHECK: moe.permute choice %{{.*}} by %{{[^ ]*}} : tensor<3x4xf32>
  %c, %t = moe.permute choice %x by %ids ordering sparse
     : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x1xi32>
  // CHECK: moe.unpermute %{{.*}} by %{{.*}} weights %{{.*}} ordering einsum : tensor<2x2x4xf32>
  %y = moe.unpermute %b by %s weights %w ordering einsum
     : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @hooks
func.func @hooks(%x: tensor<?x4xf32>, %i: tensor<i5>)
    -> (tensor<?x4xf32>, tensor<i5>) {
  // CHECK: %[[A:.*]] = moe.hook before_moe_start %{{.*}} : tensor<?x4xf32>
  // CHECK: %[[B:.*]] = moe.hook before_dispatch %[[A]] : tensor<?x4xf32>
  // CHECK: %[[C:.*]] = moe.hook after_dispatch %[[B]] : tensor<?x4xf32>
  // CHECK: %[[D:.*]] = moe.hook before_combine %[[C]] : tensor<?x4xf32>
  // CHECK: %[[E:.*]] = moe.hook after_combine %[[D]] : tensor<?x4xf32>
  // CHECK: moe.hook before_moe_end %[[E]] : tensor<?x4xf32>
  // CHECK: moe.hook before_moe_end %{{.*}} : tensor<i5>
  %a = moe.hook before_moe_start %x : tensor<?x4xf32>
  %b = moe.hook before_dispatch %a : tensor<?x4xf32>
  %c = moe.hook after_dispatch %b : tensor<?x4xf32>
  %d = moe.hook before_combine %c : tensor<?x4xf32>
  %e = moe.hook after_combine %d : tensor<?x4xf32>
  %f = moe.hook before_moe_end %e : tensor<?x4xf32>
  %j = moe.hook before_moe_end %i : tensor<i5>
  return %f, %j : tensor<?x4xf32>, tensor<i5>
}
