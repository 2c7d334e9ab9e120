// A function that another one calls is simulated by itself, too.
// RUN: moe-sim %s --platform=%S/Inputs/toy.json --entry=step | FileCheck %s
// RUN: moe-sim %s --platform=%S/Inputs/toy.json --entry=main | FileCheck %s --check-prefix=BOTH
// CHECK: tasks        1
// BOTH: tasks        2
moe.mesh @mesh axes ["ep"] shape [4]

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = func.call @step(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = func.call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}
func.func private @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %v = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<8xf32>
  return %v : tensor<8xf32>
}
