// What kind of number a float is, by the bounds of its own type.
// RUN: moe-run %s --special-values --backend=host --against-backend=interp | FileCheck %s
// RUN: moe-run %s --special-values --backend=nccl --stand-ins --against-backend=interp 2>%t.err | FileCheck %s
// CHECK: equal: 2 ranks

moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<400xf32> {moe.varying = ["ep"]}, %h: tensor<400xf16> {moe.varying = ["ep"]}, %b: tensor<400xbf16> {moe.varying = ["ep"]}) -> (tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>) {
  // Half of these are below what is normal.
  %small = arith.constant dense<2.0e-38> : tensor<400xf32>
  %tiny = arith.constant dense<6.1e-05> : tensor<400xf16>
  %xs = arith.mulf %x, %small : tensor<400xf32>
  %hs = arith.mulf %h, %tiny : tensor<400xf16>
  %0 = math.isinf %xs : tensor<400xf32>
  %1 = math.isnormal %xs : tensor<400xf32>
  %2 = math.isnan %xs : tensor<400xf32>
  %3 = math.isfinite %xs : tensor<400xf32>
  %4 = math.isinf %hs : tensor<400xf16>
  %5 = math.isnormal %hs : tensor<400xf16>
  %6 = math.isinf %b : tensor<400xbf16>
  %7 = math.isnormal %b : tensor<400xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>, tensor<400xi1>
}
