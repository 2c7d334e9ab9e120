// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected a capacity of at least 0, got -1}}
  %s, %w = moe.expert_choice over experts %x, %r capacity -1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8xi32>, tensor<16x8xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{number of slots overflows, got 8 experts of capacity 4611686018427387904}}
  %s, %w = moe.expert_choice over experts %x, %r capacity 4611686018427387904 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8xi64>, tensor<16x8xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected slots of integers that hold 135, got 'i8'}}
  %s, %w = moe.expert_choice over tokens %x, %r capacity 17 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8xi8>, tensor<16x8xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x?xf32>) {
  // expected-error@+1 {{expected a static number of experts, got 'tensor<64x?xf32>'}}
  %s, %w = moe.expert_choice over tokens %x, %r capacity 1 : tensor<16x64xf32>, tensor<64x?xf32> -> tensor<16x8xi8>, tensor<16x8xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<63x8xf32>) {
  // expected-error@+1 {{expected the router to have size 64 in dim 0, got 63}}
  %s, %w = moe.expert_choice over tokens %x, %r capacity 1 : tensor<16x64xf32>, tensor<63x8xf32> -> tensor<16x8xi8>, tensor<16x8xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected slots to have size 8 in dim 1, got 7}}
  %s, %w = moe.expert_choice over tokens %x, %r capacity 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x7xi8>, tensor<16x8xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected weights to have size 16 in dim 0, got 15}}
  %s, %w = moe.expert_choice over tokens %x, %r capacity 1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x8xi8>, tensor<15x8xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8x2xf32>) {
  // expected-error@+1 {{expected the router to have rank 2, got 'tensor<64x8x2xf32>'}}
  %s, %w = moe.expert_choice over tokens %x, %r capacity 1 : tensor<16x64xf32>, tensor<64x8x2xf32> -> tensor<16x8xi8>, tensor<16x8xf32>
  return
}
