// What is no number on the processor is none on a device, however far outside.
// RUN: moe-run %s --backend=nccl --stand-ins --against-backend=interp --tolerance=1e-6 | FileCheck %s
// CHECK: equal within

moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<64xf32> {moe.varying = ["ep"]}, %y: tensor<64xf64> {moe.varying = ["ep"]}) -> (tensor<64xf32>, tensor<64xf64>, tensor<64xf32>) {
  %far32 = arith.constant dense<1.0e+20> : tensor<64xf32>
  %far64 = arith.constant dense<1.0e+20> : tensor<64xf64>
  %near = arith.constant dense<10.0> : tensor<64xf32>
  %a = arith.mulf %x, %far32 : tensor<64xf32>
  %b = arith.mulf %y, %far64 : tensor<64xf64>
  %c = arith.mulf %x, %near : tensor<64xf32>
  %0 = math.acosh %a : tensor<64xf32>
  %1 = math.acosh %b : tensor<64xf64>
  %2 = math.acosh %c : tensor<64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf64>, tensor<64xf32>
}
