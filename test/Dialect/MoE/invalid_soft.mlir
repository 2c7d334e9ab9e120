// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected the router to have rank 3, got 'tensor<64x8xf32>'}}
  %d, %c = moe.soft_gate %x, %r : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8x2xf32>, tensor<16x8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<63x8x2xf32>) {
  // expected-error@+1 {{expected the router to have size 64 in dim 0, got 63}}
  %d, %c = moe.soft_gate %x, %r : tensor<16x64xf32>, tensor<63x8x2xf32> -> tensor<16x8x2xf32>, tensor<16x8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8x2xf32>) {
  // expected-error@+1 {{expected combine weights to have size 2 in dim 2, got 3}}
  %d, %c = moe.soft_gate %x, %r : tensor<16x64xf32>, tensor<64x8x2xf32> -> tensor<16x8x2xf32>, tensor<16x8x3xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8x2xf32>) {
  // expected-error@+1 {{expected dispatch weights to have size 16 in dim 0, got 17}}
  %d, %c = moe.soft_gate %x, %r : tensor<16x64xf32>, tensor<64x8x2xf32> -> tensor<17x8x2xf32>, tensor<16x8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %w: tensor<16x8x2xf32>) {
  // expected-error@+1 {{expected weights to have size 6 in dim 1, got 8}}
  %b = moe.soft_permute %x by %w : tensor<16x64xf32>, tensor<16x8x2xf32> -> tensor<2x3x2x64xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %w: tensor<16x8x2xf32>) {
  // expected-error@+1 {{expected a buffer [experts..., capacity, hidden] of rank at least 3, got 'tensor<16x64xf32>'}}
  %b = moe.soft_permute %x by %w : tensor<16x64xf32>, tensor<16x8x2xf32> -> tensor<16x64xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %w: tensor<16x8x2xf32>) {
  // expected-error@+1 {{expected static expert dims, got 'tensor<?x2x64xf32>'}}
  %b = moe.soft_permute %x by %w : tensor<16x64xf32>, tensor<16x8x2xf32> -> tensor<?x2x64xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %w: tensor<16x8x2xf32>) {
  // expected-error@+1 {{expected a buffer and tokens of one element type, got 'bf16' and 'f32'}}
  %b = moe.soft_permute %x by %w : tensor<16x64xf32>, tensor<16x8x2xf32> -> tensor<8x2x64xbf16>
  return
}

// -----

func.func @f(%b: tensor<4x2x2x64xf32>, %w: tensor<16x8x3xf32>) {
  // expected-error@+1 {{expected weights to have size 2 in dim 2, got 3}}
  %y = moe.soft_unpermute %b by %w : tensor<4x2x2x64xf32>, tensor<16x8x3xf32> -> tensor<16x64xf32>
  return
}

// -----

func.func @f(%b: tensor<4x2x2x64xf32>, %w: tensor<16x8x2xf32>) {
  // expected-error@+1 {{expected the result to have size 64 in dim 1, got 63}}
  %y = moe.soft_unpermute %b by %w : tensor<4x2x2x64xf32>, tensor<16x8x2xf32> -> tensor<16x63xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{failed to verify that all of {operand, result} have same type}}
  %y = "moe.hook"(%x) <{point = #moe<hook_point before_dispatch>}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+2 {{expected ::moe::HookPoint to be one of: before_moe_start, before_dispatch, after_dispatch, before_combine, after_combine, before_moe_end}}
  // expected-error@+1 {{failed to parse}}
  %y = moe.hook before_lunch %x : tensor<4xf32>
  return
}
