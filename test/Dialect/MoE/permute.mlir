// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @example
// GENERIC: "moe.permute"(%{{.*}}, %{{.*}}) <{kind = #moe<order_kind choice>, ordering = #moe<ordering sparse>}> : (tensor<3x4xf32>, tensor<3x1xi32>) -> (tensor<2x2x4xf32>, tensor<3x1xi32>)
func.func @example(%x: tensor<3x4xf32>, %ids: tensor<3x1xi32>)
    -> (tensor<2x2x4xf32>, tensor<3x1xi32>) {
  // CHECK: = moe.permute choice %{{.*}} by %{{.*}} : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x1xi32>
  %buffer, %slots = moe.permute choice %x by %ids
     : tensor<3x4xf32>, tensor<3x1xi32>
     -> tensor<2x2x4xf32>, tensor<3x1xi32>
  return %buffer, %slots : tensor<2x2x4xf32>, tensor<3x1xi32>
}

// Several dims number the experts; the capacity may be dynamic.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x?xbf16>, %ids: tensor<?x2xindex>)
    -> (tensor<8x1x?x?xbf16>, tensor<?x2xindex>) {
  // CHECK: = moe.permute token %{{.*}} by %{{.*}} {dropless = false} : tensor<?x?xbf16>, tensor<?x2xindex> -> tensor<8x1x?x?xbf16>, tensor<?x2xindex>
  %buffer, %slots = moe.permute token %x by %ids {dropless = false}
     : tensor<?x?xbf16>, tensor<?x2xindex>
     -> tensor<8x1x?x?xbf16>, tensor<?x2xindex>
  return %buffer, %slots : tensor<8x1x?x?xbf16>, tensor<?x2xindex>
}

// 128 slots end at number 127. Any type of element can be placed.
// CHECK-LABEL: func.func @edges
func.func @edges(%x: tensor<0x4xi5>, %ids: tensor<0x1xi8>)
    -> (tensor<32x4x4xi5>, tensor<0x1xi8>) {
  // CHECK: tensor<0x4xi5>, tensor<0x1xi8> -> tensor<32x4x4xi5>, tensor<0x1xi8>
  %buffer, %slots = moe.permute choice %x by %ids
     : tensor<0x4xi5>, tensor<0x1xi8> -> tensor<32x4x4xi5>, tensor<0x1xi8>
  return %buffer, %slots : tensor<32x4x4xi5>, tensor<0x1xi8>
}
