// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected tokens [experts, rows..., hidden] of rank at least 3, got 'tensor<2x4xf32>'}}
  %0 = moe.experts_dgrad gpt %x at %x, %w1, %w2 : tensor<2x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected 3 weights for kind 'swiglu', got 2}}
  %0 = moe.experts_dgrad swiglu %x at %x, %w1, %w2 : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %w: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected no activation: kind 'swiglu' fixes its own}}
  %0:3 = moe.experts_wgrad swiglu %x at %x, %w, %w, %w2 activation relu : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected 2 results, one a weight, got 1}}
  %0 = moe.experts_wgrad gpt %x at %x, %w1, %w2 : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected result 1 to have the type of weight 1, 'tensor<2x6x4xf32>', got 'tensor<2x4x6xf32>'}}
  %0:2 = moe.experts_wgrad gpt %x at %x, %w1, %w2 : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x4x6xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xbf16>, %w1: tensor<2x4x6xbf16>, %w2: tensor<2x6x4xbf16>) {
  // expected-error@+1 {{expected result 1 to have the type of weight 1, 'tensor<2x6x4xbf16>', or its shape with f32 elements in all results, got 'tensor<2x6x4xbf16>'}}
  %0:2 = moe.experts_wgrad gpt %x at %x, %w1, %w2 : tensor<2x8x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16> -> tensor<2x4x6xf32>, tensor<2x6x4xbf16>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf64>, %w1: tensor<2x4x6xf64>, %w2: tensor<2x6x4xf64>) {
  // expected-error@+1 {{expected result 0 to have the type of weight 0, 'tensor<2x4x6xf64>', got 'tensor<2x4x6xf32>'}}
  %0:2 = moe.experts_wgrad gpt %x at %x, %w1, %w2 : tensor<2x8x4xf64>, tensor<2x4x6xf64>, tensor<2x6x4xf64> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %dy: tensor<2x7x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{failed to verify that all of {tokens, cotangent, result} have same type}}
  %0 = "moe.experts_dgrad"(%x, %w1, %w2, %dy) <{kind = #moe<experts_kind gpt>, operandSegmentSizes = array<i32: 1, 2, 1, 0, 0, 0>}> : (tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>, tensor<2x7x4xf32>) -> tensor<2x8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{expected a buffer [experts..., capacity, hidden] of rank at least 2, got 'tensor<4xf32>'}}
  %0 = moe.scatter %x by %s : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %s: tensor<2x1xi32>) {
  // expected-error@+1 {{expected slots to have size 3 in dim 0, got 2}}
  %0 = moe.scatter %x by %s : tensor<3x4xf32>, tensor<2x1xi32> -> tensor<2x2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{expected the buffer to have size 4 in dim 2, got 5}}
  %0 = moe.scatter %x by %s : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x5xf32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{expected the buffer to have elements 'f32', got 'bf16'}}
  %0 = moe.scatter %x by %s : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xbf16>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{expected static expert dims and capacity, got 'tensor<2x?x4xf32>'}}
  %0 = moe.scatter %x by %s : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x?x4xf32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{number of slots overflows, got}}
  %0 = moe.scatter %x by %s : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<4294967296x4294967296x4xf32>
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>, %s: tensor<3x1xi32>, %w: tensor<3x2xf32>) {
  // expected-error@+1 {{expected weights to have size 1 in dim 1, got 2}}
  %0 = moe.scatter %x by %s weights %w : tensor<3x2xf32> : tensor<3x4xf32>, tensor<3x1xi32> -> tensor<2x2x4xf32>
  return
}

// -----

func.func @f(%dy: tensor<3x5xf32>, %b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{expected dy to have size 4 in dim 1, got 5}}
  %0 = moe.unpermute_wgrad %dy, %b by %s : tensor<3x5xf32>, tensor<2x2x4xf32>, tensor<3x1xi32> -> tensor<3x1xf32>
  return
}

// -----

func.func @f(%dy: tensor<3x4xf32>, %b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{expected the result to have size 1 in dim 1, got 2}}
  %0 = moe.unpermute_wgrad %dy, %b by %s : tensor<3x4xf32>, tensor<2x2x4xf32>, tensor<3x1xi32> -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%dy: tensor<3x4xf16>, %b: tensor<2x2x4xf32>, %s: tensor<3x1xi32>) {
  // expected-error@+1 {{expected dy to have elements 'f32', got 'f16'}}
  %0 = moe.unpermute_wgrad %dy, %b by %s : tensor<3x4xf16>, tensor<2x2x4xf32>, tensor<3x1xi32> -> tensor<3x1xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>) {
  // expected-error@+1 {{expected 1 id a token for kind 'switch', got 2}}
  %0:2 = moe.gate_grad switch %x, %r by %i, %d : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x?xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>) {
  // expected-error@+1 {{expected a static number of experts, got 'tensor<4x?xf32>'}}
  %0:2 = moe.gate_grad softmax %x, %r by %i, %d : tensor<6x4xf32>, tensor<4x?xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %i: tensor<6x4xi32>, %d: tensor<6x4xf32>) {
  // expected-error@+1 {{expected 1 to 3 ids a token, got 4}}
  %0:2 = moe.gate_grad softmax %x, %r by %i, %d : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x4xi32>, tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x1xf32>) {
  // expected-error@+1 {{expected dw to have size 2 in dim 1, got 1}}
  %0:2 = moe.gate_grad softmax %x, %r by %i, %d : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x1xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>) {
  // expected-error@+1 {{expected a finite positive scale, got 0}}
  %0:2 = moe.gate_grad softmax %x, %r by %i, %d {scale = 0.0} : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected a name that is not empty}}
  %0 = moe.dense "" %x macs 1 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6xf32>) {
  // expected-error@+1 {{expected rows to have rank 2, got 'tensor<6xf32>'}}
  %0 = moe.dense "a" %x macs 1 : tensor<6xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected macs of at least 0, got -1}}
  %0 = moe.dense "a" %x macs -1 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected gemms of at least 1, got 0}}
  %0 = moe.dense_dgrad "a" %x at %x macs 1 gemms 0 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected parts of at least 1, got 0}}
  %0 = moe.dense_dgrad "a" %x at %x macs 1 parts 0 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected finite us of at least 0, got -1}}
  %0 = moe.dense "a" %x macs 1 us -1.0 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected the result to have rank 1, got 'tensor<4x4xf32>'}}
  %0 = moe.dense_wgrad "a" %x at %x macs 1 : tensor<6x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected the result to have elements 'f32', got 'f16'}}
  %0 = moe.dense_wgrad "a" %x at %x macs 1 : tensor<6x4xf32> -> tensor<4xf16>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sequences of at least 1, got 0}}
  %0 = moe.dense "a" %x macs 1 sequences 0 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected shards of at least 1, got -2}}
  %0 = moe.dense_dgrad "a" %x at %x macs 1 shards -2 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sequences times shards to divide the number of rows, 6, got 2 times 2}}
  %0 = moe.dense "a" %x macs 1 sequences 2 shards 2 : tensor<6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>) {
  // expected-error@+1 {{expected sequences times shards to divide the number of rows, 6, got 4611686018427387904 times 4}}
  %0 = moe.dense_wgrad "a" %x at %x macs 1 sequences 4611686018427387904 shards 4 : tensor<6x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected no noise: kind 'softmax' has none, only 'gshard' has}}
  %0:3 = moe.gate_grad softmax %x, %r by %i, %d noise %n : tensor<4x3xf32> seed %s : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected a seed for the noise}}
  %0:3 = moe.gate_grad gshard %x, %r by %i, %d noise %n : tensor<4x3xf32> : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected no 'normalize': weights of kind 'gshard' add up to 1 without it}}
  %0:2 = moe.gate_grad gshard %x, %r by %i, %d {normalize} : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected a third result, the gradient of the noise}}
  %0:2 = moe.gate_grad gshard %x, %r by %i, %d noise %n : tensor<4x3xf32> seed %s : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected no third result without noise or projection}}
  %0:3 = moe.gate_grad gshard %x, %r by %i, %d : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected a third result of type 'tensor<4x3xf32>', got 'tensor<4x3xf16>'}}
  %0:3 = moe.gate_grad gshard %x, %r by %i, %d noise %n : tensor<4x3xf32> seed %s : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<4x3xf16>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected a projection for kind 'xmoe'}}
  %0:2 = moe.gate_grad xmoe %x, %r by %i, %d temperature 0.1 : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %n: tensor<4x3xf32>, %i: tensor<6x2xi32>, %d: tensor<6x2xf32>, %s: i64) {
  // expected-error@+1 {{expected the router to have size 3 in dim 0, got 4}}
  %0:3 = moe.gate_grad xmoe %x, %r by %i, %d projection %n : tensor<4x3xf32> temperature 0.1 : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3xf32>, %s: tensor<6x2xi32>, %d: tensor<6x3xf32>) {
  // expected-error@+1 {{expected slots to have size 3 in dim 1, got 2}}
  %0:2 = moe.expert_choice_grad over experts %x, %r by %s, %d : tensor<6x4xf32>, tensor<4x3xf32>, tensor<6x2xi32>, tensor<6x3xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x?xf32>, %s: tensor<6x3xi32>, %d: tensor<6x3xf32>) {
  // expected-error@+1 {{expected a static number of experts, got 'tensor<4x?xf32>'}}
  %0:2 = moe.expert_choice_grad over tokens %x, %r by %s, %d : tensor<6x4xf32>, tensor<4x?xf32>, tensor<6x3xi32>, tensor<6x3xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %r: tensor<4x3x2xf32>, %d: tensor<6x3x2xf32>, %c: tensor<6x3x1xf32>) {
  // expected-error@+1 {{expected dcombine to have size 2 in dim 2, got 1}}
  %0:2 = moe.soft_gate_grad %x, %r by %d, %c : tensor<6x4xf32>, tensor<4x3x2xf32>, tensor<6x3x2xf32>, tensor<6x3x1xf32>
  return
}

// -----

func.func @f(%x: tensor<6x4xf32>, %b: tensor<3x2x4xf16>) {
  // expected-error@+1 {{expected a buffer and rows of one element type, got 'f16' and 'f32'}}
  %0 = moe.soft_wgrad %x, %b : tensor<6x4xf32>, tensor<3x2x4xf16> -> tensor<6x3x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>) {
  // expected-error@+1 {{expected the kept products to have size 1 in dim 0, got 2}}
  %0:2 = moe.experts gpt %x, %w1, %w2 : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x8x4xf32> keeps tensor<2x2x8x6xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %k: tensor<1x2x8x6xbf16>) {
  // expected-error@+1 {{expected the kept products to have elements 'f32', got 'bf16'}}
  %0 = moe.experts_dgrad gpt %x at %x, %w1, %w2 kept %k : tensor<1x2x8x6xbf16> : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x8x4xf32>, %w1: tensor<2x4x6xf32>, %w2: tensor<2x6x4xf32>, %h: tensor<2x8x6xf32>) {
  // expected-error@+1 {{expected what is handed on to have rank 4}}
  %0:2 = moe.experts_wgrad gpt %x at %x, %w1, %w2 handed %h : tensor<2x8x6xf32> : tensor<2x8x4xf32>, tensor<2x4x6xf32>, tensor<2x6x4xf32> -> tensor<2x4x6xf32>, tensor<2x6x4xf32>
  return
}

// -----

// expected-error@+1 {{expected 'moe.expert_products' to be "keep" or "recompute" on a builtin.module}}
module attributes {moe.expert_products = "forget"} {
}
