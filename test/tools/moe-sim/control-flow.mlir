// RUN: moe-sim %s --platform=fsmoe-a | FileCheck %s
// RUN: moe-run %s --backend=host --against=%s | FileCheck %s --check-prefix=EQUAL
// RUN: moe-opt %s -moe-schedule | moe-run - --against=%s --symbolic | FileCheck %s --check-prefix=EQUAL

// Calls are followed, a loop around exchanges is four of them, a loop of local
// ops is one task.
// CHECK: tasks        6
// EQUAL: equal:

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func private @exchange(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  return %a : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %a = call @exchange(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = scf.for %i = %zero to %four step %one iter_args(%v = %a) -> tensor<4xf32> {
    %d = func.call @exchange(%v) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  %f = scf.for %i = %zero to %four step %one iter_args(%v = %b) -> tensor<4xf32> {
    %d = arith.addf %v, %x : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  return %f : tensor<4xf32>
}
