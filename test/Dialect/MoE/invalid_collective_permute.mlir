// RUN: moe-opt %s -split-input-file -verify-diagnostics

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected as many positions in to as in from, 2, got 1}}
  %r = moe.collective_permute %x on <@mesh, ["ep"]> from [0, 1] to [1] : tensor<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected positions in [0, 2) in to, got 2}}
  %r = moe.collective_permute %x on <@mesh, ["ep"]> from [0] to [2] : tensor<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected positions in [0, 3) in from, got -9223372036854775808}}
  %r = moe.collective_permute %x on <@mesh, ["tp"]> from [-9223372036854775808] to [2] : tensor<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected each position once in to, got 1 twice}}
  %r = moe.collective_permute %x on <@mesh, ["tp"]> from [0, 2] to [1, 1] : tensor<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected each position once in from, got 0 twice}}
  %r = moe.collective_permute %x on <@mesh, ["tp"]> from [0, 0] to [1, 2] : tensor<4xf32>
  return
}

// -----

// expected-note@+1 {{the mesh has axes ["ep", "tp"]}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{unknown axis "pp"}}
  %r = moe.collective_permute %x on <@mesh, ["pp"]> from [0] to [1] : tensor<4xf32>
  return
}
