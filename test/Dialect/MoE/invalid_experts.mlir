// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected tokens [experts, rows..., hidden] of rank at least 3, got 'tensor<2x4xf32>'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected tokens [experts, rows..., hidden] of rank at least 3, got 'tensor<f32>'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<f32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected 2 weights for kind 'gpt', got 3}}
  %y = moe.experts gpt %x, %w0, %w1, %w2 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>) {
  // expected-error@+1 {{expected 2 weights for kind 'gpt', got 1}}
  %y = moe.experts gpt %x, %w0 : tensor<2x5x4xf32>, tensor<2x4x6xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected 3 weights for kind 'swiglu', got 2}}
  %y = moe.experts swiglu %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>) {
  // expected-error@+1 {{expected 2 weights for kind 'gpt', got 0}}
  %y = "moe.experts"(%x) <{kind = #moe<experts_kind gpt>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected no activation: kind 'swiglu' fixes its own}}
  %y = moe.experts swiglu %x, %w0, %w1, %w2 activation relu : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected weight 0 to have rank 3, got 'tensor<4x6xf32>'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<f32>) {
  // expected-error@+1 {{expected weight 1 to have rank 3, got 'tensor<f32>'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<f32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<3x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected weight 0 to have size 2 in dim 0, got 3}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<3x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x5x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected weight 0 to have size 4 in dim 1, got 5}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x5x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<1x6x4xf32>) {
  // expected-error@+1 {{expected weight 1 to have size 2 in dim 0, got 1}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<1x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x5xf32>) {
  // expected-error@+1 {{expected weight 1 to have size 4 in dim 2, got 5}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x5xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x7x4xf32>) {
  // expected-error@+1 {{expected weight 1 to have size 6 in dim 1, got 7}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x7x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x4x7xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected weight 1 to have size 6 in dim 2, got 7}}
  %y = moe.experts swiglu %x, %w0, %w1, %w2 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x4x7xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

// The first static H counts.
func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x?xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x7x4xf32>) {
  // expected-error@+1 {{expected weight 2 to have size 6 in dim 1, got 7}}
  %y = moe.experts swiglu %x, %w0, %w1, %w2 : tensor<2x5x4xf32>, tensor<2x4x?xf32>, tensor<2x4x6xf32>, tensor<2x7x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xbf16>) {
  // expected-error@+1 {{expected weight 1 to have elements 'f32', got 'bf16'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xbf16> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x5x4xf32>', got 'tensor<2x5x5xf32>'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x5xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected result type 'tensor<2x5x4xf32>', got 'tensor<2x5x4xf64>'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf64>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xi8>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+1 {{must be ranked tensor of floating-point values, but got 'tensor<2x5x4xi8>'}}
  %y = moe.experts gpt %x, %w0, %w1 : tensor<2x5x4xi8>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xi8>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+2 {{expected ::moe::ExpertsKind to be one of: gpt, swiglu}}
  // expected-error@+1 {{failed to parse MoE_ExpertsKindAttr}}
  %y = moe.experts mlp %x, %w0, %w1 : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>, %w0: tensor<2x4x6xf32>, %w1: tensor<2x6x4xf32>) {
  // expected-error@+2 {{expected ::moe::Activation to be one of: gelu, relu, silu}}
  // expected-error@+1 {{failed to parse MoE_ActivationAttr}}
  %y = moe.experts gpt %x, %w0, %w1 activation tanh : tensor<2x5x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x5x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x4xf32>) {
  // expected-error@+1 {{requires attribute 'kind'}}
  %y = "moe.experts"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return
}
