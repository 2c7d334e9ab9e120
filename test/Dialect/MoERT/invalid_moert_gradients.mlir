// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x6x4xf32>) {
  // expected-error@+1 {{expected the number of inputs to be 4 or 5, got 3}}
  moert.experts_dgrad %s gpt ins(%x, %w1, %w2 : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>) outs(%x : memref<2x8x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x6x4xf32>, %dy: memref<2x7x4xf32>) {
  // expected-error@+1 {{expected rows of dy to be 2x8, as of x, got 2x7}}
  moert.experts_dgrad %s gpt ins(%x, %w1, %w2, %dy : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x7x4xf32>) outs(%x : memref<2x8x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x6x4xf32>) {
  // expected-error@+1 {{expected w3_rows of dw3 to be 6, as of w3, got 4}}
  moert.experts_wgrad %s gpt ins(%x, %w1, %w2, %x : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%w1, %w1 : memref<2x4x6xf32>, memref<2x4x6xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xbf16>, %w1: memref<2x4x6xbf16>, %w2: memref<2x6x4xbf16>, %d1: memref<2x4x6xf16>, %d2: memref<2x6x4xf16>) {
  // expected-error@+1 {{expected gradients of 'bf16', or of f32 if this is wider, got 'f16'}}
  moert.experts_wgrad %s gpt ins(%x, %w1, %w2, %x : memref<2x8x4xbf16>, memref<2x4x6xbf16>, memref<2x6x4xbf16>, memref<2x8x4xbf16>) outs(%d1, %d2 : memref<2x4x6xf16>, memref<2x6x4xf16>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x6x4xf32>) {
  // expected-error@+1 {{expected no activation with swiglu}}
  moert.experts_wgrad %s swiglu activation relu ins(%x, %w1, %w1, %w2, %x : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%w1, %w1, %w2 : memref<2x4x6xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %l: memref<3x2xi32>, %b: memref<2x5x3xf32>) {
  // expected-error@+1 {{expected hidden of buffer to be 4, as of x, got 3}}
  moert.scatter %s ins(%x, %l : memref<3x4xf32>, memref<3x2xi32>) outs(%b : memref<2x5x3xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %l: memref<3x2xi32>, %b: memref<2x5x4xf32>, %w: memref<3x1xf32>) {
  // expected-error@+1 {{expected top_k of weights to be 2, as of slots, got 1}}
  moert.scatter %s ins(%x, %l, %w : memref<3x4xf32>, memref<3x2xi32>, memref<3x1xf32>) outs(%b : memref<2x5x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %l: memref<2x2xi32>, %b: memref<2x5x4xf32>, %w: memref<2x2xf32>) {
  // expected-error@+1 {{expected tokens of slots to be 3, as of dy, got 2}}
  moert.unpermute_wgrad %s ins(%x, %b, %l : memref<3x4xf32>, memref<2x5x4xf32>, memref<2x2xi32>) outs(%w : memref<2x2xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %l: memref<3x2xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected kind 'softmax', 'sigmoid', 'sqrtsoftplus', 'gshard' or 'xmoe', got 'switch'}}
  moert.gate_grad %s switch ins(%x, %r, %l, %w : memref<3x4xf32>, memref<4x6xf32>, memref<3x2xi32>, memref<3x2xf32>) outs(%x, %r : memref<3x4xf32>, memref<4x6xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x1xf32>, %l: memref<3x2xi32>, %w: memref<3x2xf32>) {
  // expected-error@+1 {{expected 1 to 1 experts a token, got 2}}
  moert.gate_grad %s softmax ins(%x, %r, %l, %w : memref<3x4xf32>, memref<4x1xf32>, memref<3x2xi32>, memref<3x2xf32>) outs(%x, %r : memref<3x4xf32>, memref<4x1xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %y: memref<3x4xf16>) {
  // expected-error@+1 {{expected one element type, got 'f32' and 'f16'}}
  moert.dense %s ins(%x : memref<3x4xf32>) outs(%y : memref<3x4xf16>) parts 1
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>) {
  // expected-error@+1 {{expected at least 1 part, got 0}}
  moert.dense %s ins(%x : memref<3x4xf32>) outs(%x : memref<3x4xf32>) parts 0
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>) {
  // expected-error@+1 {{expected result of rank 1, got 'memref<3x4xf32>'}}
  moert.dense_wgrad %s ins(%x, %x : memref<3x4xf32>, memref<3x4xf32>) outs(%x : memref<3x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %l: memref<3x2xi32>, %w: memref<3x2xf32>, %z: memref<i64>) {
  // expected-error@+1 {{expected the number of outputs to be 3, got 2}}
  moert.gate_grad %s gshard ins(%x, %r, %l, %w : memref<3x4xf32>, memref<4x6xf32>, memref<3x2xi32>, memref<3x2xf32>) noise(%r : memref<4x6xf32>) seed(%z : memref<i64>) outs(%x, %r : memref<3x4xf32>, memref<4x6xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<3x4xf32>, %r: memref<4x6xf32>, %l: memref<3x2xi32>, %w: memref<3x2xf32>, %z: memref<i64>, %n: memref<4x5xf32>) {
  // expected-error@+1 {{expected dim 1 of the third output to be 6, got 5}}
  moert.gate_grad %s gshard ins(%x, %r, %l, %w : memref<3x4xf32>, memref<4x6xf32>, memref<3x2xi32>, memref<3x2xf32>) noise(%r : memref<4x6xf32>) seed(%z : memref<i64>) outs(%x, %r, %n : memref<3x4xf32>, memref<4x6xf32>, memref<4x5xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x6x4xf32>, %k: memref<2x2x8x6xf32>) {
  // expected-error@+1 {{expected the parts of kept to be 1, got 2}}
  moert.experts_dgrad %s gpt ins(%x, %w1, %w2, %x : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) kept(%k : memref<2x2x8x6xf32>) outs(%x : memref<2x8x4xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<2x8x4xf32>, %w1: memref<2x4x6xf32>, %w2: memref<2x6x4xf32>, %h: memref<2x2x8x5xf32>) {
  // expected-error@+1 {{expected ffn of handed to be 6, as of w1, got 5}}
  moert.experts_dgrad %s gpt ins(%x, %w1, %w2, %x : memref<2x8x4xf32>, memref<2x4x6xf32>, memref<2x6x4xf32>, memref<2x8x4xf32>) outs(%x, %h : memref<2x8x4xf32>, memref<2x2x8x5xf32>)
  return
}
