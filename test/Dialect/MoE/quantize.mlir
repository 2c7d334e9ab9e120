// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
// GENERIC: "moe.quantize"(%{{.*}}) <{block = 128 : i64}> : (tensor<16x320xbf16>) -> (tensor<16x320xf8E4M3FN>, tensor<16x3xf32>)
// GENERIC: "moe.dequantize"(%{{.*}}, %{{.*}}) <{block = 128 : i64}> : (tensor<16x320xf8E4M3FN>, tensor<16x3xf32>) -> tensor<16x320xf16>
func.func @rows(%x: tensor<16x320xbf16>, %some: tensor<?x4xf32>) -> (tensor<16x320xf16>, tensor<?x4xf32>) {
  // CHECK: = moe.quantize %{{.*}} block 128 : tensor<16x320xbf16> -> tensor<16x320xf8E4M3FN>, tensor<16x3xf32>
  %v, %s = moe.quantize %x block 128 : tensor<16x320xbf16> -> tensor<16x320xf8E4M3FN>, tensor<16x3xf32>
  // CHECK: = moe.dequantize %{{.*}} scales %{{.*}} block 128 : tensor<16x320xf8E4M3FN>, tensor<16x3xf32> -> tensor<16x320xf16>
  %y = moe.dequantize %v scales %s block 128 : tensor<16x320xf8E4M3FN>, tensor<16x3xf32> -> tensor<16x320xf16>
  // CHECK: = moe.quantize %{{.*}} block 9 {of_users} : tensor<?x4xf32> -> tensor<?x4xf8E4M3FN>, tensor<?x1xf32>
  %w, %t = moe.quantize %some block 9 {of_users} : tensor<?x4xf32> -> tensor<?x4xf8E4M3FN>, tensor<?x1xf32>
  %z = moe.dequantize %w scales %t block 9 : tensor<?x4xf8E4M3FN>, tensor<?x1xf32> -> tensor<?x4xf32>
  return %y, %z : tensor<16x320xf16>, tensor<?x4xf32>
}
