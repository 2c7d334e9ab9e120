// RUN: moe-opt %s --cse | FileCheck %s

// Equal collectives in one block merge, on every rank alike; equal ones in
// different blocks do not, because one of them may not run.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func private @unknown()

// CHECK-LABEL: func.func @equal
// CHECK-COUNT-1: moe.all_to_all
// CHECK-COUNT-1: moe.ragged_all_to_all
// CHECK-COUNT-1: moe.all_gather
// CHECK-COUNT-1: moe.reduce_scatter
// CHECK-COUNT-1: moe.all_reduce
// CHECK-COUNT-1: moe.group_rank
// CHECK-NOT: moe.{{.*}} on
// CHECK: return
func.func @equal(%x: tensor<4xf32>, %n: tensor<2xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<4xf32>, tensor<4xf32>, index, index) {
  %a0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
      : tensor<4xf32> -> tensor<4xf32>
  %a1 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
      : tensor<4xf32> -> tensor<4xf32>
  %b0 = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%n, %n)
        recv(%n, %n) : tensor<4xf32>, tensor<2xi32> -> tensor<4xf32>
  %b1 = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%n, %n)
        recv(%n, %n) : tensor<4xf32>, tensor<2xi32> -> tensor<4xf32>
  %c0 = moe.all_gather %x on <@mesh, ["tp"]> dim 0
      : tensor<4xf32> -> tensor<8xf32>
  %c1 = moe.all_gather %x on <@mesh, ["tp"]> dim 0
      : tensor<4xf32> -> tensor<8xf32>
  %d0 = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
      : tensor<4xf32> -> tensor<2xf32>
  %d1 = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
      : tensor<4xf32> -> tensor<2xf32>
  %e0 = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  %e1 = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  %i0 = moe.group_rank on <@mesh, ["tp"]> : index
  %i1 = moe.group_rank on <@mesh, ["tp"]> : index
  return %a0, %a1, %b0, %b1, %c0, %c1, %d0, %d1, %e0, %e1, %i0, %i1
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
      tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>,
      tensor<4xf32>, tensor<4xf32>, index, index
}

// Another group, dim, reduction or operand is another collective.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-3: moe.all_reduce
// CHECK-COUNT-2: moe.all_gather
// CHECK-COUNT-2: moe.all_to_all
// CHECK: return
func.func @different(%x: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>,
        tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4x4xf32>
  %b = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4x4xf32>
  %c = moe.all_reduce %x on <@mesh, ["ep"]> reduction max : tensor<4x4xf32>
  %d = moe.all_gather %x on <@mesh, ["ep"]> dim 0
     : tensor<4x4xf32> -> tensor<8x4xf32>
  %e = moe.all_gather %x on <@mesh, ["ep"]> dim 1
     : tensor<4x4xf32> -> tensor<4x8xf32>
  %f = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4x4xf32> -> tensor<4x4xf32>
  %g = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 1
     : tensor<4x4xf32> -> tensor<4x4xf32>
  return %a, %b, %c, %d, %e, %f, %g : tensor<4x4xf32>, tensor<4x4xf32>,
    tensor<4x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>, tensor<4x4xf32>,
    tensor<4x4xf32>
}

// A collective before a loop or a branch is not merged with one inside.
// CHECK-LABEL: func.func @across_blocks
// CHECK: moe.all_reduce
// CHECK: scf.for
// CHECK: moe.all_reduce
// CHECK: scf.if
// CHECK: moe.all_reduce
// CHECK: else
// CHECK: moe.all_reduce
func.func @across_blocks(%x: tensor<4xf32>, %n: index, %c: i1)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  %b = scf.for %i = %zero to %n step %one iter_args(%acc = %a)
      -> tensor<4xf32> {
    %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    %t = arith.addf %acc, %s : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  %d = scf.if %c -> tensor<4xf32> {
    %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %a, %b, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What is in between may itself meet other ranks.
// CHECK-LABEL: func.func @unknown_between
// CHECK: moe.all_reduce
// CHECK: call @unknown
// CHECK: moe.all_reduce
func.func @unknown_between(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  call @unknown() : () -> ()
  %b = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
