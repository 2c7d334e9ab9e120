// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.assemble"(%{{.*}}, %{{.*}}) <{dim = 0 : i64}> : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
func.func @picture(%c0: tensor<1xf32>, %c1: tensor<2xf32>) -> tensor<3xf32> {
  // CHECK: moe.assemble %{{.*}}, %{{.*}} dim 0 : tensor<1xf32>, tensor<2xf32> -> tensor<3xf32>
  %r = moe.assemble %c0, %c1 dim 0
     : tensor<1xf32>, tensor<2xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @one_part
func.func @one_part(%x: tensor<4x?xi2>) -> tensor<?x?xi2> {
  // CHECK: moe.assemble %{{.*}} dim 0 : tensor<4x?xi2> -> tensor<?x?xi2>
  %r = moe.assemble %x dim 0 : tensor<4x?xi2> -> tensor<?x?xi2>
  return %r : tensor<?x?xi2>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%a: tensor<?x4xf32>, %b: tensor<3x?xf32>,
                   %c: tensor<3x0xf32>) -> (tensor<3x?xf32>, tensor<3x9xf32>) {
  // CHECK: dim 1 : tensor<?x4xf32>, tensor<3x?xf32>, tensor<3x0xf32> -> tensor<3x?xf32>
  %r = moe.assemble %a, %b, %c dim 1
     : tensor<?x4xf32>, tensor<3x?xf32>, tensor<3x0xf32> -> tensor<3x?xf32>
  // CHECK: dim 1 : tensor<?x4xf32>, tensor<3x?xf32>, tensor<?x4xf32> -> tensor<3x9xf32>
  %s = moe.assemble %a, %b, %a dim 1
     : tensor<?x4xf32>, tensor<3x?xf32>, tensor<?x4xf32> -> tensor<3x9xf32>
  return %r, %s : tensor<3x?xf32>, tensor<3x9xf32>
}
