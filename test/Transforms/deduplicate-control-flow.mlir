// RUN: moe-opt %s -split-input-file -moe-decompose-all-to-all -moe-verify-collectives | FileCheck %s
// RUN: moe-opt %s -split-input-file -moe-decompose-all-to-all --remarks-filter=.* -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A gather over "tp" goes only where all ranks along "tp" come: not into
// control flow whose condition varies over it, though the all-to-all over "ep"
// may stand there and what it sends is the same along "tp".

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// REMARK: remark: [Missed] decompose {{.*}}Function=branch{{.*}}expected the control flow around it to be the same on ranks that differ in ["tp"], got scf.if
// CHECK-LABEL: func.func @branch
// CHECK-NOT: moe.all_gather
// CHECK: } else {
// CHECK: moe.all_gather
// CHECK: return
func.func @branch(%x: tensor<2x2x2xf32> {moe.varying = ["ep"]}, %e: i1 {moe.varying = []}) -> tensor<2x2x2xf32> {
  %zero = arith.constant 0 : index
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  %c = arith.cmpi eq, %i, %zero : index
  %r = scf.if %c -> tensor<2x2x2xf32> {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
    scf.yield %a : tensor<2x2x2xf32>
  } else {
    scf.yield %x : tensor<2x2x2xf32>
  }
  // This one all ranks reach alike.
  %s = scf.if %e -> tensor<2x2x2xf32> {
    scf.yield %r : tensor<2x2x2xf32>
  } else {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
    scf.yield %a : tensor<2x2x2xf32>
  }
  return %s : tensor<2x2x2xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// REMARK: remark: [Missed] decompose {{.*}}Function=loops{{.*}}got scf.for
// REMARK: remark: [Missed] decompose {{.*}}Function=loops{{.*}}got scf.while
// REMARK: remark: [Missed] decompose {{.*}}Function=loops{{.*}}got scf.index_switch
// CHECK-LABEL: func.func @loops
// CHECK-NOT: moe.all_gather
// CHECK: return
func.func @loops(%x: tensor<2x2x2xf32> {moe.varying = []}) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  %f = scf.for %j = %zero to %i step %one iter_args(%v = %x) -> tensor<2x2x2xf32> {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
    scf.yield %a : tensor<2x2x2xf32>
  }
  %w:2 = scf.while (%k = %zero, %v = %x) : (index, tensor<2x2x2xf32>) -> (index, tensor<2x2x2xf32>) {
    %c = arith.cmpi ult, %k, %i : index
    scf.condition(%c) %k, %v : index, tensor<2x2x2xf32>
  } do {
  ^bb0(%k: index, %v: tensor<2x2x2xf32>):
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
    %n = arith.addi %k, %one : index
    scf.yield %n, %a : index, tensor<2x2x2xf32>
  }
  %s = scf.index_switch %i -> tensor<2x2x2xf32>
  case 0 {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
    scf.yield %a : tensor<2x2x2xf32>
  }
  default {
    scf.yield %x : tensor<2x2x2xf32>
  }
  return %f, %w#1, %s : tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// Called by some ranks along "tp" only, through another function.
// REMARK: remark: [Missed] decompose {{.*}}Function=inner{{.*}}expected the control flow around calls of the function to be the same on ranks that differ in ["tp"], got scf.if
// REMARK: remark: [Missed] decompose {{.*}}Function=blocks{{.*}}got cf.cond_br
// REMARK: remark: [Missed] decompose {{.*}}Function=taken{{.*}}around calls of the function{{.*}}got func.constant
// CHECK-NOT: moe.all_gather
// CHECK: func.func private @everywhere
// CHECK: moe.all_gather
func.func private @inner() -> tensor<2x2x2xf32> {
  %x = arith.constant dense<1.0> : tensor<2x2x2xf32>
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
  return %a : tensor<2x2x2xf32>
}
func.func private @outer() -> tensor<2x2x2xf32> {
  %a = call @inner() : () -> tensor<2x2x2xf32>
  return %a : tensor<2x2x2xf32>
}
func.func @call(%c: i1 {moe.varying = ["tp"]}, %x: tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>) {
  %r = scf.if %c -> tensor<2x2x2xf32> {
    %a = func.call @outer() : () -> tensor<2x2x2xf32>
    scf.yield %a : tensor<2x2x2xf32>
  } else {
    scf.yield %x : tensor<2x2x2xf32>
  }
  %s = call @everywhere() : () -> tensor<2x2x2xf32>
  return %r, %s : tensor<2x2x2xf32>, tensor<2x2x2xf32>
}
func.func @blocks(%c: i1 {moe.varying = ["tp"]}, %x: tensor<2x2x2xf32> {moe.varying = []}) -> tensor<2x2x2xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
  return %a : tensor<2x2x2xf32>
^b:
  return %x : tensor<2x2x2xf32>
}
func.func private @taken() -> tensor<2x2x2xf32> {
  %x = arith.constant dense<1.0> : tensor<2x2x2xf32>
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
  return %a : tensor<2x2x2xf32>
}
func.func @pointer() -> (() -> tensor<2x2x2xf32>) {
  %f = constant @taken : () -> tensor<2x2x2xf32>
  return %f : () -> tensor<2x2x2xf32>
}
func.func private @everywhere() -> tensor<2x2x2xf32> {
  %x = arith.constant dense<1.0> : tensor<2x2x2xf32>
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x2xf32> -> tensor<2x2x2xf32>
  return %a : tensor<2x2x2xf32>
}
