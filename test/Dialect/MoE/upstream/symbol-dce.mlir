// RUN: moe-opt %s -split-input-file --symbol-dce | FileCheck %s

// A mesh stays, private or not: groups name it, and what does not name it
// (rank lists, `moe.varying`) still relies on it.

// CHECK: moe.mesh @mesh
moe.mesh @mesh axes ["ep"] shape [2] {sym_visibility = "private"}

// CHECK: func.func @named
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-NOT: func.func private @unused
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK: moe.mesh @mesh
moe.mesh @mesh axes ["ep"] shape [2] {sym_visibility = "private"}

// CHECK: func.func @varying
func.func @varying(%x: tensor<4xf32> {moe.varying = ["ep"]}) {
  return
}

// -----

// CHECK: moe.mesh @mesh
moe.mesh @mesh axes ["ep"] shape [2] {sym_visibility = "nested"}

// CHECK: func.func @lists
func.func @lists(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = moe.all_reduce %x on [[1, 0]] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The mesh of an inner module stays with the module.
// CHECK: module @inner attributes {sym_visibility = "private"}
// CHECK: moe.mesh @mesh
module @outer {
  module @inner attributes {sym_visibility = "private"} {
    moe.mesh @mesh axes ["ep"] shape [2] {sym_visibility = "private"}
    func.func @f() -> index {
      %i = moe.group_rank on <@mesh, ["ep"]> : index
      return %i : index
    }
  }
  func.func @uses() attributes {calls = @inner::@f} {
    return
  }
}
