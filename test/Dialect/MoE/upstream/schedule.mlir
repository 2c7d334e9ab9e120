// RUN: moe-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,CALLED,KEPT
// RUN: moe-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CALLED,KEPT
// RUN: moe-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,CALLED,KEPT
// RUN: moe-opt %s --control-flow-sink | FileCheck %s --check-prefixes=CHECK,CALLED,KEPT
// RUN: moe-opt %s --sccp | FileCheck %s --check-prefixes=CHECK,CALLED,KEPT
// RUN: moe-opt %s --symbol-dce | FileCheck %s --check-prefixes=CHECK,CALLED,DCE
// RUN: moe-opt %s --inline | FileCheck %s --check-prefixes=CHECK,INLINED,KEPT
// RUN: moe-opt %s --remove-dead-values | FileCheck %s --check-prefixes=CHECK,CALLED,KEPT
// RUN: moe-opt %s --topological-sort | FileCheck %s --check-prefixes=CHECK,CALLED,KEPT
// RUN: moe-opt %s --canonicalize --cse --loop-invariant-code-motion --control-flow-sink --sccp --symbol-dce --inline --remove-dead-values --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,INLINED,DCE

// Whatever upstream passes do: a schedule keeps its tasks, in their order, on
// their streams, used or not, and holds nothing else. A stream that a task
// names stays, private or not.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK: moe.stream @used inter {sym_visibility = "private"}
moe.stream @used inter {sym_visibility = "private"}
// KEPT: moe.stream @unused
// DCE-NOT: moe.stream @unused
moe.stream @unused inter {sym_visibility = "private"}
// CHECK: moe.stream @public copy
moe.stream @public copy

func.func private @negate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.negf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// Chunk 1 is a constant, "pure" and "dead" are used by nobody, "pure" does not
// even communicate, "calls" calls; the equal collectives of two tasks stay two.
// CHECK-LABEL: func.func @tasks
// CHECK: moe.schedule {
// CHECK-NEXT: %[[A:.*]], %[[T0:.*]] = moe.task @used "a"[0 of 2] layer "" phase "fwd" {
// CHECK: moe.all_reduce
// CHECK: %{{.*}}, %[[T1:.*]] = moe.task @used "a"[1 of 2] layer "" phase "fwd" after(%[[T0]]) {
// CHECK-NEXT: moe.yield
// CHECK-NEXT: } : tensor<4xf32>
// CHECK-NEXT: moe.task @public "pure"[0 of 1] layer "" phase "fwd" {
// CHECK: moe.yield
// CHECK-NEXT: } : tensor<4xf32>
// CHECK-NEXT: moe.task @public "dead"[0 of 1] layer "" phase "fwd" after(%[[T1]]) {
// KEPT-NEXT: moe.all_reduce
// CHECK: moe.yield
// CHECK-NEXT: } : tensor<4xf32>
// CHECK-NEXT: %[[C:.*]], %{{.*}} = moe.task @public "calls"[0 of 1] layer "" phase "fwd" {
// CALLED-NEXT: %[[D:.*]] = func.call @negate
// INLINED-NEXT: %[[D:.*]] = arith.negf
// CHECK-NEXT: moe.yield %[[D]]
// CHECK-NEXT: } : tensor<4xf32>
// CHECK-NEXT: moe.yield %{{.*}}, %[[A]], %[[C]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: } : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: return
func.func @tasks(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %r:3 = moe.schedule {
    %a, %t0 = moe.task @used "a"[0 of 2] layer "" phase "fwd" {
      %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
      %c = arith.addf %one, %one : tensor<4xf32>
      %d = arith.addf %c, %e : tensor<4xf32>
      moe.yield %d : tensor<4xf32>
    } : tensor<4xf32>
    %b, %t1 = moe.task @used "a"[1 of 2] layer "" phase "fwd" after(%t0) {
      moe.yield %one : tensor<4xf32>
    } : tensor<4xf32>
    %p, %t2 = moe.task @public "pure"[0 of 1] layer "" phase "fwd" {
      %n = arith.negf %x : tensor<4xf32>
      moe.yield %n : tensor<4xf32>
    } : tensor<4xf32>
    %q, %t3 = moe.task @public "dead"[0 of 1] layer "" phase "fwd" after(%t1) {
      %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
      moe.yield %e : tensor<4xf32>
    } : tensor<4xf32>
    %c, %t4 = moe.task @public "calls"[0 of 1] layer "" phase "fwd" {
      %d = func.call @negate(%x) : (tensor<4xf32>) -> tensor<4xf32>
      moe.yield %d : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %b, %a, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>
}

// A schedule that hands nothing out still launches its tasks.
// CHECK-LABEL: func.func @no_results
// CHECK-NEXT: moe.schedule {
// CHECK-NEXT: moe.task @public "a"[0 of 1] layer "" phase "bwd" {
// CHECK-NEXT: moe.yield
// CHECK-NEXT: }
// CHECK-NEXT: moe.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @no_results() {
  moe.schedule {
    moe.task @public "a"[0 of 1] layer "" phase "bwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// A function with a schedule is not inlined: its caller has one of its own.
// CHECK-LABEL: func.func @caller
// CHECK: call @no_results
// CHECK-NEXT: moe.schedule
func.func @caller() {
  call @no_results() : () -> ()
  moe.schedule {
    moe.task @used "a"[0 of 1] layer "" phase "bwd" {
      moe.yield
    }
    moe.yield
  }
  return
}

// What a schedule needs stays in front of it.
// CHECK-LABEL: func.func @around
// CHECK: moe.all_reduce
// CHECK: moe.transpose
// CHECK: moe.schedule
func.func @around(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4x4xf32>
  %t = moe.transpose %e [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %r = moe.schedule {
    %a, %t0 = moe.task @public "a"[0 of 1] layer "" phase "bwd" {
      %f = moe.all_reduce %t on <@mesh, ["tp"]> : tensor<4x4xf32>
      moe.yield %f : tensor<4x4xf32>
    } : tensor<4x4xf32>
    moe.yield %a : tensor<4x4xf32>
  } : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// A value that no task and nobody else uses stays what it was: an op that makes
// no value of the program would take part in the task.
// CHECK-LABEL: func.func @unused_value
// CHECK: moe.task @public "two"[0 of 1]
// CHECK-NOT: ub.poison
// CHECK: moe.task @public "one"[0 of 1]
// CHECK-NOT: ub.poison
// CHECK: return
func.func @unused_value(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r:2 = moe.schedule {
    %a:2, %t0 = moe.task @public "two"[0 of 1] layer "" phase "bwd" {
      %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
      %n = arith.negf %e : tensor<4xf32>
      moe.yield %n, %e : tensor<4xf32>, tensor<4xf32>
    } : tensor<4xf32>, tensor<4xf32>
    %b, %t1 = moe.task @public "one"[0 of 1] layer "" phase "bwd" {
      %e = moe.all_reduce %a#1 on <@mesh, ["tp"]> : tensor<4xf32>
      moe.yield %e : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a#1, %b : tensor<4xf32>, tensor<4xf32>
  } : tensor<4xf32>, tensor<4xf32>
  return %r#0 : tensor<4xf32>
}
