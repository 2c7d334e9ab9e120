// RUN: moe-opt %s -split-input-file --convert-moe-to-moert -verify-diagnostics

// Gates that the runtime has no kernel for are refused by name.

func.func @gshard(%x: tensor<4x6xf32>, %r: tensor<6x3xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{'moe.gate' op has no kernel for kind 'gshard': the runtime has gates of kind softmax, sigmoid and switch, without jitter; moe-run executes this one with --backend=interp}}
  %i, %w = moe.gate gshard %x, %r top_k 2 : tensor<4x6xf32>, tensor<6x3xf32> -> tensor<4x2xi32>, tensor<4x2xf32>
  return %w : tensor<4x2xf32>
}

// -----

func.func @xmoe(%x: tensor<4x6xf32>, %r: tensor<2x3xf32>, %p: tensor<6x2xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{'moe.gate' op has no kernel for kind 'xmoe'}}
  %i, %w = moe.gate xmoe %x, %r projection %p : tensor<6x2xf32> temperature 0.1 top_k 2 : tensor<4x6xf32>, tensor<2x3xf32> -> tensor<4x2xi32>, tensor<4x2xf32>
  return %w : tensor<4x2xf32>
}

// -----

func.func @jitter(%x: tensor<4x6xf32>, %r: tensor<6x3xf32>) -> tensor<4x1xf32> {
  %s = arith.constant 7 : i64
  // expected-error@+1 {{'moe.gate' op has no kernel for jitter}}
  %i, %w = moe.gate switch %x, %r jitter 0.1 seed %s top_k 1 : tensor<4x6xf32>, tensor<6x3xf32> -> tensor<4x1xi32>, tensor<4x1xf32>
  return %w : tensor<4x1xf32>
}

// -----

func.func @expert_choice(%x: tensor<4x6xf32>, %r: tensor<6x3xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{'moe.expert_choice' op has no kernel for gates of this result}}
  %i, %w = moe.expert_choice over experts %x, %r capacity 2 : tensor<4x6xf32>, tensor<6x3xf32> -> tensor<4x3xi32>, tensor<4x3xf32>
  return %w : tensor<4x3xf32>
}

// -----

func.func @soft_gate(%x: tensor<4x6xf32>, %r: tensor<6x3x2xf32>) -> tensor<4x3x2xf32> {
  // expected-error@+1 {{'moe.soft_gate' op has no kernel for gates of this result}}
  %d, %c = moe.soft_gate %x, %r : tensor<4x6xf32>, tensor<6x3x2xf32> -> tensor<4x3x2xf32>, tensor<4x3x2xf32>
  return %c : tensor<4x3x2xf32>
}

// -----

func.func @soft_order(%x: tensor<4x6xf32>, %w: tensor<4x3x2xf32>) -> tensor<3x2x6xf32> {
  // expected-error@+1 {{'moe.soft_order' op has no kernel for what a soft gate mixes}}
  %b = moe.soft_order %x by %w : tensor<4x6xf32>, tensor<4x3x2xf32> -> tensor<3x2x6xf32>
  return %b : tensor<3x2x6xf32>
}
