// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected @mesh to name a moe.mesh}}
  %r = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4x6xf32>
  return
}

// -----

// expected-note@+1 {{the mesh is declared here}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected replica groups of all 6 ranks of the mesh, got 2}}
  %r = moe.all_reduce %x on [[0, 1]] : tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+2 {{expected ::moe::Reduction to be one of: sum, prod, min, max}}
  // expected-error@+1 {{failed to parse MoE_ReductionAttr}}
  %r = moe.all_reduce %x on <@mesh, ["ep"]> reduction avg : tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same type}}
  "moe.all_reduce"(%x) <{group = #moe.group<@mesh, ["ep"]>}> : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{requires attribute 'group'}}
  "moe.all_reduce"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xcomplex<f64>>) {
  // expected-error@+1 {{must be ranked tensor of integer or floating-point or index values}}
  %r = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xcomplex<f64>>
  return
}

// -----

// The colon is taken for that of the attribute: see the dialect's page.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected ':'}}
  %r = moe.all_reduce %x on #moe.group<@mesh, ["ep"]> : tensor<4x6xf32>
  return
}
