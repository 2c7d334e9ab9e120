// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @example
// GENERIC: "moe.experts"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{kind = #moe<experts_kind swiglu>, operandSegmentSizes = array<i32: 1, 3, 0, 0>}> : (tensor<1x8x32x64xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x96x64xf32>) -> tensor<1x8x32x64xf32>
func.func @example(%x: tensor<1x8x32x64xf32>, %wg: tensor<1x64x96xf32>,
                   %wu: tensor<1x64x96xf32>, %wd: tensor<1x96x64xf32>)
    -> tensor<1x8x32x64xf32> {
  // CHECK: = moe.experts swiglu %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x8x32x64xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x96x64xf32> -> tensor<1x8x32x64xf32>
  %y = moe.experts swiglu %x, %wg, %wu, %wd
     : tensor<1x8x32x64xf32>,
       tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x96x64xf32>
       -> tensor<1x8x32x64xf32>
  return %y : tensor<1x8x32x64xf32>
}

// CHECK-LABEL: func.func @gpt
func.func @gpt(%x: tensor<2x?x4xbf16>, %w1: tensor<2x4x6xbf16>,
               %w2: tensor<2x6x4xbf16>) -> tensor<2x?x4xbf16> {
  // CHECK: = moe.experts gpt %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x?x4xbf16>
  %a = moe.experts gpt %x, %w1, %w2
     : tensor<2x?x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
     -> tensor<2x?x4xbf16>
  // CHECK: = moe.experts gpt %{{.*}}, %{{.*}}, %{{.*}} activation gelu : tensor<2x?x4xbf16>
  %b = moe.experts gpt %a, %w1, %w2 activation gelu
     : tensor<2x?x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
     -> tensor<2x?x4xbf16>
  // CHECK: = moe.experts gpt %{{.*}}, %{{.*}}, %{{.*}} activation relu : tensor<2x?x4xbf16>
  %c = moe.experts gpt %b, %w1, %w2 activation relu
     : tensor<2x?x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
     -> tensor<2x?x4xbf16>
  // CHECK: = moe.experts gpt %{{.*}}, %{{.*}}, %{{.*}} activation silu {layer = 3 : i64} : tensor<2x?x4xbf16>
  %d = moe.experts gpt %c, %w1, %w2 activation silu {layer = 3}
     : tensor<2x?x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
     -> tensor<2x?x4xbf16>
  return %d : tensor<2x?x4xbf16>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x0x?xf8E4M3FN>, %w: tensor<?x?x?xf8E4M3FN>)
    -> tensor<4x0x?xf8E4M3FN> {
  // CHECK: tensor<?x0x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN> -> tensor<4x0x?xf8E4M3FN>
  %y = moe.experts gpt %x, %w, %w
     : tensor<?x0x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>
     -> tensor<4x0x?xf8E4M3FN>
  return %y : tensor<4x0x?xf8E4M3FN>
}
