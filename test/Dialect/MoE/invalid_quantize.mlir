// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4x2x8xf32>) {
  // expected-error@+1 {{expected x to have rank 2, got 'tensor<4x2x8xf32>'}}
  %v, %s = moe.quantize %x block 4 : tensor<4x2x8xf32> -> tensor<8x8xf8E4M3FN>, tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected blocks of at least one element, got 0}}
  %v, %s = moe.quantize %x block 0 : tensor<4x8xf32> -> tensor<4x8xf8E4M3FN>, tensor<4x2xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf64>) {
  // expected-error@+1 {{expected x of f32, f16 or bf16, got 'f64'}}
  %v, %s = moe.quantize %x block 4 : tensor<4x8xf64> -> tensor<4x8xf8E4M3FN>, tensor<4x2xf32>
  return
}

// -----

func.func @f(%x: tensor<4x?xf32>) {
  // expected-error@+1 {{expected rows of a static length, got 'tensor<4x?xf32>'}}
  %v, %s = moe.quantize %x block 4 : tensor<4x?xf32> -> tensor<4x?xf8E4M3FN>, tensor<4x?xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected values to have elements 'f8E4M3FN', got 'f8E5M2'}}
  %v, %s = moe.quantize %x block 4 : tensor<4x8xf32> -> tensor<4x8xf8E5M2>, tensor<4x2xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected values to have size 8 in dim 1, got 7}}
  %v, %s = moe.quantize %x block 4 : tensor<4x8xf32> -> tensor<4x7xf8E4M3FN>, tensor<4x2xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expected scales to have size 3 in dim 1, got 2}}
  %v, %s = moe.quantize %x block 3 : tensor<4x8xf32> -> tensor<4x8xf8E4M3FN>, tensor<4x2xf32>
  return
}

// -----

func.func @f(%v: tensor<4x8xf8E4M3FN>, %s: tensor<4x2xbf16>) {
  // expected-error@+1 {{expected scales to have elements 'f32', got 'bf16'}}
  %x = moe.dequantize %v scales %s block 4 : tensor<4x8xf8E4M3FN>, tensor<4x2xbf16> -> tensor<4x8xf32>
  return
}

// -----

func.func @f(%v: tensor<4x8xf8E4M3FN>, %s: tensor<4x2xf32>) {
  // expected-error@+1 {{expected values to have size 5 in dim 0, got 4}}
  %x = moe.dequantize %v scales %s block 4 : tensor<4x8xf8E4M3FN>, tensor<4x2xf32> -> tensor<5x8xf32>
  return
}

// -----

func.func @f(%v: tensor<4x8xf8E4M3FN>, %s: tensor<4x2xf32>) {
  // expected-error@+1 {{expected the result of f32, f16 or bf16, got 'f64'}}
  %x = moe.dequantize %v scales %s block 4 : tensor<4x8xf8E4M3FN>, tensor<4x2xf32> -> tensor<4x8xf64>
  return
}
