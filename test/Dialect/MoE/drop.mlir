// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [3, 2]

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.drop"(%{{.*}}) <{dim = 0 : i64, group = #moe.group<@mesh, ["tp"]>}> : (tensor<2xf32>) -> tensor<1xf32>
func.func @picture(%x: tensor<2xf32>) -> tensor<1xf32> {
  // CHECK: moe.drop %{{.*}} on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  %r = moe.drop %x on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x6x?xf64>) -> tensor<?x1x5xf64> {
  // CHECK: moe.drop %{{.*}} on <@mesh, ["tp", "ep"]> dim 1 : tensor<?x6x?xf64> -> tensor<?x1x?xf64>
  %a = moe.drop %x on <@mesh, ["tp", "ep"]> dim 1
     : tensor<?x6x?xf64> -> tensor<?x1x?xf64>
  // CHECK: moe.drop %{{.*}} on <@mesh, ["ep"]> dim 2 : tensor<?x1x?xf64> -> tensor<?x1x5xf64>
  %b = moe.drop %a on <@mesh, ["ep"]> dim 2
     : tensor<?x1x?xf64> -> tensor<?x1x5xf64>
  return %b : tensor<?x1x5xf64>
}

// Empty tensors divide by anything; so do groups of one rank, which no axis
// at all makes.
// CHECK-LABEL: func.func @edges
func.func @edges(%x: tensor<0x3xi1>) -> (tensor<0x3xi1>, tensor<0x1xi1>) {
  // CHECK: moe.drop %{{.*}} on <@mesh, []> dim 1 : tensor<0x3xi1> -> tensor<0x3xi1>
  %a = moe.drop %x on <@mesh, []> dim 1 : tensor<0x3xi1> -> tensor<0x3xi1>
  // CHECK: moe.drop %{{.*}} on {{\[\[}}0, 1, 2], [3, 4, 5]] dim 1 : tensor<0x3xi1> -> tensor<0x1xi1>
  %b = moe.drop %a on [[0, 1, 2], [3, 4, 5]] dim 1
     : tensor<0x3xi1> -> tensor<0x1xi1>
  return %a, %b : tensor<0x3xi1>, tensor<0x1xi1>
}
