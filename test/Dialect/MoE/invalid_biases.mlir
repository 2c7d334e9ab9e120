// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2x5x4xf32>, %w: tensor<2x4x6xf32>, %d: tensor<2x7x4xf32>) {
  // expected-error@+1 {{expected weight 0 to have size 5 in dim 1, got 4}}
  %y = moe.experts gpt %x, %w, %d {biased} : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x7x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w: tensor<2x5x6xf32>, %d: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected weight 1 to have size 7 in dim 1, got 6}}
  %y = moe.experts gpt %x, %w, %d {biased} : tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

// One row more is no bias unless the op says so.
func.func @f(%x: tensor<2x5x4xf32>, %w: tensor<2x5x6xf32>, %d: tensor<2x7x4xf32>) {
  // expected-error@+1 {{expected weight 0 to have size 4 in dim 1, got 5}}
  %y = moe.experts gpt %x, %w, %d : tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<2x7x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w: tensor<2x4x6xf32>, %d: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected no activation: kind 'geglu' fixes its own}}
  %y = moe.experts geglu %x, %w, %w, %d activation gelu : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w: tensor<2x4x6xf32>, %d: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected 3 weights for kind 'clamped_swiglu', got 2}}
  %y = moe.experts clamped_swiglu %x, %w, %d : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %r: tensor<4x3xf32>) {
  // expected-error@+1 {{expected the router to have size 5 in dim 0, got 4}}
  %i, %w = moe.gate sigmoid %x, %r top_k 1 {biased} : tensor<8x4xf32>, tensor<4x3xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %r: tensor<5x3xf32>) {
  // expected-error@+1 {{expected no biased router: kind 'switch' has none, only 'softmax', 'sigmoid' and 'sqrtsoftplus' have}}
  %i, %w = moe.gate switch %x, %r top_k 1 {biased} : tensor<8x4xf32>, tensor<5x3xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
  return
}

// -----

func.func @f(%ctx: !moert.context, %x: memref<1x2x4xf32>, %w1: memref<1x4x6xf32>, %w3: memref<1x7x4xf32>, %y: memref<1x2x4xf32>) {
  %s = moert.stream %ctx "s" inter priority 0
  // expected-error@+1 {{expected the rows of w1 to be 5, got 4}}
  moert.experts %s gpt ins(%x, %w1, %w3 : memref<1x2x4xf32>, memref<1x4x6xf32>, memref<1x7x4xf32>) outs(%y : memref<1x2x4xf32>) {biased}
  return
}

// -----

func.func @f(%ctx: !moert.context, %x: memref<1x2x4xf32>, %w1: memref<1x5x6xf32>, %w3: memref<1x6x4xf32>, %y: memref<1x2x4xf32>) {
  %s = moert.stream %ctx "s" inter priority 0
  // expected-error@+1 {{expected the rows of w3 to be 7, got 6}}
  moert.experts %s gpt ins(%x, %w1, %w3 : memref<1x2x4xf32>, memref<1x5x6xf32>, memref<1x6x4xf32>) outs(%y : memref<1x2x4xf32>) {biased}
  return
}
