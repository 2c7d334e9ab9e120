// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @gradients
func.func @gradients(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x4x6xf32>, %w3: memref<2x6x4xf32>, %dy: memref<2x8x4xf32>,
                     %rows: memref<3x4xf32>, %slots: memref<3x2xi32>, %w: memref<3x2xf64>, %buffer: memref<2x5x4xf32>, %r: memref<4x6xbf16>, %dr: memref<4x6xbf16>, %drows: memref<3x4xf32>, %v: memref<7xf32>) {
  // CHECK: moert.experts_dgrad %{{.*}} gpt activation relu ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%{{.*}} : memref<2x8x4xf32>)
  moert.experts_dgrad %s gpt activation relu ins(%x, %w1, %w3, %dy : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%x : memref<2x8x4xf32>)
  // CHECK: moert.experts_wgrad %{{.*}} swiglu ins(
  moert.experts_wgrad %s swiglu ins(%x, %w1, %w2, %w3, %dy : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%w1, %w2, %w3 : memref<2x4x6xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>)
  // CHECK: moert.scatter %{{.*}} ins(%{{.*}}, %{{.*}} : memref<3x4xf32>, memref<3x2xi32>) outs(
  moert.scatter %s ins(%rows, %slots : memref<3x4xf32>, memref<3x2xi32>) outs(%buffer : memref<2x5x4xf32>)
  // CHECK: moert.scatter %{{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<3x4xf32>, memref<3x2xi32>, memref<3x2xf64>)
  moert.scatter %s ins(%rows, %slots, %w : memref<3x4xf32>, memref<3x2xi32>, memref<3x2xf64>) outs(%buffer : memref<2x5x4xf32>)
  // CHECK: moert.unorder_wgrad %{{.*}} ins(
  moert.unorder_wgrad %s ins(%rows, %buffer, %slots : memref<3x4xf32>, memref<2x5x4xf32>, memref<3x2xi32>) outs(%w : memref<3x2xf64>)
  // CHECK: moert.gate_grad %{{.*}} sigmoid ins({{.*}}) outs({{.*}}) {normalize, scale = 2.500000e+00 : f64}
  moert.gate_grad %s sigmoid ins(%rows, %r, %slots, %w : memref<3x4xf32>, memref<4x6xbf16>, memref<3x2xi32>, memref<3x2xf64>) outs(%drows, %dr : memref<3x4xf32>, memref<4x6xbf16>) {normalize, scale = 2.5 : f64}
  // CHECK: moert.dense %{{.*}} ins({{.*}}) outs({{.*}}) parts 4
  moert.dense %s ins(%rows : memref<3x4xf32>) outs(%drows : memref<3x4xf32>) parts 4
  // CHECK: moert.dense_wgrad %{{.*}} ins({{.*}}) outs({{.*}})
  moert.dense_wgrad %s ins(%rows, %drows : memref<3x4xf32>, memref<3x4xf32>) outs(%v : memref<7xf32>)
  return
}
