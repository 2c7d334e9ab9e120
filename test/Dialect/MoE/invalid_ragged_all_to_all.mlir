// RUN: moe-opt %s -split-input-file -verify-diagnostics

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<f32>, %z: tensor<f32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected an operand of rank at least 1, got 'tensor<f32>'}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<f32>, tensor<2xi32> -> tensor<f32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected init to have the operand's rank and element type, got 'tensor<4xf32>' for 'tensor<3x8xf32>'}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<2xi32> -> tensor<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3xf32>, %z: tensor<4xf16>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected init to have the operand's rank and element type, got 'tensor<4xf16>' for 'tensor<3xf32>'}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3xf32>, tensor<2xi32> -> tensor<4xf16>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4x9xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected init to have size 8 in dim 1, got 9}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<2xi32> -> tensor<4x9xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4x8xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected @other to name a moe.mesh}}
  %r = moe.ragged_all_to_all %x into %z on <@other, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<2xi32> -> tensor<4x8xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4x8xf32>, %n: tensor<3xi32>) {
  // expected-error@+1 {{expected offsets and sizes to be vectors of 2 integers, one per rank of the group, got 'tensor<3xi32>'}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<3xi32> -> tensor<4x8xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4x8xf32>, %n: tensor<i32>) {
  // expected-error@+1 {{expected offsets and sizes to be vectors of 6 integers, one per rank of the group, got 'tensor<i32>'}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep", "tp"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<i32> -> tensor<4x8xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4x8xf32>, %n: tensor<2x1xi32>) {
  // expected-error@+1 {{expected offsets and sizes to be vectors of 2 integers, one per rank of the group, got 'tensor<2x1xi32>'}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<2x1xi32> -> tensor<4x8xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4x8xf32>, %n: tensor<2xf32>) {
  // expected-error@+1 {{must be ranked tensor of signless integer or index values}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<2xf32> -> tensor<4x8xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3x8xf32>, %z: tensor<4x8xf32>, %n: tensor<2xui32>) {
  // expected-error@+1 {{must be ranked tensor of signless integer or index values}}
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%n, %n) recv(%n, %n) : tensor<3x8xf32>, tensor<2xui32> -> tensor<4x8xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{failed to verify that all of {init, result} have same type}}
  "moe.ragged_all_to_all"(%x, %x, %n, %n, %n, %n) <{group = #moe.group<@mesh, ["ep"]>}> : (tensor<3xf32>, tensor<3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3xf32>, %n: tensor<2xi32>, %m: tensor<2xi64>) {
  // expected-error@+1 {{failed to verify that all of {sendOffsets, sendSizes, recvOffsets, recvSizes} have same type}}
  "moe.ragged_all_to_all"(%x, %x, %n, %n, %n, %m) <{group = #moe.group<@mesh, ["ep"]>}> : (tensor<3xf32>, tensor<3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{expected 6 operands, but found 5}}
  "moe.ragged_all_to_all"(%x, %x, %n, %n, %n) <{group = #moe.group<@mesh, ["ep"]>}> : (tensor<3xf32>, tensor<3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<3xf32>, %n: tensor<2xi32>) {
  // expected-error@+1 {{requires attribute 'group'}}
  "moe.ragged_all_to_all"(%x, %x, %n, %n, %n, %n) : (tensor<3xf32>, tensor<3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3xf32>
  return
}
