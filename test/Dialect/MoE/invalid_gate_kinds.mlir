// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %b: tensor<8xf32>) {
  // expected-error@+1 {{expected no bias: kind 'switch' has none, only 'softmax', 'sigmoid' and 'sqrtsoftplus' have}}
  %i, %w = moe.gate switch %x, %r bias %b : tensor<8xf32> top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected top_k 1 for kind 'switch', got 2}}
  %i, %w = moe.gate switch %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected no groups: kind 'gshard' has none, only 'softmax', 'sigmoid' and 'sqrtsoftplus' have}}
  %i, %w = moe.gate gshard %x, %r top_k 1 groups 1 of 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected a seed for the jitter}}
  %i, %w = moe.gate switch %x, %r jitter 0.1 top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %s: i64) {
  // expected-error@+1 {{expected no seed without jitter}}
  %i, %w = moe.gate switch %x, %r seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %s: i64) {
  // expected-error@+1 {{expected a jitter in (0, 1), got 1.0}}
  %i, %w = moe.gate switch %x, %r jitter 1.0 seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %s: i64) {
  // expected-error@+1 {{expected a jitter in (0, 1), got nan}}
  %i, %w = moe.gate switch %x, %r jitter 0x7FF8000000000000 seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %s: i64) {
  // expected-error@+1 {{expected no jitter: kind 'gshard' has none, only 'switch' has}}
  %i, %w = moe.gate gshard %x, %r jitter 0.1 seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %n: tensor<64x8xf32>) {
  // expected-error@+1 {{expected a seed for the noise}}
  %i, %w = moe.gate gshard %x, %r noise %n : tensor<64x8xf32> top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %s: i64) {
  // expected-error@+1 {{expected no seed without noise}}
  %i, %w = moe.gate gshard %x, %r seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %s: i64) {
  // expected-error@+1 {{expected no seed: kind 'softmax' has none, only 'switch' and 'gshard' have}}
  %i, %w = moe.gate softmax %x, %r seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %n: tensor<64x7xf32>, %s: i64) {
  // expected-error@+1 {{expected the noise to have size 8 in dim 1, got 7}}
  %i, %w = moe.gate gshard %x, %r noise %n : tensor<64x7xf32> seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %n: tensor<64xf32>, %s: i64) {
  // expected-error@+1 {{expected the noise to have rank 2, got 'tensor<64xf32>'}}
  %i, %w = moe.gate gshard %x, %r noise %n : tensor<64xf32> seed %s top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected no 'normalize': weights of kind 'gshard' add up to 1 without it}}
  %i, %w = moe.gate gshard %x, %r top_k 1 {normalize} : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<4x8xf32>) {
  // expected-error@+1 {{expected a projection for kind 'xmoe'}}
  %i, %w = moe.gate xmoe %x, %r temperature 0.1 top_k 1 : tensor<16x64xf32>, tensor<4x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<4x8xf32>, %p: tensor<64x4xf32>) {
  // expected-error@+1 {{expected a temperature for kind 'xmoe'}}
  %i, %w = moe.gate xmoe %x, %r projection %p : tensor<64x4xf32> top_k 1 : tensor<16x64xf32>, tensor<4x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<4x8xf32>, %p: tensor<64x4xf32>) {
  // expected-error@+1 {{expected a finite positive temperature, got 0.0}}
  %i, %w = moe.gate xmoe %x, %r projection %p : tensor<64x4xf32> temperature 0.0 top_k 1 : tensor<16x64xf32>, tensor<4x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %p: tensor<64x4xf32>) {
  // expected-error@+1 {{expected the router to have size 4 in dim 0, got 64}}
  %i, %w = moe.gate xmoe %x, %r projection %p : tensor<64x4xf32> temperature 0.1 top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<4x8xf32>, %p: tensor<63x4xf32>) {
  // expected-error@+1 {{expected the projection to have size 64 in dim 0, got 63}}
  %i, %w = moe.gate xmoe %x, %r projection %p : tensor<63x4xf32> temperature 0.1 top_k 1 : tensor<16x64xf32>, tensor<4x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %p: tensor<64x64xf32>) {
  // expected-error@+1 {{expected no projection: kind 'softmax' has none, only 'xmoe' has}}
  %i, %w = moe.gate softmax %x, %r projection %p : tensor<64x64xf32> top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected no temperature: kind 'softmax' has none, only 'xmoe' has}}
  %i, %w = moe.gate softmax %x, %r temperature 1.0 top_k 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x1xi32>, tensor<16x1xf32>
  return
}
