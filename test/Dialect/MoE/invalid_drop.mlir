// RUN: moe-opt %s -split-input-file -verify-diagnostics

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected dim in [0, 2), got -1}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim -1 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected dim in [0, 2), got 2}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 2 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected dim in [0, 2), got -9223372036854775808}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim -9223372036854775808 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected dim in [0, 2), got 9223372036854775807}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 9223372036854775807 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{expected dim in [0, 0), got 0}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected @mesh to name a moe.mesh}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 0 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

// expected-note@+1 {{the mesh has axes ["ep", "tp"]}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{group names unknown axis "dp"}}
  %r = moe.drop %x on <@mesh, ["dp"]> dim 0 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

// expected-note@+1 {{the mesh is declared here}}
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected replica groups of all 6 ranks of the mesh, got 2}}
  %r = moe.drop %x on [[0, 1]] dim 0 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected dim 0 to divide by the 3 ranks of the group, got 4}}
  %r = moe.drop %x on <@mesh, ["tp"]> dim 0 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

// No rank of so many is looked at.
moe.mesh @mesh axes ["x"] shape [2147483647]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected dim 1 to divide by the 2147483647 ranks of the group, got 6}}
  %r = moe.drop %x on <@mesh, ["x"]> dim 1 : tensor<4x6xf32> -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x6xf32>', got 'tensor<4x6xf32>'}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 0 : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<?x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<?x3xf32>', got 'tensor<?x6xf32>'}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 1 : tensor<?x6xf32> -> tensor<?x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x6xf32>', got 'tensor<2x6xi32>'}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 0 : tensor<4x6xf32> -> tensor<2x6xi32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<*xf32>) {
  // expected-error@+1 {{invalid kind of type specified: expected builtin.tensor}}
  %r = moe.drop %x on <@mesh, ["ep"]> dim 0 : tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{requires attribute 'dim'}}
  "moe.drop"(%x) <{group = #moe.group<@mesh, ["ep"]>}> : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{requires attribute 'group'}}
  "moe.drop"(%x) <{dim = 0 : i64}> : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute}}
  "moe.drop"(%x) <{group = #moe.group<@mesh, ["ep"]>, dim = 0 : index}> : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<*xf32>) {
  // expected-error@+1 {{must be ranked tensor of integer or floating-point or index values}}
  "moe.drop"(%x) <{group = #moe.group<@mesh, ["ep"]>, dim = 0 : i64}> : (tensor<*xf32>) -> tensor<*xf32>
  return
}
