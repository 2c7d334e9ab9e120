// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s -mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s -emit-bytecode | moe-opt | FileCheck %s
moe.mesh @mesh axes ["ep"] shape [2]

// CHECK-LABEL: func.func @order
// CHECK: moe.pipeline degree 2 order [dispatch, dispatch, gradients, combine, combine] (%{{.*}} = %{{.*}} split 2
func.func @order(%x: tensor<2x1x8x4xf32>, %a: tensor<1x4x6xf32>, %b: tensor<1x6x4xf32>) -> tensor<2x1x8x4xf32> {
  %r = moe.pipeline degree 2 order [dispatch, dispatch, gradients, combine, combine] (%c = %x split 2 : tensor<2x1x8x4xf32> as tensor<2x1x4x4xf32>) {
    %d = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    %t = moe.transpose %d [1, 0, 2, 3] : tensor<2x1x4x4xf32> -> tensor<1x2x4x4xf32>
    %y = moe.experts gpt %t, %a, %b : tensor<1x2x4x4xf32>, tensor<1x4x6xf32>, tensor<1x6x4xf32> -> tensor<1x2x4x4xf32>
    %u = moe.transpose %y [1, 0, 2, 3] : tensor<1x2x4x4xf32> -> tensor<2x1x4x4xf32>
    %z = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x4x4xf32> -> tensor<2x1x4x4xf32>
    moe.yield %z : tensor<2x1x4x4xf32>
  } -> concat 2 : tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}
