// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @mixes
func.func @mixes(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %n: memref<6x3xbf16>, %q: memref<2x3xf32>, %p: memref<6x2xf32>, %seed: memref<i64>, %i: memref<4x2xi32>, %w: memref<4x2xf32>, %slots: memref<4x3xi32>, %ws: memref<4x3xf32>, %v: memref<6x3x2xf32>, %d: memref<4x3x2xf32>, %b: memref<3x1x2x6xf32>) {
  // CHECK: moert.gate %{{.*}} gshard ins({{.*}}) noise(%{{.*}} : memref<6x3xbf16>) seed(%{{.*}} : memref<i64>) outs({{.*}}) top_k 2
  moert.gate %s gshard ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) noise(%n : memref<6x3xbf16>) seed(%seed : memref<i64>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2
  // CHECK: moert.gate %{{.*}} xmoe ins({{.*}}) projection(%{{.*}} : memref<6x2xf32>) outs({{.*}}) top_k 2 {temperature = 5.000000e-01 : f64}
  moert.gate %s xmoe ins(%x, %q : memref<4x6xf32>, memref<2x3xf32>) projection(%p : memref<6x2xf32>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2 {temperature = 0.5 : f64}
  // CHECK: moert.gate %{{.*}} softmax {{.*}} seed({{.*}}) outs({{.*}}) top_k 2 {jitter = 5.000000e-01 : f64}
  moert.gate %s softmax ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) seed(%seed : memref<i64>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2 {jitter = 0.5 : f64}
  // CHECK: moert.expert_choice %{{.*}} tokens ins({{.*}}) outs({{.*}}) capacity 2
  moert.expert_choice %s tokens ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) outs(%slots, %ws : memref<4x3xi32>, memref<4x3xf32>) capacity 2
  // CHECK: moert.soft_gate %{{.*}} ins({{.*}}) outs({{.*}})
  moert.soft_gate %s ins(%x, %v : memref<4x6xf32>, memref<6x3x2xf32>) outs(%d, %d : memref<4x3x2xf32>, memref<4x3x2xf32>)
  // CHECK: moert.soft_permute
  moert.soft_permute %s ins(%x, %d : memref<4x6xf32>, memref<4x3x2xf32>) outs(%b : memref<3x1x2x6xf32>)
  // CHECK: moert.soft_unpermute
  moert.soft_unpermute %s ins(%b, %d : memref<3x1x2x6xf32>, memref<4x3x2xf32>) outs(%x : memref<4x6xf32>)
  return
}
