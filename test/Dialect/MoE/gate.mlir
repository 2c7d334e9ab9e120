// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @example
// GENERIC: "moe.gate"(%{{.*}}, %{{.*}}) <{kind = #moe<gate_kind softmax>, normalize, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, scale = 1.000000e+00 : f64, top_k = 2 : i64}> : (tensor<16x64xbf16>, tensor<64x8xbf16>) -> (tensor<16x2xi32>, tensor<16x2xf32>)
func.func @example(%x: tensor<16x64xbf16>, %router: tensor<64x8xbf16>)
    -> (tensor<16x2xi32>, tensor<16x2xf32>) {
  // CHECK: = moe.gate softmax %{{.*}}, %{{.*}} top_k 2 {normalize} : tensor<16x64xbf16>, tensor<64x8xbf16> -> tensor<16x2xi32>, tensor<16x2xf32>
  %ids, %weights = moe.gate softmax %x, %router top_k 2 {normalize}
     : tensor<16x64xbf16>, tensor<64x8xbf16>
     -> tensor<16x2xi32>, tensor<16x2xf32>
  return %ids, %weights : tensor<16x2xi32>, tensor<16x2xf32>
}

// CHECK-LABEL: func.func @sigmoid_with_everything
func.func @sigmoid_with_everything(%x: tensor<?x64xf32>,
                                   %router: tensor<64x256xf64>,
                                   %bias: tensor<256xf16>)
    -> (tensor<?x8xi64>, tensor<?x8xf32>) {
  // CHECK: moe.gate sigmoid %{{.*}}, %{{.*}} bias %{{.*}} : tensor<256xf16> top_k 8 groups 4 of 8 {normalize, scale = 2.500000e+00 : f64} : tensor<?x64xf32>, tensor<64x256xf64> -> tensor<?x8xi64>, tensor<?x8xf32>
  %ids, %weights = moe.gate sigmoid %x, %router bias %bias : tensor<256xf16>
     top_k 8 groups 4 of 8 {normalize, scale = 2.5 : f64}
     : tensor<?x64xf32>, tensor<64x256xf64>
     -> tensor<?x8xi64>, tensor<?x8xf32>
  return %ids, %weights : tensor<?x8xi64>, tensor<?x8xf32>
}

// Expert 127 is the last that i8 can number; no token is a number of tokens.
// CHECK-LABEL: func.func @edges
func.func @edges(%x: tensor<0x?xf32>, %router: tensor<?x128xf32>)
    -> (tensor<?x?xi8>, tensor<0x128xf8E4M3FN>) {
  // CHECK: moe.gate softmax %{{.*}}, %{{.*}} top_k 128 : tensor<0x?xf32>, tensor<?x128xf32> -> tensor<?x?xi8>, tensor<0x128xf8E4M3FN>
  %ids, %weights = moe.gate softmax %x, %router top_k 128
     : tensor<0x?xf32>, tensor<?x128xf32>
     -> tensor<?x?xi8>, tensor<0x128xf8E4M3FN>
  return %ids, %weights : tensor<?x?xi8>, tensor<0x128xf8E4M3FN>
}

// CHECK-LABEL: func.func @sqrtsoftplus
func.func @sqrtsoftplus(%x: tensor<16x64xf32>, %router: tensor<64x8xf32>, %bias: tensor<8xf32>) -> tensor<16x2xf32> {
  // CHECK: moe.gate sqrtsoftplus %{{.*}}, %{{.*}} bias %{{.*}} : tensor<8xf32> top_k 2 groups 2 of 4 {normalize}
  %ids, %weights = moe.gate sqrtsoftplus %x, %router bias %bias : tensor<8xf32> top_k 2 groups 2 of 4 {normalize}
      : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return %weights : tensor<16x2xf32>
}
