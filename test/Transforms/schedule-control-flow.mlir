// RUN: moe-opt %s -split-input-file -moe-schedule -moe-verify-collectives -moe-verify-schedule --remarks-filter=moe-schedule 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Calls are followed, and loops around collectives are unrolled; private
// functions that nobody calls any more are gone.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-NOT: @exchange
// CHECK-NOT: @twice
// CHECK-LABEL: func.func @called
// CHECK: moe.schedule
// CHECK: moe.task @inter "all_to_all"[0 of 1]
// CHECK: moe.task @inter "all_to_all.2"[0 of 1]
// CHECK: moe.task @inter "all_to_all.3"[0 of 1]
// CHECK: moe.task @inter "all_to_all.8"[0 of 1]
// CHECK-NOT: moe.task
// CHECK: return
// REMARK: [Passed] schedule | Category:moe-schedule | Function=called
func.func private @exchange(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = call @exchange(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = call @exchange(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func @called(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %a = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = scf.for %i = %zero to %three step %one iter_args(%v = %a) -> tensor<4xf32> {
    %d = func.call @twice(%v) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  return %b : tensor<4xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// Loops and branches without collectives are one task; so is a branch that all
// ranks take alike. A public function that is called keeps a schedule of its
// own.
// CHECK-LABEL: func.func @public
// CHECK: moe.task @inter "all_to_all"
// CHECK-LABEL: func.func @local
// CHECK: moe.task @compute "for"[0 of 1]
// CHECK-NEXT: scf.for
// CHECK: moe.task @compute "if"[0 of 1]
// CHECK-NEXT: scf.if
// CHECK: moe.task @inter "if.2"[0 of 1]
// CHECK-NEXT: scf.if
// CHECK-NEXT: moe.all_reduce
// CHECK-NEXT: moe.all_to_all
// CHECK: moe.task @inter "all_to_all"[0 of 1]
// CHECK: return
// REMARK: [Passed] schedule | Category:moe-schedule | Function=local
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func @local(%x: tensor<4xf32>, %n: index, %c: i1, %e: i1 {moe.varying = []}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<4xf32> {
    %d = arith.addf %v, %x : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  %g = scf.if %c -> tensor<4xf32> {
    %d = arith.negf %f : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %h = scf.if %e -> tensor<4xf32> {
    %d = moe.all_reduce %g on <@mesh, ["tp"]> : tensor<4xf32>
    %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %g : tensor<4xf32>
  }
  %r = call @public(%h) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// What is refused, each for its real reason; the function stays as it is.
// CHECK-NOT: moe.schedule
// REMARK: Function=varies | Reason="a branch around collectives requires the same condition on all ranks, got scf.if"
func.func @varies(%x: tensor<4xf32>, %c: i1 {moe.varying = ["tp"]}) -> tensor<4xf32> {
  %h = scf.if %c -> tensor<4xf32> {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %h : tensor<4xf32>
}
// REMARK: Function=unknown_trips | Reason="a loop around collectives requires a constant number of iterations, got scf.for"
func.func @unknown_trips(%x: tensor<4xf32>, %n: index {moe.varying = []}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<4xf32> {
    %a = moe.all_to_all %v on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  return %f : tensor<4xf32>
}
func.func private @elsewhere(%x: tensor<4xf32>) -> tensor<4xf32>
// REMARK: Function=external | Reason="expected calls of functions with a body, got one of @elsewhere"
func.func @external(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  %b = call @elsewhere(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
// REMARK: Function=itself | Reason="expected calls that come to an end, got @itself calling itself"
func.func @itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  %b = call @itself(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
// REMARK: Function=unknown_regions | Reason="expected branches and loops to be scf.if, scf.for, scf.while or scf.index_switch, got scf.execute_region"
func.func @unknown_regions(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  %b = scf.execute_region -> tensor<4xf32> {
    %c = arith.negf %a : tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  return %b : tensor<4xf32>
}
// REMARK: Function=pointer | Reason="expected calls of known functions, got func.call_indirect"
func.func @pointer(%x: tensor<4xf32>, %f: (tensor<4xf32>) -> tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xf32> -> tensor<4xf32>
  %b = call_indirect %f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
