// What was chosen and not carried out is not compiled as if nothing had been:
// the phases behind the schedule read no plan.
// RUN: split-file %s %t
// DEFINE: %{part} = step
// DEFINE: %{wrong} = not moe-opt %t/%{part}.mlir 2>&1
// RUN: %{wrong} --moe-verify-plan | FileCheck %s --check-prefix=STEP
// RUN: %{wrong} --moe-compile="from=runtime to=runtime" | FileCheck %s --check-prefix=STEP
// RUN: %{wrong} --moe-compile="from=llvm to=llvm" | FileCheck %s --check-prefix=STEP
// STEP: step.mlir:1:1: error: expected a plan that has been carried out, got 'moe.plan' of a program that is only through the phase choose (from=decompose goes on from there)
// STEP-NOT: see current operation

// REDEFINE: %{part} = form
// RUN: %{wrong} --moe-compile="from=runtime to=runtime" | FileCheck %s --check-prefix=FORM
// RUN: %{wrong} --moe-compile="from=schedule to=schedule" | FileCheck %s --check-prefix=FORM
// RUN: %{wrong} --moe-compile="from=decompose to=decompose" | FileCheck %s --check-prefix=FORM
// FORM: form.mlir:2:8: error: layer 3: expected a plan that has been carried out, got 'moe.plan', which only the phases decompose and pipeline read, without one on the module

// REDEFINE: %{part} = gradients
// RUN: %{wrong} --moe-compile="from=runtime to=runtime" | FileCheck %s --check-prefix=GRADIENTS
// RUN: %{wrong} --moe-compile="from=schedule to=schedule" | FileCheck %s --check-prefix=GRADIENTS
// GRADIENTS: gradients.mlir:1:1: error: expected a plan that has been carried out, got 'moe.plan', which only the phases decompose and pipeline read, without one on the module

// RUN: moe-opt %t/none.mlir --moe-verify-plan --moe-compile="from=runtime to=llvm" | FileCheck %s --check-prefix=NONE
// NONE: llvm.func @moe_main

// A plan by hand sends gradients among exchanges of experts only.
// RUN: not moe-opt %t/experts.mlir --moe-compile="from=pipeline to=pipeline platform=fsmoe-a" 2>&1 | FileCheck %s --check-prefix=EXPERTS
// EXPERTS: experts.mlir:6:8: error: expected the plan of @main to send gradients among the exchanges of layers with experts, got piece 1 in layer 1 of its backward pass, layer dense bwd, which has none

//--- step.mlir
module attributes {moe.plan = #moe.step_plan<phase = choose, schedule = layers, collectives = "by-links">} {
}
//--- form.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = moe.layer "3" phase "fwd" attributes {moe.plan = #moe.layer_plan<>} {
    moe.yield %x : tensor<2xf32>
  } : tensor<2xf32>
  return %r : tensor<2xf32>
}
//--- gradients.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {moe.plan = #moe.gradient_plan<pieces = []>} {
  return %x : tensor<2xf32>
}
//--- none.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
//--- experts.mlir
module attributes {moe.plan = #moe.step_plan<phase = decompose, schedule = layers, collectives = "by-links">} {
moe.mesh @mesh axes ["dp", "ep"] shape [2, 8]
func.func @main(%x: tensor<8x1x8x4xf32>, %g: tensor<64xf32>) -> (tensor<8x1x8x4xf32>, tensor<64xf32>) attributes {
    moe.plan = #moe.gradient_plan<pieces = [<after of -1 from 1 : 32>, <moe of 1 from 1 : 32>]>} {
  %s = moe.all_reduce %g on <@mesh, ["dp"]> : tensor<64xf32>
  %y = moe.layer "dense" phase "bwd" attributes {moe.plan = #moe.layer_plan<>} {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<8x1x8x4xf32> -> tensor<8x1x8x4xf32>
    moe.yield %a : tensor<8x1x8x4xf32>
  } : tensor<8x1x8x4xf32>
  return %y, %s : tensor<8x1x8x4xf32>, tensor<64xf32>
}
}
