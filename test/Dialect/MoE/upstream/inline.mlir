// RUN: moe-opt %s --inline | FileCheck %s

// What is inlined runs.
// DEFINE: %{entry} =
// DEFINE: %{same} = moe-run %s --entry=%{entry} | sed 1d >%t.expected && moe-run --backend=host %s --entry=%{entry} | sed 1d | diff %t.expected -
// REDEFINE: %{entry} = scheduled
// RUN: %{same}
// REDEFINE: %{entry} = calls_scheduled
// RUN: %{same}
// REDEFINE: %{entry} = calls_calls_scheduled
// RUN: %{same}
// RUN: not moe-run --backend=host %s --entry=calls_scheduled_twice 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: {{.*}}: expected calls to be inlined

// Functions with ops of the dialect are inlined: into functions, layers,
// pipelines, branches and tasks.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @links inter

func.func private @exchange(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  return %a : tensor<4xf32>
}

func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = func.call @exchange(%x) : (tensor<4xf32>) -> tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func private @halves(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<2xf32>
  return %a : tensor<2xf32>
}

// CHECK-LABEL: func.func @everywhere
// CHECK-NOT: call
// CHECK: moe.all_reduce
// CHECK: moe.layer "0"
// CHECK-NEXT: moe.all_reduce
// CHECK: moe.pipeline
// CHECK-NEXT: moe.all_reduce
// CHECK: scf.if
// CHECK-NEXT: moe.all_reduce
// CHECK: return
func.func @everywhere(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %a = call @exchange(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = call @layer(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %p = moe.pipeline degree 2 (%h = %b split 0 : tensor<4xf32> as tensor<2xf32>) {
    %e = func.call @halves(%h) : (tensor<2xf32>) -> tensor<2xf32>
    moe.yield %e : tensor<2xf32>
  } -> concat 0 : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %d = func.call @exchange(%p) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  } else {
    scf.yield %p : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A task is a place like any other; its callers' schedule keeps what it holds.
// CHECK-LABEL: func.func @scheduled
// CHECK: moe.task @links "a"
// CHECK-NEXT: moe.all_reduce
func.func @scheduled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.schedule {
    %a, %t = moe.task @links "a"[0 of 1] layer "" phase "fwd" {
      %b = func.call @exchange(%x) : (tensor<4xf32>) -> tensor<4xf32>
      moe.yield %b : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// A schedule comes into a function that has none, with what stands around it.
// CHECK-LABEL: func.func @calls_scheduled(
// CHECK-NOT: call
// CHECK: arith.negf
// CHECK-NEXT: moe.schedule
// CHECK-NEXT: moe.task
// CHECK: arith.negf
func.func @calls_scheduled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = arith.negf %x : tensor<4xf32>
  %r = call @scheduled(%n) : (tensor<4xf32>) -> tensor<4xf32>
  %m = arith.negf %r : tensor<4xf32>
  return %m : tensor<4xf32>
}

// CHECK-LABEL: func.func @calls_calls_scheduled
// CHECK-NOT: call
// CHECK: moe.schedule
// CHECK: return
func.func @calls_calls_scheduled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @calls_scheduled(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A function has one schedule: one that has it already calls the other.
// CHECK-LABEL: func.func @calls_scheduled_twice
// CHECK-NEXT: moe.schedule
// CHECK-NOT: moe.schedule
// CHECK: call @scheduled
// CHECK-NOT: moe.schedule
// CHECK: return
func.func @calls_scheduled_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = call @scheduled(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = call @scheduled(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// Nor does a schedule come into a task, a layer or a branch.
// CHECK-LABEL: func.func @schedule_in_task
// CHECK: moe.task
// CHECK-NEXT: call @scheduled
func.func @schedule_in_task(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.schedule {
    %a, %t = moe.task @links "a"[0 of 1] layer "" phase "fwd" {
      %b = func.call @scheduled(%x) : (tensor<4xf32>) -> tensor<4xf32>
      moe.yield %b : tensor<4xf32>
    } : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-LABEL: func.func @schedule_in_layer
// CHECK: moe.layer
// CHECK-NEXT: call @scheduled
func.func @schedule_in_layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = func.call @scheduled(%x) : (tensor<4xf32>) -> tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
// CHECK-LABEL: func.func @schedule_in_branch
// CHECK: scf.if
// CHECK-NEXT: call @scheduled
func.func @schedule_in_branch(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %d = func.call @scheduled(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A region of the dialect is one block: a function of several is called.
func.func private @blocks(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %a = arith.negf %x : tensor<4xf32>
  return %a : tensor<4xf32>
^b:
  return %x : tensor<4xf32>
}
// CHECK-LABEL: func.func @calls_blocks
// CHECK: moe.layer
// CHECK-NEXT: call @blocks
func.func @calls_blocks(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = moe.layer "0" phase "fwd" {
    %a = func.call @blocks(%x, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}
