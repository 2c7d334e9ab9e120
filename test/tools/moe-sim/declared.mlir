// A function without a body has no time.
// RUN: not moe-sim %s --platform=dgx-h100 --entry=main 2>&1 | FileCheck %s
// CHECK: error: @main: expected a function with a body, got a declaration
func.func private @main(tensor<4xf32>) -> tensor<4xf32>
