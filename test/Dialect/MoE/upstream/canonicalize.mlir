// RUN: moe-opt %s --canonicalize | FileCheck %s

// Dead collectives go, on every rank alike; live ones stay where they are.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%x: tensor<4xf32>, %n: tensor<2xi32>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4xf32> -> tensor<4xf32>
  %b = moe.ragged_all_to_all %a into %x on <@mesh, ["ep"]> send(%n, %n)
       recv(%n, %n) : tensor<4xf32>, tensor<2xi32> -> tensor<4xf32>
  %c = moe.all_gather %b on <@mesh, ["tp"]> dim 0
     : tensor<4xf32> -> tensor<8xf32>
  %d = moe.reduce_scatter %c on <@mesh, ["tp"]> dim 0
     : tensor<8xf32> -> tensor<4xf32>
  %e = moe.all_reduce %d on <@mesh, ["tp"]> : tensor<4xf32>
  %f = moe.drop %e on <@mesh, ["tp"]> dim 0 : tensor<4xf32> -> tensor<2xf32>
  return
}

// A layer that hands nothing out and writes nothing is dead as well.
// CHECK-LABEL: func.func @dead_layer
// CHECK-NEXT: return
func.func @dead_layer(%x: tensor<4xf32>) {
  %y = moe.layer "0" phase "fwd" {
    %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return
}

// A layer with a live result stays, though nothing in it depends on it.
// CHECK-LABEL: func.func @live_layer
// CHECK: moe.layer "0"
// CHECK-NEXT: %[[R:.*]] = moe.all_reduce
// CHECK-NEXT: moe.yield %[[R]]
func.func @live_layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = moe.layer "0" phase "fwd" {
    %dead = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
    %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    moe.yield %a : tensor<4xf32>
  } : tensor<4xf32>
  return %y : tensor<4xf32>
}

// Invariant operands do not move a collective out of a loop or a branch.
// CHECK-LABEL: func.func @control_flow
// CHECK: scf.for
// CHECK-NEXT: %[[A:.*]] = moe.all_reduce
// CHECK: scf.yield
// CHECK: scf.if
// CHECK-NEXT: %[[B:.*]] = moe.all_gather
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: else
// CHECK-NEXT: scf.yield
func.func @control_flow(%x: tensor<4xf32>, %y: tensor<8xf32>, %n: index,
                        %c: i1) -> (tensor<4xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%acc = %x)
      -> tensor<4xf32> {
    %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    %s = arith.addf %acc, %a : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %g = scf.if %c -> tensor<8xf32> {
    %b = moe.all_gather %x on <@mesh, ["tp"]> dim 0
       : tensor<4xf32> -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  } else {
    scf.yield %y : tensor<8xf32>
  }
  return %r, %g : tensor<4xf32>, tensor<8xf32>
}

// Two equal collectives in the two branches are not one before them: a branch
// of pure ops would become a select.
// CHECK-LABEL: func.func @both_branches
// CHECK: scf.if
// CHECK-NEXT: moe.all_reduce
// CHECK: else
// CHECK-NEXT: moe.all_reduce
// CHECK-NOT: arith.select
func.func @both_branches(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1)
    -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %b = moe.all_reduce %y on <@mesh, ["tp"]> : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
