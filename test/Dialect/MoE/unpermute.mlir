// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @example
// GENERIC: "moe.unpermute"(%{{.*}}, %{{.*}}, %{{.*}}) <{ordering = #moe<ordering sparse>}> : (tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32>) -> tensor<3x4xf32>
func.func @example(%buffer: tensor<2x2x4xf32>, %slots: tensor<3x1xi32>,
                   %w: tensor<3x1xf32>) -> tensor<3x4xf32> {
  // CHECK-SAME: (%[[B:.*]]: tensor<2x2x4xf32>, %[[S:.*]]: tensor<3x1xi32>, %[[W:.*]]: tensor<3x1xf32>)
  // CHECK: moe.unpermute %[[B]] by %[[S]] weights %[[W]] : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
  %y = moe.unpermute %buffer by %slots weights %w
     : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%buffer: tensor<?x8x0x?xbf16>, %slots: tensor<?x2xindex>,
                   %w: tensor<?x?xf64>) -> tensor<?x64xbf16> {
  // CHECK: {keep} : tensor<?x8x0x?xbf16>, tensor<?x2xindex>, tensor<?x?xf64> -> tensor<?x64xbf16>
  %y = moe.unpermute %buffer by %slots weights %w {keep}
     : tensor<?x8x0x?xbf16>, tensor<?x2xindex>, tensor<?x?xf64>
     -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

// CHECK-LABEL: func.func @one_expert
func.func @one_expert(%buffer: tensor<6x4xf16>, %slots: tensor<0x1xi16>,
                      %w: tensor<0x1xf16>) -> tensor<0x4xf16> {
  // CHECK: tensor<6x4xf16>, tensor<0x1xi16>, tensor<0x1xf16> -> tensor<0x4xf16>
  %y = moe.unpermute %buffer by %slots weights %w
     : tensor<6x4xf16>, tensor<0x1xi16>, tensor<0x1xf16> -> tensor<0x4xf16>
  return %y : tensor<0x4xf16>
}
