// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<16xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected tokens to have rank 2, got 'tensor<16xf32>'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8x1xf32>) {
  // expected-error@+1 {{expected the router to have rank 2, got 'tensor<64x8x1xf32>'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8x1xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected ids to have rank 2, got 'tensor<i32>'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<i32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected weights to have rank 2, got 'tensor<16xf32>'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x?xf32>) {
  // expected-error@+1 {{expected a static number of experts, got 'tensor<64x?xf32>'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x?xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected top_k in [1, 8], got 0}}
  %i, %w = moe.gate softmax %x, %r top_k 0 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected top_k in [1, 8], got -1}}
  %i, %w = moe.gate softmax %x, %r top_k -1 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected top_k in [1, 8], got 9}}
  %i, %w = moe.gate softmax %x, %r top_k 9 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected top_k in [1, 8], got -9223372036854775808}}
  %i, %w = moe.gate softmax %x, %r top_k -9223372036854775808 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected top_k in [1, 8], got 9223372036854775807}}
  %i, %w = moe.gate softmax %x, %r top_k 9223372036854775807 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

// No expert at all leaves nothing to choose.
func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x0xf32>) {
  // expected-error@+1 {{expected top_k in [1, 0], got 1}}
  %i, %w = moe.gate softmax %x, %r top_k 1 : tensor<16x64xf32>, tensor<64x0xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<32x8xf32>) {
  // expected-error@+1 {{expected the router to have size 64 in dim 0, got 32}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<32x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected ids to have size 16 in dim 0, got 8}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<8x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected ids to have size 2 in dim 1, got 3}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x3xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected weights to have size 16 in dim 0, got 8}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected weights to have size 2 in dim 1, got 1}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x1xf32>
  return
}

// -----

// A signed i8 numbers experts 0 to 127.
func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x129xf32>) {
  // expected-error@+1 {{expected ids of integers that hold 128, got 'i8'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x129xf32> -> tensor<16x2xi8>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x2xf32>) {
  // expected-error@+1 {{expected ids of integers that hold 1, got 'i1'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x2xf32> -> tensor<16x2xi1>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %b: tensor<7xf32>) {
  // expected-error@+1 {{expected the bias to have size 8 in dim 0, got 7}}
  %i, %w = moe.gate softmax %x, %r bias %b : tensor<7xf32> top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %b: tensor<8x1xf32>) {
  // expected-error@+1 {{expected the bias to have rank 1, got 'tensor<8x1xf32>'}}
  %i, %w = moe.gate sigmoid %x, %r bias %b : tensor<8x1xf32> top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>, %b: tensor<9xf32>) {
  // expected-error@+1 {{expected the bias to have size 8 in dim 0, got 9}}
  %i, %w = moe.gate sigmoid %x, %r bias %b : tensor<9xf32> top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected both group counts or neither}}
  %i, %w = "moe.gate"(%x, %r) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, kind = #moe<gate_kind softmax>, top_k = 2 : i64, top_groups = 1 : i64}> : (tensor<16x64xf32>, tensor<64x8xf32>) -> (tensor<16x2xi32>, tensor<16x2xf32>)
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected both group counts or neither}}
  %i, %w = "moe.gate"(%x, %r) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, kind = #moe<gate_kind softmax>, top_k = 2 : i64, num_groups = 1 : i64}> : (tensor<16x64xf32>, tensor<64x8xf32>) -> (tensor<16x2xi32>, tensor<16x2xf32>)
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected the number of groups to divide the 8 experts, got 3}}
  %i, %w = moe.gate softmax %x, %r top_k 2 groups 1 of 3 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected the number of groups to divide the 8 experts, got 0}}
  %i, %w = moe.gate softmax %x, %r top_k 2 groups 1 of 0 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected the number of groups to divide the 8 experts, got -9223372036854775808}}
  %i, %w = moe.gate softmax %x, %r top_k 2 groups 1 of -9223372036854775808 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected the groups to choose from in [1, 4], got 0}}
  %i, %w = moe.gate softmax %x, %r top_k 2 groups 0 of 4 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected the groups to choose from in [1, 4], got 5}}
  %i, %w = moe.gate softmax %x, %r top_k 2 groups 5 of 4 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected the groups to choose from in [1, 4], got -1}}
  %i, %w = moe.gate softmax %x, %r top_k 2 groups -1 of 4 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected 1 groups of 1 experts to hold top_k = 2 experts}}
  %i, %w = moe.gate softmax %x, %r top_k 2 groups 1 of 8 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected a finite positive scale, got 0.000000e+00}}
  %i, %w = moe.gate softmax %x, %r top_k 2 {scale = 0.0 : f64} : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected a finite positive scale, got -1.000000e+00}}
  %i, %w = moe.gate softmax %x, %r top_k 2 {scale = -1.0 : f64} : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected a finite positive scale, got INF}}
  %i, %w = moe.gate softmax %x, %r top_k 2 {scale = 0x7FF0000000000000 : f64} : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{expected a finite positive scale, got nan}}
  %i, %w = moe.gate softmax %x, %r top_k 2 {scale = 0x7FF8000000000000 : f64} : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{attribute 'scale' failed to satisfy constraint: 64-bit float attribute}}
  %i, %w = moe.gate softmax %x, %r top_k 2 {scale = 1.0 : f32} : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{attribute 'normalize' failed to satisfy constraint: unit attribute}}
  %i, %w = moe.gate softmax %x, %r top_k 2 {normalize = 1} : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xi32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{must be ranked tensor of floating-point values, but got 'tensor<16x64xi32>'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xi32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{must be ranked tensor of signless integer or index values, but got 'tensor<16x2xf32>'}}
  %i, %w = moe.gate softmax %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xf32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+2 {{expected ::moe::GateKind to be one of: softmax, sigmoid}}
  // expected-error@+1 {{failed to parse MoE_GateKindAttr}}
  %i, %w = moe.gate cosine %x, %r top_k 2 : tensor<16x64xf32>, tensor<64x8xf32> -> tensor<16x2xi32>, tensor<16x2xf32>
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{requires attribute 'kind'}}
  %i, %w = "moe.gate"(%x, %r) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, top_k = 2 : i64}> : (tensor<16x64xf32>, tensor<64x8xf32>) -> (tensor<16x2xi32>, tensor<16x2xf32>)
  return
}

// -----

func.func @f(%x: tensor<16x64xf32>, %r: tensor<64x8xf32>) {
  // expected-error@+1 {{requires attribute 'top_k'}}
  %i, %w = "moe.gate"(%x, %r) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, kind = #moe<gate_kind softmax>}> : (tensor<16x64xf32>, tensor<64x8xf32>) -> (tensor<16x2xi32>, tensor<16x2xf32>)
  return
}
