// RUN: moe-opt %s --convert-moe-to-moert | FileCheck %s
// RUN: moe-opt %s --convert-moe-to-moert --moert-verify-streams -o /dev/null
// RUN: moe-opt %s --convert-moe-to-moert --convert-moert-to-llvm | FileCheck %s --check-prefix=LLVM

// Results are written in their place; a transposed operand is copied first; a
// gradient of a dense part has no use for its tokens.

// CHECK-LABEL: func.func @main
// CHECK: moert.experts_dgrad %[[S:.*]] gpt activation relu ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) outs(%[[DX:.*]] :
// CHECK: moert.copy %[[S]] {{.*}} to %[[COPY:.*]] : memref<2x6x4xf32, strided<[24, 1, 6]>> to memref<2x6x4xf32>
// CHECK: moert.experts_wgrad %[[S]] gpt ins(%{{.*}}, %{{.*}}, %[[COPY]], %{{.*}} :
// CHECK: moert.scatter %[[S]] ins(%{{.*}}, %{{.*}}, %{{.*}} :
// CHECK: moert.unpermute_wgrad %[[S]]
// CHECK: moert.gate_grad %[[S]] softmax {{.*}} {normalize, scale = 2.000000e+00 : f64}
// CHECK: moert.dense %[[S]] ins(%[[ROWS:.*]] : memref<3x4xf32>) outs(%{{.*}}) parts 2
// CHECK: moert.dense %[[S]] ins(%{{.*}} : memref<3x4xf32>) outs(%{{.*}}) parts 1
// CHECK: moert.dense_wgrad %[[S]] ins(%[[ROWS]], %{{.*}}

// LLVM-LABEL: llvm.func @moe_main
// LLVM: llvm.call @moert_experts_dgrad
// LLVM: llvm.call @moert_experts_wgrad
// LLVM: llvm.call @moert_scatter
// LLVM: llvm.call @moert_unorder_wgrad
// LLVM: llvm.call @moert_gate_grad
// LLVM: llvm.call @moert_dense
// LLVM: llvm.call @moert_dense
// LLVM: llvm.call @moert_dense_wgrad
func.func @main(%x: tensor<2x8x4xf32>, %dy: tensor<2x8x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %v: tensor<2x4x6xf32>, %rows: tensor<3x4xf32>, %slots: tensor<3x1xi32>, %w: tensor<3x1xf32>, %r: tensor<4x6xbf16>, %drows: tensor<3x4xf32>) -> (tensor<2x8x4xf32>, tensor<2x6x4xf32>, tensor<2x2x4xf32>, tensor<3x1xf32>, tensor<4x6xbf16>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<7xf32>) {
  %0 = moe.experts_dgrad gpt %dy at %x, %w1, %w2 activation relu : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %t = moe.transpose %v [0, 2, 1] : tensor<2x4x6xf32> -> tensor<2x6x4xf32>
  %1:2 = moe.experts_wgrad gpt %dy at %x, %w1, %t : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  %2 = moe.scatter %rows by %slots weights %w : tensor<3x1xf32> : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>
  %3 = moe.unpermute_wgrad %rows, %2 by %slots : tensor<3x4xf32>, tensor<2x2x4xf32>, tensor<3x1xi32> -> tensor<3x1xf32>
  %4:2 = moe.gate_grad softmax %rows, %r by %slots, %w {normalize, scale = 2.0} : tensor<3x4xf32>, tensor<4x6xbf16>, tensor<3x1xi32>, tensor<3x1xf32>
  %5 = moe.dense "d" %rows macs 7 parts 2 : tensor<3x4xf32>
  %6 = moe.dense_dgrad "d" %drows at %rows macs 7 : tensor<3x4xf32>
  %7 = moe.dense_wgrad "d" %drows at %rows macs 7 : tensor<3x4xf32> -> tensor<7xf32>
  return %0, %1#1, %2, %3, %4#1, %5, %6, %7 : tensor<2x8x4xf32>, tensor<2x6x4xf32>, tensor<2x2x4xf32>, tensor<3x1xf32>, tensor<4x6xbf16>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<7xf32>
}
