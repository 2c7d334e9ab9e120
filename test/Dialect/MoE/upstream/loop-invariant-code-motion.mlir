// RUN: moe-opt %s --allow-unregistered-dialect --loop-invariant-code-motion | FileCheck %s

// A loop may run zero times, and on another number of ranks than its
// surroundings: no collective leaves it, though all operands are invariant.
// What moves data within a rank may.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-LABEL: func.func @collectives
// CHECK-NOT: moe.
// CHECK: scf.for
// CHECK-NEXT: moe.all_to_all
// CHECK-NEXT: moe.ragged_all_to_all
// CHECK-NEXT: moe.all_gather
// CHECK-NEXT: moe.reduce_scatter
// CHECK-NEXT: moe.all_reduce
// CHECK-NEXT: "test.use"
func.func @collectives(%x: tensor<4xf32>, %m: tensor<2xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
       : tensor<4xf32> -> tensor<4xf32>
    %b = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%m, %m)
         recv(%m, %m) : tensor<4xf32>, tensor<2xi32> -> tensor<4xf32>
    %c = moe.all_gather %x on <@mesh, ["tp"]> dim 0
       : tensor<4xf32> -> tensor<8xf32>
    %d = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
       : tensor<4xf32> -> tensor<2xf32>
    %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    "test.use"(%a, %b, %c, %d, %e) : (tensor<4xf32>, tensor<4xf32>,
        tensor<8xf32>, tensor<2xf32>, tensor<4xf32>) -> ()
  }
  return
}

// The ops in between leave, the collective and what needs it stay.
// CHECK-LABEL: func.func @around
// CHECK: %[[DROP:.*]] = moe.drop
// CHECK: %[[TRANSPOSE:.*]] = moe.transpose
// CHECK: scf.while
// CHECK: } do {
// CHECK-NEXT: %[[GATHER:.*]] = moe.all_gather %[[DROP]]
// CHECK-NEXT: %[[SUM:.*]] = moe.assemble %[[GATHER]], %[[TRANSPOSE]]
func.func @around(%x: tensor<4x4xf32>, %c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    %d = moe.drop %x on <@mesh, ["tp"]> dim 0
       : tensor<4x4xf32> -> tensor<2x4xf32>
    %g = moe.all_gather %d on <@mesh, ["tp"]> dim 0
       : tensor<2x4xf32> -> tensor<4x4xf32>
    %t = moe.transpose %x [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
    %r = moe.assemble %g, %t dim 0
       : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
    "test.use"(%r) : (tensor<8x4xf32>) -> ()
    scf.yield
  }
  return
}

// A layer with a collective stays whole.
// CHECK-LABEL: func.func @layer
// CHECK: scf.for
// CHECK-NEXT: moe.layer
// CHECK-NEXT: moe.all_reduce
func.func @layer(%x: tensor<4xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %y = moe.layer "0" phase "fwd" {
      %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
      moe.yield %a : tensor<4xf32>
    } : tensor<4xf32>
    "test.use"(%y) : (tensor<4xf32>) -> ()
  }
  return
}
