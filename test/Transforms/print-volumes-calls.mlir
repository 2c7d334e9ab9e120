// RUN: moe-opt %s -moe-print-volumes=format=csv -o /dev/null | FileCheck %s
// RUN: moe-opt %s --inline --symbol-dce -moe-print-volumes=format=csv -o /dev/null | FileCheck %s --check-prefix=INLINED

// What a function sends is sent as often as it is called: two calls, one of
// them three times in a loop, of a function that calls another twice.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK: function,layer,phase,op,axes,bytes,times,bound
// CHECK-NEXT: inner,,,all_reduce,ep,16,8,exact
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  return %a : tensor<4xf32>
}
// CHECK-NEXT: outer,,,all_to_all,tp,8,4,exact
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = moe.all_to_all %a on <@mesh, ["tp"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  %c = call @inner(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
// Perhaps called, so sent at most once; where the address of a function is
// taken, or it calls itself, nothing is known of how often.
// CHECK-NEXT: maybe,,,all_reduce,ep,16,1,upper
func.func private @maybe(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  return %a : tensor<4xf32>
}
// CHECK-NEXT: taken,,,all_reduce,tp,16,1,per-iteration
func.func private @taken(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  return %a : tensor<4xf32>
}
// CHECK-NEXT: again,,,all_reduce,tp,16,{{[0-9]+}},per-iteration
func.func private @again(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  %b = call @again(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
// CHECK-NOT: main
// INLINED: main,,,all_reduce,ep,16,1,exact
// INLINED-NEXT: main,,,all_to_all,tp,8,1,exact
// INLINED-NEXT: main,,,all_reduce,ep,16,1,exact
// INLINED-NEXT: main,,,all_reduce,ep,16,3,exact
// INLINED-NEXT: main,,,all_to_all,tp,8,3,exact
// INLINED-NEXT: main,,,all_reduce,ep,16,3,exact
// INLINED-NEXT: main,,,all_reduce,ep,16,1,upper
func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %a = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = scf.for %i = %zero to %three step %one iter_args(%v = %a) -> tensor<4xf32> {
    %d = func.call @outer(%v) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  %r = scf.if %c -> tensor<4xf32> {
    %d = func.call @maybe(%b) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @pointer() -> ((tensor<4xf32>) -> tensor<4xf32>) {
  %f = constant @taken : (tensor<4xf32>) -> tensor<4xf32>
  return %f : (tensor<4xf32>) -> tensor<4xf32>
}
// Blocks may run any number of times, but the first.
// CHECK-NEXT: blocks,,,all_reduce,ep,16,1,exact
// CHECK-NEXT: blocks,,,all_reduce,tp,16,1,per-iteration
func.func @blocks(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %a = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  cf.br ^loop
^loop:
  %b = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<4xf32>
  cf.cond_br %c, ^loop, ^end
^end:
  return %b : tensor<4xf32>
}
