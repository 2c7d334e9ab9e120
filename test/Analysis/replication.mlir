// RUN: moe-opt %s -split-input-file -allow-unregistered-dialect -moe-print-replication -verify-diagnostics -o /dev/null

moe.mesh @mesh axes ["dp", "ep", "tp", "one"] shape [2, 2, 2, 1]

func.func @collectives(
    // expected-remark @below {{argument 0 varies over ["ep"]}}
    %x: tensor<4x4xf32> {moe.varying = ["ep"]},
    // expected-remark @below {{argument 1 varies over ["dp", "ep", "tp"]}}
    %y: tensor<4x4xf32>,
    // expected-remark @below {{argument 2 varies over []}}
    %z: tensor<4x4xf32> {moe.varying = ["one"]}) {
  // expected-remark @below {{varies over ["ep", "tp"]}}
  %0 = moe.drop %x on <@mesh, ["tp"]> dim 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  // expected-remark @below {{varies over ["ep"]}}
  %1 = moe.all_gather %0 on <@mesh, ["tp"]> dim 0 : tensor<2x4xf32> -> tensor<4x4xf32>
  // expected-remark @below {{varies over ["dp", "tp"]}}
  %2 = moe.all_reduce %y on <@mesh, ["ep"]> : tensor<4x4xf32>
  // expected-remark @below {{varies over ["ep"]}}
  %3 = moe.all_to_all %z on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x4xf32> -> tensor<4x4xf32>
  // expected-remark @below {{varies over ["ep", "tp"]}}
  %4 = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  // expected-remark @below {{varies over ["dp"]}}
  %5 = moe.group_rank on <@mesh, ["dp"]> : index
  // expected-remark @below {{varies over ["dp", "ep", "tp"]}}
  %6 = moe.all_gather %x on [[0, 1], [2, 3], [4, 5], [6, 7]] dim 0 : tensor<4x4xf32> -> tensor<8x4xf32>
  // expected-remark @below {{varies over []}}
  %7 = arith.constant dense<0.0> : tensor<4x4xf32>
  // expected-remark @below {{varies over ["ep"]}}
  %8 = arith.addf %x, %7 : tensor<4x4xf32>
  // expected-remark @below {{varies over []}}
  %counts = arith.constant dense<0> : tensor<2x4xi32>
  // expected-remark @below {{varies over ["ep"], ["ep"], ["ep"], ["ep"], ["ep"], ["ep"]}}
  %plan:6 = moe.ragged_plan %counts on <@mesh, ["ep"]> limit 6
    : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  // expected-remark @below {{varies over ["dp", "ep", "tp"]}}
  %9 = "test.unknown"(%7) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// What a branch hands out also varies with the condition.
func.func @control(
    // expected-remark @below {{argument 0 varies over ["tp"]}}
    %c: i1 {moe.varying = ["tp"]},
    // expected-remark @below {{argument 1 varies over ["ep"]}}
    %n: index {moe.varying = ["ep"]}) {
  // expected-remark @below {{varies over []}}
  %a = arith.constant 1.0 : f32
  // expected-remark @below {{varies over []}}
  %b = arith.constant 2.0 : f32
  // expected-remark @below {{varies over []}}
  %c0 = arith.constant 0 : index
  // expected-remark @below {{varies over []}}
  %c1 = arith.constant 1 : index
  // expected-remark @below {{varies over ["tp"]}}
  %r = scf.if %c -> f32 {
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  // The bounds reach the induction variable, what is carried, and the result.
  // expected-remark @+3 {{argument 0 varies over ["ep"]}}
  // expected-remark @+2 {{argument 1 varies over ["ep"]}}
  // expected-remark @+1 {{varies over ["ep"]}}
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> f32 {
    // expected-remark @below {{varies over ["ep"]}}
    %y = arith.addf %x, %b : f32
    scf.yield %y : f32
  }
  // A value carried around a loop joins all its iterations.
  // expected-remark @+3 {{argument 0 varies over []}}
  // expected-remark @+2 {{argument 1 varies over ["tp"]}}
  // expected-remark @+1 {{varies over ["tp"]}}
  %t = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> f32 {
    // expected-remark @below {{varies over ["tp"]}}
    %y = arith.addf %x, %r : f32
    scf.yield %y : f32
  }
  // expected-remark @below {{varies over []}}
  %l = moe.layer "0" phase "fwd" {
    moe.yield %a : f32
  } : f32
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// A private function takes what its callers hand in.
// expected-remark @below {{argument 0 varies over ["ep"]}}
func.func private @callee(%x: f32) -> f32 {
  return %x : f32
}
// expected-remark @below {{argument 0 varies over ["ep"]}}
func.func @caller(%x: f32 {moe.varying = ["ep"]}) -> f32 {
  // expected-remark @below {{varies over ["ep"]}}
  %r = call @callee(%x) : (f32) -> f32
  return %r : f32
}

// -----

// Without a mesh, ranks cannot be told apart along axes.
// expected-remark @below {{argument 0 varies over [ranks]}}
func.func @no_mesh(%x: tensor<2xf32>) {
  // expected-remark @below {{varies over []}}
  %c = arith.constant 1.0 : f32
  // expected-remark @below {{varies over [ranks]}}
  %s = moe.all_reduce %x on [[0, 1]] : tensor<2xf32>
  return
}
