// RUN: moe-opt %s --sccp | FileCheck %s

// Constants flow through control flow and layers, but what a collective gives
// is no constant: it depends on the other ranks.

moe.mesh @mesh axes ["one", "tp"] shape [1, 2]

// CHECK-LABEL: func.func @collective_of_constant
// CHECK: %[[C:.*]] = arith.constant dense<1.000000e+00>
// CHECK: %[[R:.*]] = moe.all_reduce %[[C]]
// CHECK: return %[[R]]
func.func @collective_of_constant() -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %r = moe.all_reduce %c on <@mesh, ["tp"]> : tensor<4xf32>
  return %r : tensor<4xf32>
}

// Over one rank it is one.
// CHECK-LABEL: func.func @one_rank
// CHECK-DAG: %[[F:.*]] = arith.constant dense<1.000000e+00>
// CHECK-DAG: %[[I:.*]] = arith.constant 0 : index
// CHECK: return %[[F]], %[[I]]
func.func @one_rank() -> (tensor<4xf32>, index) {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %r = moe.all_reduce %c on <@mesh, ["one"]> : tensor<4xf32>
  %i = moe.group_rank on <@mesh, ["one"]> : index
  return %r, %i : tensor<4xf32>, index
}

// The rank in a group is no constant.
// CHECK-LABEL: func.func @rank
// CHECK: %[[I:.*]] = moe.group_rank
// CHECK: return %[[I]]
func.func @rank() -> index {
  %i = moe.group_rank on <@mesh, ["tp"]> : index
  return %i : index
}

// A layer hands constants out and lets them in.
// CHECK-LABEL: func.func @layer
// CHECK: %[[C:.*]] = arith.constant 7 : index
// CHECK: return %[[C]]
func.func @layer() -> index {
  %c = arith.constant 7 : index
  %r = moe.layer "0" phase "fwd" {
    moe.yield %c : index
  } : index
  return %r : index
}

// The live branch keeps its collective, in its place.
// CHECK-LABEL: func.func @branches
// CHECK: scf.if
// CHECK-NEXT: %[[R:.*]] = moe.all_reduce
// CHECK-NEXT: scf.yield %[[R]]
func.func @branches(%x: tensor<4xf32>) -> tensor<4xf32> {
  %true = arith.constant true
  %r = scf.if %true -> tensor<4xf32> {
    %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
