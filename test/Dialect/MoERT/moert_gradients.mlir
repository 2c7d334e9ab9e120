// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @gradients
func.func @gradients(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x4x6xf32>, %w3: memref<2x6x4xf32>, %dy: memref<2x8x4xf32>,
                     %rows: memref<3x4xf32>, %slots: memref<3x2xi32>, %w: memref<3x2xf64>, %buffer: memref<2x5x4xf32>, %r: memref<4x6xbf16>, %dr: memref<4x6xbf16>, %drows: memref<3x4xf32>, %v: memref<7xf32>,
                     %seed: memref<i64>, %q: memref<2x6xf32>, %p: memref<4x2xf32>, %cr: memref<4x2xf32>, %sr: memref<4x2x5xf32>, %m: memref<3x2x5xf32>) {
  // CHECK: moert.experts_dgrad %{{.*}} gpt activation relu ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%{{.*}} : memref<2x8x4xf32>)
  moert.experts_dgrad %s gpt activation relu ins(%x, %w1, %w3, %dy : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%x : memref<2x8x4xf32>)
  // CHECK: moert.experts_wgrad %{{.*}} swiglu ins(
  moert.experts_wgrad %s swiglu ins(%x, %w1, %w2, %w3, %dy : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%w1, %w2, %w3 : memref<2x4x6xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>)
  // CHECK: moert.scatter %{{.*}} ins(%{{.*}}, %{{.*}} : memref<3x4xf32>, memref<3x2xi32>) outs(
  moert.scatter %s ins(%rows, %slots : memref<3x4xf32>, memref<3x2xi32>) outs(%buffer : memref<2x5x4xf32>)
  // CHECK: moert.scatter %{{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<3x4xf32>, memref<3x2xi32>, memref<3x2xf64>)
  moert.scatter %s ins(%rows, %slots, %w : memref<3x4xf32>, memref<3x2xi32>, memref<3x2xf64>) outs(%buffer : memref<2x5x4xf32>)
  // CHECK: moert.unpermute_wgrad %{{.*}} ins(
  moert.unpermute_wgrad %s ins(%rows, %buffer, %slots : memref<3x4xf32>, memref<2x5x4xf32>, memref<3x2xi32>) outs(%w : memref<3x2xf64>)
  // CHECK: moert.gate_grad %{{.*}} sigmoid ins({{.*}}) outs({{.*}}) {normalize, scale = 2.500000e+00 : f64}
  moert.gate_grad %s sigmoid ins(%rows, %r, %slots, %w : memref<3x4xf32>, memref<4x6xbf16>, memref<3x2xi32>, memref<3x2xf64>) outs(%drows, %dr : memref<3x4xf32>, memref<4x6xbf16>) {normalize, scale = 2.5 : f64}
  // CHECK: moert.gate_grad %{{.*}} gshard ins({{.*}}) noise(%{{.*}} : memref<4x6xbf16>) seed(%{{.*}} : memref<i64>) outs({{.*}} : memref<3x4xf32>, memref<4x6xbf16>, memref<4x6xbf16>)
  moert.gate_grad %s gshard ins(%rows, %r, %slots, %w : memref<3x4xf32>, memref<4x6xbf16>, memref<3x2xi32>, memref<3x2xf64>) noise(%r : memref<4x6xbf16>) seed(%seed : memref<i64>) outs(%drows, %dr, %dr : memref<3x4xf32>, memref<4x6xbf16>, memref<4x6xbf16>)
  // CHECK: moert.gate_grad %{{.*}} xmoe ins({{.*}}) projection(%{{.*}} : memref<4x2xf32>) outs({{.*}}) {temperature = 5.000000e-01 : f64}
  moert.gate_grad %s xmoe ins(%rows, %q, %slots, %w : memref<3x4xf32>, memref<2x6xf32>, memref<3x2xi32>, memref<3x2xf64>) projection(%p : memref<4x2xf32>) outs(%drows, %q, %p : memref<3x4xf32>, memref<2x6xf32>, memref<4x2xf32>) {temperature = 0.5 : f64}
  // CHECK: moert.expert_choice_grad %{{.*}} tokens ins({{.*}}) outs({{.*}})
  moert.expert_choice_grad %s tokens ins(%rows, %cr, %slots, %w : memref<3x4xf32>, memref<4x2xf32>, memref<3x2xi32>, memref<3x2xf64>) outs(%drows, %cr : memref<3x4xf32>, memref<4x2xf32>)
  // CHECK: moert.soft_gate_grad %{{.*}} ins({{.*}}) outs({{.*}})
  moert.soft_gate_grad %s ins(%rows, %sr, %m, %m : memref<3x4xf32>, memref<4x2x5xf32>, memref<3x2x5xf32>, memref<3x2x5xf32>) outs(%drows, %sr : memref<3x4xf32>, memref<4x2x5xf32>)
  // CHECK: moert.soft_wgrad %{{.*}} ins({{.*}} : memref<3x4xf32>, memref<2x5x4xf32>) outs({{.*}} : memref<3x2x5xf32>)
  moert.soft_wgrad %s ins(%rows, %buffer : memref<3x4xf32>, memref<2x5x4xf32>) outs(%m : memref<3x2x5xf32>)
  // CHECK: moert.dense %{{.*}} ins({{.*}}) outs({{.*}}) parts 4
  moert.dense %s ins(%rows : memref<3x4xf32>) outs(%drows : memref<3x4xf32>) parts 4
  // CHECK: moert.dense_wgrad %{{.*}} ins({{.*}}) outs({{.*}})
  moert.dense_wgrad %s ins(%rows, %drows : memref<3x4xf32>, memref<3x4xf32>) outs(%v : memref<7xf32>)
  return
}
