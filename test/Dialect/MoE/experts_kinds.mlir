// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @kinds
func.func @kinds(%x: tensor<1x8x4xf32>, %dy: tensor<1x8x4xf32>,
                 %wg: tensor<1x4x6xf32>, %wd: tensor<1x6x4xf32>)
    -> tensor<1x8x4xf32> {
  // CHECK: = moe.experts geglu %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x8x4xf32>
  %a = moe.experts geglu %x, %wg, %wg, %wd
     : tensor<1x8x4xf32>, tensor<1x4x6xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x8x4xf32>
  // CHECK: = moe.experts clamped_swiglu
  %b = moe.experts clamped_swiglu %a, %wg, %wg, %wd
     : tensor<1x8x4xf32>, tensor<1x4x6xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x8x4xf32>
  // CHECK: = moe.experts gpt {{.*}} activation quick_gelu
  %c = moe.experts gpt %b, %wg, %wd activation quick_gelu
     : tensor<1x8x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x8x4xf32>
  // CHECK: = moe.experts_dgrad geglu
  %d = moe.experts_dgrad geglu %dy at %c, %wg, %wg, %wd
     : tensor<1x8x4xf32>, tensor<1x4x6xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32>
  return %d : tensor<1x8x4xf32>
}

// Each weight ends with a row of biases.
// CHECK-LABEL: func.func @biased
func.func @biased(%x: tensor<1x8x4xf32>, %dy: tensor<1x8x4xf32>,
                  %wg: tensor<1x5x6xf32>, %wd: tensor<1x7x4xf32>,
                  %t: tensor<8x4xf32>, %router: tensor<5x3xf32>,
                  %dw: tensor<8x2xf32>)
    -> (tensor<1x8x4xf32>, tensor<1x7x4xf32>, tensor<5x3xf32>) {
  // CHECK: = moe.experts clamped_swiglu {{.*}} {biased} : tensor<1x8x4xf32>, tensor<1x5x6xf32>, tensor<1x5x6xf32>, tensor<1x7x4xf32>
  %a = moe.experts clamped_swiglu %x, %wg, %wg, %wd {biased}
     : tensor<1x8x4xf32>, tensor<1x5x6xf32>, tensor<1x5x6xf32>, tensor<1x7x4xf32> -> tensor<1x8x4xf32>
  // CHECK: = moe.experts_dgrad gpt {{.*}} {biased}
  %b = moe.experts_dgrad gpt %dy at %a, %wg, %wd {biased}
     : tensor<1x8x4xf32>, tensor<1x5x6xf32>, tensor<1x7x4xf32>
  // CHECK: moe.experts_wgrad gpt {{.*}} {biased} {{.*}} -> tensor<1x5x6xf32>, tensor<1x7x4xf32>
  %c:2 = moe.experts_wgrad gpt %dy at %b, %wg, %wd {biased}
     : tensor<1x8x4xf32>, tensor<1x5x6xf32>, tensor<1x7x4xf32> -> tensor<1x5x6xf32>, tensor<1x7x4xf32>
  // CHECK: moe.gate softmax {{.*}} top_k 2 {biased, normalize} : tensor<8x4xf32>, tensor<5x3xf32>
  %ids, %w = moe.gate softmax %t, %router top_k 2 {biased, normalize}
     : tensor<8x4xf32>, tensor<5x3xf32> -> tensor<8x2xi32>, tensor<8x2xf32>
  // CHECK: moe.gate_grad softmax {{.*}} {biased, normalize}
  %dx, %dr = moe.gate_grad softmax %t, %router by %ids, %dw {biased, normalize}
     : tensor<8x4xf32>, tensor<5x3xf32>, tensor<8x2xi32>, tensor<8x2xf32>
  return %b, %c#1, %dr : tensor<1x8x4xf32>, tensor<1x7x4xf32>, tensor<5x3xf32>
}
