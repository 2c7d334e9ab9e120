// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a permutation of the operand's 2 dims, got [0]}}
  %r = moe.transpose %x [0] : tensor<2x3xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a permutation of the operand's 2 dims, got [0, 1, 2]}}
  %r = moe.transpose %x [0, 1, 2] : tensor<2x3xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a permutation of the operand's 2 dims, got [0, 0]}}
  %r = moe.transpose %x [0, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a permutation of the operand's 2 dims, got [0, 2]}}
  %r = moe.transpose %x [0, 2] : tensor<2x3xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected a permutation of the operand's 2 dims, got [-1, 0]}}
  %r = moe.transpose %x [-1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a permutation of the operand's 1 dims, got [-9223372036854775808]}}
  %r = moe.transpose %x [-9223372036854775808] : tensor<2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{expected a permutation of the operand's 0 dims, got [0]}}
  %r = moe.transpose %x [0] : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type 'tensor<3x2xf32>', got 'tensor<2x3xf32>'}}
  %r = moe.transpose %x [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<?x3xf32>) {
  // expected-error@+1 {{expected result type 'tensor<3x?xf32>', got 'tensor<3x2xf64>'}}
  %r = moe.transpose %x [1, 0] : tensor<?x3xf32> -> tensor<3x2xf64>
  return
}

// -----

func.func @f(%x: tensor<1xf32>) {
  // expected-error@+1 {{requires attribute 'permutation'}}
  "moe.transpose"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  return
}
