// RUN: %python %S/Inputs/errors.py %s
// RUN: %python %S/Inputs/errors.py %s --symbolic

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// COUNTED: {{.*}}:[[@LINE+3]]:8: error: 'moe.expert_counts' op expected expert numbers in [-1, 4), got 4 as choice 1 of token 1 on rank 0
func.func @counted() -> tensor<4xi32> {
  %ids = arith.constant dense<[[1, 0], [3, 4], [1, 0]]> : tensor<3x2xi32>
  %r = moe.expert_counts %ids : tensor<3x2xi32> -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// ORDERED: error: 'moe.permute_rows' op expected expert numbers in [-1, 4), got -2 as choice 0 of token 2 on rank 0
func.func @ordered() -> tensor<6x1xf32> {
  %ids = arith.constant dense<[[1, 0], [3, 3], [-2, 0]]> : tensor<3x2xi32>
  %x = arith.constant dense<0.0> : tensor<3x1xf32>
  %r, %s = moe.permute_rows choice %x by %ids experts 4 : tensor<3x1xf32>, tensor<3x2xi32> -> tensor<6x1xf32>, tensor<3x2xi32>
  return %r : tensor<6x1xf32>
}

// The ranks of position 0 would receive 5 rows, those of position 1 would, too;
// the first one is named.
// OVERFLOW: error: 'moe.ragged_plan' op rank 0, position 0 of its group, would receive 5 rows, more than the limit of 4; expected a limit of at least as many (moe-translate --receive-factor)
func.func @overflow() -> tensor<2xi32> {
  %all = arith.constant dense<[[2, 1, 0, 1], [0, 2, 3, 1]]> : tensor<2x4xi32>
  %p:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 4 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return %p#0 : tensor<2xi32>
}

// OVERFLOW_SECOND: error: 'moe.ragged_plan' op rank 3, position 1 of its group, would receive 3 rows, more than the limit of 2
func.func @overflow_second() -> tensor<2xi32> {
  %all = arith.constant dense<[[[1, 0], [1, 1]], [[0, 2], [0, 1]]]> : tensor<2x2x2xi32>
  %p:6 = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]> limit 2 : tensor<2x2x2xi32> -> tensor<2xi32>, tensor<2x2x1xi32>
  return %p#0 : tensor<2xi32>
}

// Sums that wrap around must not pass.
// WRAPS: would receive 9223372036854775807 rows, more than the limit of 4
func.func @wraps() -> tensor<2xi64> {
  %all = arith.constant dense<[[9223372036854775807, 1], [1, 0]]> : tensor<2x2xi64>
  %p:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 4 : tensor<2x2xi64> -> tensor<2xi64>, tensor<2x1xi64>
  return %p#0 : tensor<2xi64>
}

// NEGATIVE: error: 'moe.ragged_plan' op expected counts of at least 0, got -1 for expert 1 of position 1 on rank 0
func.func @negative() -> tensor<2xi32> {
  %all = arith.constant dense<[[2, 0], [0, -1]]> : tensor<2x2xi32>
  %p:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 4 : tensor<2x2xi32> -> tensor<2xi32>, tensor<2x1xi32>
  return %p#0 : tensor<2xi32>
}

// OTHERS: error: 'moe.ragged_plan' op expected the same counts on all ranks of a group, got others on rank 0 than on rank 2
func.func @others() -> tensor<2xi32> {
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %n = arith.index_cast %i : index to i32
  %all = tensor.splat %n : tensor<2x2xi32>
  %p:6 = moe.ragged_plan %all on <@mesh, ["ep"]> limit 4 : tensor<2x2xi32> -> tensor<2xi32>, tensor<2x1xi32>
  return %p#0 : tensor<2xi32>
}

func.func private @apply(%o: tensor<2xi32>, %n: tensor<2xi32>) -> tensor<4x1xf32> {
  %x = arith.constant dense<1.0> : tensor<4x1xf32>
  %w = arith.constant dense<1.0> : tensor<2x1x1xf32>
  %y = moe.experts gpt %x runs(%o, %n : tensor<2xi32>), %w, %w : tensor<4x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32> -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// BEYOND: error: 'moe.experts' op expected runs that lie in the 4 rows, got 2 rows from row 3 of expert 1 on rank 0
func.func @beyond() -> tensor<4x1xf32> {
  %o = arith.constant dense<[0, 3]> : tensor<2xi32>
  %n = arith.constant dense<[1, 2]> : tensor<2xi32>
  %y = call @apply(%o, %n) : (tensor<2xi32>, tensor<2xi32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// OVERLAP: error: 'moe.experts' op expected runs that do not overlap, got rows 0 to 3 of expert 1 and rows 2 to 4 of expert 0 on rank 0
func.func @overlap() -> tensor<4x1xf32> {
  %o = arith.constant dense<[2, 0]> : tensor<2xi32>
  %n = arith.constant dense<[2, 3]> : tensor<2xi32>
  %y = call @apply(%o, %n) : (tensor<2xi32>, tensor<2xi32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}
