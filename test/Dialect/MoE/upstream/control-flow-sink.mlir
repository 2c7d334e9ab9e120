// RUN: moe-opt %s --control-flow-sink | FileCheck %s

// A collective that only one branch uses still runs before the branch: the
// other ranks of its group wait for it there.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-LABEL: func.func @collectives
// CHECK-NEXT: %[[A:.*]] = moe.all_to_all
// CHECK-NEXT: %[[B:.*]] = moe.ragged_all_to_all
// CHECK-NEXT: %[[C:.*]] = moe.all_gather
// CHECK-NEXT: %[[D:.*]] = moe.reduce_scatter
// CHECK-NEXT: %[[E:.*]] = moe.all_reduce
// CHECK-NEXT: scf.if
// CHECK-NOT: moe.
// CHECK: return
func.func @collectives(%x: tensor<4xf32>, %m: tensor<2xi32>, %c: i1)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<2xf32>,
        tensor<4xf32>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4xf32> -> tensor<4xf32>
  %b = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%m, %m)
       recv(%m, %m) : tensor<4xf32>, tensor<2xi32> -> tensor<4xf32>
  %g = moe.all_gather %x on <@mesh, ["tp"]> dim 0
     : tensor<4xf32> -> tensor<8xf32>
  %d = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0
     : tensor<4xf32> -> tensor<2xf32>
  %e = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
  %r:5 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>,
                       tensor<2xf32>, tensor<4xf32>) {
    scf.yield %a, %b, %g, %d, %e : tensor<4xf32>, tensor<4xf32>,
      tensor<8xf32>, tensor<2xf32>, tensor<4xf32>
  } else {
    %z2 = arith.constant dense<0.0> : tensor<2xf32>
    %z8 = arith.constant dense<0.0> : tensor<8xf32>
    scf.yield %x, %x, %z8, %z2, %x : tensor<4xf32>, tensor<4xf32>,
      tensor<8xf32>, tensor<2xf32>, tensor<4xf32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<4xf32>, tensor<4xf32>,
    tensor<8xf32>, tensor<2xf32>, tensor<4xf32>
}

// Data movement within a rank may sink, up to the collective that needs it.
// CHECK-LABEL: func.func @local
// CHECK-NEXT: moe.drop
// CHECK-NEXT: moe.all_gather
// CHECK-NEXT: scf.if
// CHECK-NEXT: moe.transpose
func.func @local(%x: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 0
     : tensor<4x4xf32> -> tensor<2x4xf32>
  %g = moe.all_gather %d on <@mesh, ["tp"]> dim 0
     : tensor<2x4xf32> -> tensor<4x4xf32>
  %t = moe.transpose %g [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %r = scf.if %c -> tensor<4x4xf32> {
    scf.yield %t : tensor<4x4xf32>
  } else {
    scf.yield %x : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// Nor does a layer with a collective sink, and nothing but pure ops sinks
// into a layer, which runs exactly once.
// CHECK-LABEL: func.func @layers
// CHECK-NEXT: moe.all_reduce
// CHECK-NEXT: moe.layer "0"
// CHECK-NEXT: moe.transpose
// CHECK-NEXT: moe.all_reduce
// CHECK: scf.if
// CHECK-NOT: moe.layer
// CHECK: return
func.func @layers(%x: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %t = moe.transpose %x [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %a = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4x4xf32>
  %y = moe.layer "0" phase "fwd" {
    %b = moe.all_reduce %t on <@mesh, ["tp"]> : tensor<4x4xf32>
    %s = arith.addf %a, %b : tensor<4x4xf32>
    moe.yield %s : tensor<4x4xf32>
  } : tensor<4x4xf32>
  %r = scf.if %c -> tensor<4x4xf32> {
    scf.yield %y : tensor<4x4xf32>
  } else {
    scf.yield %x : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
