// Gradients of weights become f32, as do their sums over ranks and the results of the
// function. The weights of a gate are widened before its gradient.
// RUN: moe-opt %s --moe-widen-gradients -o %t --remarks-filter=moe-widen-gradients 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s < %t
// RUN: moe-opt %t --convert-moe-to-moert | FileCheck %s --check-prefix=MOERT

moe.mesh @mesh axes ["ep"] shape [2]

// SAID-COUNT-2: gives gradients of weights f32 elements
// SAID: expected sums over ranks and returns as the only readers of gradients, got arith.addf
// SAID-NOT: widen

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<3x4xbf16>, tensor<2x4x6xf32>, tensor<2x6x4xf32>, tensor<4x8xf32>)
// CHECK: %[[LAYER:.*]]:4 = moe.layer "0" phase "bwd"
// CHECK: %[[DW:.*]]:2 = moe.experts_wgrad gpt {{.*}} : tensor<2x8x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
// CHECK: %[[SUM:.*]] = moe.all_reduce %[[DW]]#0 {{.*}} : tensor<2x4x6xf32>
// CHECK: %[[ROUTER:.*]] = arith.extf %{{.*}} : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK: moe.gate_grad softmax %{{.*}}, %[[ROUTER]]
// CHECK: moe.yield %{{.*}}, %[[SUM]], %[[DW]]#1, %{{.*}} : tensor<3x4xbf16>, tensor<2x4x6xf32>, tensor<2x6x4xf32>, tensor<4x8xf32>
// CHECK: return %[[LAYER]]#0, %[[LAYER]]#1, %[[LAYER]]#2, %[[LAYER]]#3
// MOERT: moert.experts_wgrad {{.*}} outs({{.*}} : memref<2x4x6xf32>, memref<2x6x4xf32>)
func.func @main(%x: tensor<2x8x4xbf16>, %w1: tensor<2x4x6xbf16>, %w2: tensor<2x6x4xbf16>, %dy: tensor<2x8x4xbf16>,
                %t: tensor<3x4xbf16>, %router: tensor<4x8xbf16>, %ids: tensor<3x2xi32>, %dw: tensor<3x2xf32>)
    -> (tensor<3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>, tensor<4x8xbf16>) {
  %0:4 = moe.layer "0" phase "bwd" {
    %1:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2 : tensor<2x8x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
    %2 = moe.all_reduce %1#0 on <@mesh, ["ep"]> : tensor<2x4x6xbf16>
    %3:2 = moe.gate_grad softmax %t, %router by %ids, %dw : tensor<3x4xbf16>, tensor<4x8xbf16>, tensor<3x2xi32>, tensor<3x2xf32>
    moe.yield %3#0, %2, %1#1, %3#1 : tensor<3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>, tensor<4x8xbf16>
  } : tensor<3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>, tensor<4x8xbf16>
  return %0#0, %0#1, %0#2, %0#3 : tensor<3x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>, tensor<4x8xbf16>
}

// A gradient that another op reads stays as it is, and so does one that is f32.
// CHECK-LABEL: func.func @read
// CHECK: moe.experts_wgrad {{.*}} -> tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
// CHECK: moe.experts_wgrad {{.*}} -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
func.func @read(%x: tensor<2x8x4xbf16>, %w1: tensor<2x4x6xbf16>, %w2: tensor<2x6x4xbf16>,
                %y: tensor<2x8x4xf32>, %v1: tensor<2x4x6xf32>, %v2: tensor<2x6x4xf32>) -> (tensor<2x4x6xbf16>, tensor<2x4x6xf32>) {
  %0:2 = moe.experts_wgrad gpt %x at %x, %w1, %w2 : tensor<2x8x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
  %1 = arith.addf %0#0, %0#0 : tensor<2x4x6xbf16>
  %2:2 = moe.experts_wgrad gpt %y at %y, %v1, %v2 : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return %1, %2#0 : tensor<2x4x6xbf16>, tensor<2x4x6xf32>
}
