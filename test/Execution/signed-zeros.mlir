// Zeros keep the sign that they have on the interpreter: the maximum of 0.0 and
// -0.0 is 0.0, their minimum -0.0, in any order, and odd powers of what is
// negative are negative where nothing but their sign is left.

// RUN: moe-run %s --special-values --backend=host --against-backend=interp | FileCheck %s
// RUN: moe-run %s --special-values --backend=nccl --stand-ins --against-backend=interp 2>%t.err | FileCheck %s
// RUN: moe-run %s --entry=powers --backend=nccl --stand-ins --against-backend=interp 2>%t.err | FileCheck %s
// RUN: moe-run %s --entry=powers --special-values --backend=nccl --stand-ins --against-backend=interp 2>%t.err | FileCheck %s
// RUN: moe-run %s --entry=powers --special-values --backend=host --against-backend=interp | FileCheck %s
// CHECK: equal: 2 ranks

moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<400xf32> {moe.varying = ["ep"]}, %y: tensor<400xf32> {moe.varying = ["ep"]}, %u: tensor<400xf64> {moe.varying = ["ep"]}, %v: tensor<400xf64> {moe.varying = ["ep"]}, %a: tensor<400xbf16> {moe.varying = ["ep"]}, %b: tensor<400xbf16> {moe.varying = ["ep"]}, %h: tensor<400xf16> {moe.varying = ["ep"]}, %i: tensor<400xf16> {moe.varying = ["ep"]}) -> (tensor<400xf32>, tensor<400xf32>, tensor<400xf32>, tensor<400xf32>, tensor<400xf64>, tensor<400xf64>, tensor<400xf64>, tensor<400xf64>, tensor<400xbf16>, tensor<400xbf16>, tensor<400xbf16>, tensor<400xbf16>, tensor<400xf16>, tensor<400xf16>, tensor<400xf16>, tensor<400xf16>) {
  %0 = arith.maximumf %x, %y : tensor<400xf32>
  %1 = arith.minimumf %x, %y : tensor<400xf32>
  %2 = arith.maxnumf %x, %y : tensor<400xf32>
  %3 = arith.minnumf %x, %y : tensor<400xf32>
  %4 = arith.maximumf %u, %v : tensor<400xf64>
  %5 = arith.minimumf %u, %v : tensor<400xf64>
  %6 = arith.maxnumf %u, %v : tensor<400xf64>
  %7 = arith.minnumf %u, %v : tensor<400xf64>
  %8 = arith.maximumf %a, %b : tensor<400xbf16>
  %9 = arith.minimumf %a, %b : tensor<400xbf16>
  %10 = arith.maxnumf %a, %b : tensor<400xbf16>
  %11 = arith.minnumf %a, %b : tensor<400xbf16>
  %12 = arith.maximumf %h, %i : tensor<400xf16>
  %13 = arith.minimumf %h, %i : tensor<400xf16>
  %14 = arith.maxnumf %h, %i : tensor<400xf16>
  %15 = arith.minnumf %h, %i : tensor<400xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : tensor<400xf32>, tensor<400xf32>, tensor<400xf32>, tensor<400xf32>, tensor<400xf64>, tensor<400xf64>, tensor<400xf64>, tensor<400xf64>, tensor<400xbf16>, tensor<400xbf16>, tensor<400xbf16>, tensor<400xbf16>, tensor<400xf16>, tensor<400xf16>, tensor<400xf16>, tensor<400xf16>
}
func.func @powers(%x: tensor<400xf32> {moe.varying = ["ep"]}) -> (tensor<400xf32>, tensor<400xf32>, tensor<400xf32>) {
  %odd = arith.constant dense<33.0> : tensor<400xf32>
  %even = arith.constant dense<34.0> : tensor<400xf32>
  %down = arith.constant dense<-33.0> : tensor<400xf32>
  %tiny = arith.constant dense<1.0e-30> : tensor<400xf32>
  %huge = arith.constant dense<1.0e+30> : tensor<400xf32>
  %small = arith.mulf %x, %tiny : tensor<400xf32>
  %large = arith.mulf %x, %huge : tensor<400xf32>
  %0 = math.powf %small, %odd : tensor<400xf32>
  %1 = math.powf %small, %even : tensor<400xf32>
  %2 = math.powf %large, %down : tensor<400xf32>
  return %0, %1, %2 : tensor<400xf32>, tensor<400xf32>, tensor<400xf32>
}
