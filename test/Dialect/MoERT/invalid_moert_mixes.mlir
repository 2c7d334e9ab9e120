// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %i: memref<4x2xi32>, %w: memref<4x2xf32>) {
  // expected-error@+1 {{expected noise with kind 'gshard' only}}
  moert.gate %s softmax ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) noise(%r : memref<6x3xf32>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %i: memref<4x2xi32>, %w: memref<4x2xf32>) {
  // expected-error@+1 {{expected a projection and a temperature with kind 'xmoe', and with no other}}
  moert.gate %s xmoe ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %i: memref<4x2xi32>, %w: memref<4x2xf32>) {
  // expected-error@+1 {{expected a seed with noise or jitter, and with nothing else}}
  moert.gate %s gshard ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) noise(%r : memref<6x3xf32>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %seed: memref<2xi64>, %i: memref<4x2xi32>, %w: memref<4x2xf32>) {
  // expected-error@+1 {{expected a seed of one i64, got 'memref<2xi64>'}}
  moert.gate %s softmax ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) seed(%seed : memref<2xi64>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2 {jitter = 0.5 : f64}
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %p: memref<5x6xf32>, %i: memref<4x2xi32>, %w: memref<4x2xf32>) {
  // expected-error@+1 {{expected hidden of projection to be 6, as of x, got 5}}
  moert.gate %s xmoe ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) projection(%p : memref<5x6xf32>) outs(%i, %w : memref<4x2xi32>, memref<4x2xf32>) top_k 2 {temperature = 0.5 : f64}
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %i: memref<4x3xi32>, %w: memref<4x2xf32>) {
  // expected-error@+1 {{expected experts of weights to be 3, as of router, got 2}}
  moert.expert_choice %s tokens ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) outs(%i, %w : memref<4x3xi32>, memref<4x2xf32>) capacity 2
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %r: memref<6x3xf32>, %i: memref<4x3xi32>, %w: memref<4x3xf32>) {
  // expected-error@+1 {{expected a capacity of at least 0, got -1}}
  moert.expert_choice %s tokens ins(%x, %r : memref<4x6xf32>, memref<6x3xf32>) outs(%i, %w : memref<4x3xi32>, memref<4x3xf32>) capacity -1
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %v: memref<5x3x2xf32>, %d: memref<4x3x2xf32>) {
  // expected-error@+1 {{expected hidden of router to be 6, as of x, got 5}}
  moert.soft_gate %s ins(%x, %v : memref<4x6xf32>, memref<5x3x2xf32>) outs(%d, %d : memref<4x3x2xf32>, memref<4x3x2xf32>)
  return
}

// -----

func.func @f(%s: !moert.stream, %x: memref<4x6xf32>, %d: memref<4x3x2xf32>, %b: memref<2x2x2x6xf32>) {
  // expected-error@+1 {{expected experts of result to be 3, as of weights, got 2x2}}
  moert.soft_permute %s ins(%x, %d : memref<4x6xf32>, memref<4x3x2xf32>) outs(%b : memref<2x2x2x6xf32>)
  return
}
