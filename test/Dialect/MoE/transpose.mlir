// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @example
// GENERIC: "moe.transpose"(%{{.*}}) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
func.func @example(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // CHECK: moe.transpose %{{.*}} [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %r = moe.transpose %x [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @rank_four
func.func @rank_four(%x: tensor<2x4x?x0xbf16>) -> tensor<?x2x0x4xbf16> {
  // CHECK: moe.transpose %{{.*}} [2, 0, 3, 1] : tensor<2x4x?x0xbf16> -> tensor<?x2x0x4xbf16>
  %r = moe.transpose %x [2, 0, 3, 1]
     : tensor<2x4x?x0xbf16> -> tensor<?x2x0x4xbf16>
  return %r : tensor<?x2x0x4xbf16>
}

// CHECK-LABEL: func.func @scalar
func.func @scalar(%x: tensor<i16>) -> tensor<i16> {
  // CHECK: moe.transpose %{{.*}} [] : tensor<i16> -> tensor<i16>
  %r = moe.transpose %x [] : tensor<i16> -> tensor<i16>
  return %r : tensor<i16>
}
