// RUN: moe-opt %s -split-input-file -verify-diagnostics

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected split in [0, 2), got -1}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split -1 concat 0 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected split in [0, 2), got 2}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 2 concat 0 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected split in [0, 2), got -9223372036854775808}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split -9223372036854775808 concat 0 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected split in [0, 2), got 9223372036854775807}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 9223372036854775807 concat 0 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected concat in [0, 2), got -1}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat -1 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected concat in [0, 2), got 2}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 2 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{expected split in [0, 0), got 0}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected @other to name a moe.mesh}}
  %r = moe.all_to_all %x on <@other, ["ep"]> split 0 concat 0 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected split dim 0 to divide by the 3 ranks of the group, got 4}}
  %r = moe.all_to_all %x on <@mesh, ["tp"]> split 0 concat 1 : tensor<4x6xf32> -> tensor<2x12xf32>
  return
}

// -----

// It has to divide even where it comes back whole.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected split dim 0 to divide by the 6 ranks of the group, got 4}}
  %r = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0 : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x9223372036854775807xf32>) {
  // expected-error@+1 {{size of concat dim 1 overflows}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<4x9223372036854775807xf32> -> tensor<2x2xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x12xf32>', got 'tensor<4x6xf32>'}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x12xf32>', got 'tensor<2x12xf16>'}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<4x6xf32> -> tensor<2x12xf16>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x12xf32>', got 'tensor<2x12x1xf32>'}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<4x6xf32> -> tensor<2x12x1xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x12xf32>', got 'tensor<2x12xf32, 1 : i64>'}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<4x6xf32> -> tensor<2x12xf32, 1>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<?x6xf32>) {
  // expected-error@+1 {{expected result type 'tensor<?x12xf32>', got 'tensor<?x6xf32>'}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1 : tensor<?x6xf32> -> tensor<?x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<*xf32>) {
  // expected-error@+1 {{invalid kind of type specified: expected builtin.tensor}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{must be ranked tensor of integer or floating-point or index values}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{invalid kind of type specified: expected builtin.tensor}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : memref<4xf32> -> memref<4xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{requires attribute 'splitDim'}}
  "moe.all_to_all"(%x) <{group = #moe.group<@mesh, ["ep"]>, concatDim = 0 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{requires attribute 'concatDim'}}
  "moe.all_to_all"(%x) <{group = #moe.group<@mesh, ["ep"]>, splitDim = 0 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{requires attribute 'group'}}
  "moe.all_to_all"(%x) <{splitDim = 0 : i64, concatDim = 0 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{attribute 'splitDim' failed to satisfy constraint: 64-bit signless integer attribute}}
  "moe.all_to_all"(%x) <{group = #moe.group<@mesh, ["ep"]>, splitDim = 0 : i32, concatDim = 0 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{Invalid attribute `group` in property conversion}}
  "moe.all_to_all"(%x) <{group = "ep", splitDim = 0 : i64, concatDim = 0 : i64}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expected 'split'}}
  %r = moe.all_to_all %x on <@mesh, ["ep"]> concat 0 : tensor<4x6xf32> -> tensor<4x6xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<?x?xf32>) {
  // expected-error@+1 {{expected dim 1 of the result to be a multiple of the 3 ranks of the group, got 8}}
  %r = moe.all_to_all %x on <@mesh, ["tp"]> split 0 concat 1 : tensor<?x?xf32> -> tensor<?x8xf32>
  return
}

// -----

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]
func.func @f(%x: tensor<?x6xf32>) {
  // expected-error@+1 {{expected dim 0 of the result to be a multiple of the 3 ranks of the group, got 8}}
  %r = moe.all_to_all %x on <@mesh, ["tp"]> split 0 concat 0 : tensor<?x6xf32> -> tensor<8x6xf32>
  return
}
