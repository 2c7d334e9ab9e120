// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%b: tensor<4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{expected a buffer [experts..., capacity, hidden] of rank at least 2, got 'tensor<4xf32>'}}
  %y = moe.unpermute %b by %s weights %w : tensor<4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%b: tensor<f32>, %s: tensor<3x1xi32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{expected a buffer [experts..., capacity, hidden] of rank at least 2, got 'tensor<f32>'}}
  %y = moe.unpermute %b by %s weights %w : tensor<f32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3xi32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{expected slots to have rank 2, got 'tensor<3xi32>'}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3xi32>, tensor<3x1xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3xf32>) {
  // expected-error@+1 {{expected weights to have rank 2, got 'tensor<3xf32>'}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{expected the result to have rank 2, got 'tensor<f32>'}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<f32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<4x1xf32>) {
  // expected-error@+1 {{expected weights to have size 3 in dim 0, got 4}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<4x1xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x2xf32>) {
  // expected-error@+1 {{expected weights to have size 1 in dim 1, got 2}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x2xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{expected the result to have size 3 in dim 0, got 4}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{expected the result to have size 4 in dim 1, got 5}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x5xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{expected a result of 'f32' elements, got 'f16'}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xf32> -> tensor<3x4xf16>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x1xi32>) {
  // expected-error@+1 {{must be ranked tensor of floating-point values, but got 'tensor<3x1xi32>'}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xi32>, tensor<3x1xi32> -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%b: tensor<2x2x4xf32>, %s: tensor<3x1xf32>, %w: tensor<3x1xf32>) {
  // expected-error@+1 {{must be ranked tensor of signless integer or index values, but got 'tensor<3x1xf32>'}}
  %y = moe.unpermute %b by %s weights %w : tensor<2x2x4xf32>, tensor<3x1xf32>, tensor<3x1xf32> -> tensor<3x4xf32>
  return
}
