// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected tokens to have rank 2, got 'tensor<4xf32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{expected ids to have rank 2, got 'tensor<3xi32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3xi32> -> tensor<2x2x4xf32>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected slots to have rank 2, got 'tensor<3x1x1xi32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x1x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected a buffer [experts..., capacity, hidden] of rank at least 3, got 'tensor<2x4xf32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x4xf32>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected a buffer [experts..., capacity, hidden] of rank at least 3, got 'tensor<f32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<f32>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected slots of the type of ids, 'tensor<3x1xi32>', got 'tensor<3x1xi64>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x1xi64>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected slots of the type of ids, 'tensor<3x1xi32>', got 'tensor<3x2xi32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x2xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>) {
  // expected-error@+1 {{expected ids to have size 3 in dim 0, got 2}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<2x1xi32> -> tensor<2x2x4xf32>, tensor<2x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected the buffer to have size 4 in dim 2, got 5}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x5xf32>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected a buffer of 'f32' elements, got 'f16'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf16>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{expected static expert dims, got 'tensor<2x?x2x4xf32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x?x2x4xf32>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{number of slots overflows, got 'tensor<4294967296x4294967296x2x4xf32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<4294967296x4294967296x2x4xf32>, tensor<3x1xi32>
  return
}

// -----

// Slot numbers run to experts * capacity - 1.
func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi8>) {
  // expected-error@+1 {{expected slots of integers that hold 255, got 'i8'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi8> -> tensor<2x128x4xf32>, tensor<3x1xi8>
  return
}

// -----

// No number has no bits.
func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi0>) {
  // expected-error@+1 {{of integers that hold 255, got 'i0'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xi0> -> tensor<2x128x4xf32>, tensor<3x1xi0>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xsi32>) {
  // expected-error@+1 {{must be ranked tensor of signless integer or index values, but got 'tensor<3x1xsi32>'}}
  %b, %s = moe.permute choice %x by %i : tensor<3x4xf32>, tensor<3x1xsi32> -> tensor<2x2x4xf32>, tensor<3x1xsi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+2 {{expected ::moe::OrderKind to be one of: choice, token}}
  // expected-error@+1 {{failed to parse MoE_OrderKindAttr}}
  %b, %s = moe.permute random %x by %i : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>, tensor<3x1xi32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %i: tensor<3x1xi32>) {
  // expected-error@+1 {{requires attribute 'kind'}}
  %b, %s = "moe.permute"(%x, %i) : (tensor<3x4xf32>, tensor<3x1xi32>) -> (tensor<2x2x4xf32>, tensor<3x1xi32>)
  return
}
