// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error@+1 {{expected at least one part}}
  "moe.assemble"() <{dim = 0 : i64}> : () -> tensor<0xf32>
  return
}

// -----

func.func @f(%a0: tensor<1xf32>) {
  // expected-error@+1 {{expected dim in [0, 1), got -1}}
  %r = moe.assemble %a0 dim -1 : tensor<1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @f(%a0: tensor<1xf32>) {
  // expected-error@+1 {{expected dim in [0, 1), got 1}}
  %r = moe.assemble %a0 dim 1 : tensor<1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @f(%a0: tensor<1xf32>) {
  // expected-error@+1 {{expected dim in [0, 1), got -9223372036854775808}}
  %r = moe.assemble %a0 dim -9223372036854775808 : tensor<1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @f(%a0: tensor<f32>) {
  // expected-error@+1 {{expected dim in [0, 0), got 0}}
  %r = moe.assemble %a0 dim 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @f(%a0: tensor<1xf32>, %a1: tensor<1xf16>) {
  // expected-error@+1 {{expected part 1 to have elements 'f32', got 'f16'}}
  %r = moe.assemble %a0, %a1 dim 0 : tensor<1xf32>, tensor<1xf16> -> tensor<2xf32>
  return
}

// -----

func.func @f(%a0: tensor<1x2xf32>, %a1: tensor<1xf32>) {
  // expected-error@+1 {{expected part 1 to have rank 2, got 1}}
  %r = moe.assemble %a0, %a1 dim 0 : tensor<1x2xf32>, tensor<1xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<1x2xf32>, %a1: tensor<1x3xf32>) {
  // expected-error@+1 {{expected part 1 to have size 2 in dim 1, got 3}}
  %r = moe.assemble %a0, %a1 dim 0 : tensor<1x2xf32>, tensor<1x3xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<1x2xf32>, %a1: tensor<2x2xf32>) {
  // expected-error@+1 {{expected the parts to add up to 4 in dim 0, got 3}}
  %r = moe.assemble %a0, %a1 dim 0 : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<5x2xf32>, %a1: tensor<?x2xf32>) {
  // expected-error@+1 {{expected the parts to add up to 4 in dim 0, got at least 5}}
  %r = moe.assemble %a0, %a1 dim 0 : tensor<5x2xf32>, tensor<?x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @f(%a0: tensor<9223372036854775807xf32>, %a1: tensor<9223372036854775807xf32>) {
  // expected-error@+1 {{sizes of the parts overflow in dim 0}}
  %r = moe.assemble %a0, %a1 dim 0 : tensor<9223372036854775807xf32>, tensor<9223372036854775807xf32> -> tensor<?xf32>
  return
}

// -----

func.func @f(%a0: tensor<1xf32>) {
  // expected-error@+1 {{expected part 0 to be like the result 'tensor<1xf32, 1 : i64>', got 'tensor<1xf32>'}}
  %r = moe.assemble %a0 dim 0 : tensor<1xf32> -> tensor<1xf32, 1>
  return
}

// -----

func.func @f(%a0: tensor<*xf32>) {
  // expected-error@+1 {{must be variadic of ranked tensor}}
  %r = moe.assemble %a0 dim 0 : tensor<*xf32> -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<1xf32>) {
  // expected-error@+1 {{requires attribute 'dim'}}
  "moe.assemble"(%x) : (tensor<1xf32>) -> tensor<1xf32>
  return
}
