// RUN: %python %S/Inputs/errors.py %s

// A base of send and receive vectors, each function with one of them wrong.

moe.mesh @mesh axes ["ep"] shape [2]

func.func private @exchange(%so: tensor<2xi32>, %ss: tensor<2xi32>, %ro: tensor<2xi32>, %rs: tensor<2xi32>) -> tensor<5x2xf32> {
  %x = arith.constant dense<1.0> : tensor<4x2xf32>
  %z = arith.constant dense<0.0> : tensor<5x2xf32>
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs)
    : tensor<4x2xf32>, tensor<2xi32> -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}

// SEND_BEYOND: {{.*}}:[[@LINE-5]]:8: error: 'moe.ragged_all_to_all' op rank 0 sends 2 rows at row 3 to rank 1, beyond its buffer of 4 rows
func.func @send_beyond() {
  %a = arith.constant dense<[0, 3]> : tensor<2xi32>
  %two = arith.constant dense<2> : tensor<2xi32>
  %o = arith.constant dense<[0, 2]> : tensor<2xi32>
  %r = call @exchange(%a, %two, %o, %two) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x2xf32>
  return
}

// RECEIVE_BEYOND: {{.*}}:[[@LINE-14]]:8: error: 'moe.ragged_all_to_all' op rank 0 receives 2 rows at row 4 from rank 0, beyond its buffer of 5 rows
func.func @receive_beyond() {
  %o = arith.constant dense<[0, 2]> : tensor<2xi32>
  %two = arith.constant dense<2> : tensor<2xi32>
  %a = arith.constant dense<[4, 0]> : tensor<2xi32>
  %r = call @exchange(%o, %two, %a, %two) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x2xf32>
  return
}

// NEGATIVE: {{.*}}:[[@LINE-23]]:8: error: 'moe.ragged_all_to_all' op rank 0 sends 2 rows at row -1 to rank 0, beyond its buffer of 4 rows
func.func @negative() {
  %o = arith.constant dense<[-1, 2]> : tensor<2xi32>
  %two = arith.constant dense<2> : tensor<2xi32>
  %r = call @exchange(%o, %two, %o, %two) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x2xf32>
  return
}

// Sums that wrap around must not pass.
// WRAPPING: {{.*}}:[[@LINE-32]]:8: error: 'moe.ragged_all_to_all' op rank 0 sends 2147483647 rows at row 2147483647 to rank 0, beyond its buffer of 4 rows
func.func @wrapping() {
  %o = arith.constant dense<[2147483647, 2]> : tensor<2xi32>
  %s = arith.constant dense<[2147483647, 2]> : tensor<2xi32>
  %r = call @exchange(%o, %s, %o, %s) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x2xf32>
  return
}

// Both send 1 and 2 rows; so rank 1 gets 2 from rank 0 and expects 1.
// SIZES_DISAGREE: {{.*}}:[[@LINE-41]]:8: error: 'moe.ragged_all_to_all' op rank 0 sends 2 rows to rank 1, which expects 1
func.func @sizes_disagree() {
  %o = arith.constant dense<[0, 1]> : tensor<2xi32>
  %s = arith.constant dense<[1, 2]> : tensor<2xi32>
  %one = arith.constant 1 : i32
  %rs = tensor.from_elements %one, %one : tensor<2xi32>
  %r = call @exchange(%o, %s, %o, %rs) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x2xf32>
  return
}

// OVERLAP: {{.*}}:[[@LINE-51]]:8: error: 'moe.ragged_all_to_all' op rank 0 receives rows 2 to 4 from rank 1 and rows 3 to 5 from rank 0, which overlap
func.func @overlap() {
  %o = arith.constant dense<[0, 2]> : tensor<2xi32>
  %two = arith.constant dense<2> : tensor<2xi32>
  %a = arith.constant dense<[3, 2]> : tensor<2xi32>
  %r = call @exchange(%o, %two, %a, %two) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<5x2xf32>
  return
}

// COUNTS: {{.*}}:[[@LINE+6]]:8: error: 'moe.ragged_all_to_all' op expected 2 offsets and sizes, one per rank of the group, got 3 and 3 on rank 0
func.func @counts() {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %n = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %v = tensor.splat %zero[%n] : tensor<?xi32>
  %r = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%v, %v) recv(%v, %v)
    : tensor<4xf32>, tensor<?xi32> -> tensor<4xf32>
  return
}

// ROWS_DIFFER: {{.*}}:[[@LINE+7]]:8: error: 'moe.ragged_all_to_all' op expected one shape on all ranks of a group but for dim 0, got 2x0 on rank 0 and 2x1 on rank 1
func.func @rows_differ() {
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %n = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %x = tensor.splat %one[%n, %i] : tensor<?x?xf32>
  %v = arith.constant dense<0> : tensor<2xi32>
  %r = moe.ragged_all_to_all %x into %x on <@mesh, ["ep"]> send(%v, %v) recv(%v, %v)
    : tensor<?x?xf32>, tensor<2xi32> -> tensor<?x?xf32>
  return
}
