// RUN: moe-opt %s --moe-schedule \
// RUN:   --remarks-filter=moe-schedule 2>&1 >/dev/null | FileCheck %s

// An op that nobody knows may end a function, which then gives no one anything:
// a call of it is no reason to crash.
// CHECK: Reason="expected calls of functions that end in func.return, got one of @scores"
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = call @scores(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = moe.all_to_all %0 on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x4xf32> -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
func.func private @scores(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.tanh"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
}
