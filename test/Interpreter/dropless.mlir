// RUN: moe-run %s --entry=counts --print-values | FileCheck %s --check-prefix=COUNTS
// RUN: moe-run %s --entry=choice --print-values | FileCheck %s --check-prefix=CHOICE
// RUN: moe-run %s --entry=token --print-values | FileCheck %s --check-prefix=TOKEN
// RUN: moe-run %s --entry=plan --print-values | FileCheck %s --check-prefix=PLAN
// RUN: moe-run %s --entry=joined --print-values | FileCheck %s --check-prefix=JOINED
// RUN: moe-run %s --entry=runs --print-values | FileCheck %s --check-prefix=RUNS
// RUN: moe-run %s --entry=runs --print-values --symbolic | FileCheck %s --check-prefix=TERMS
// RUN: moe-run %s --entry=gradients --print-values | FileCheck %s --check-prefix=GRADIENTS
// RUN: moe-run %s --entry=none --print-values | FileCheck %s --check-prefix=NONE

// The pictures of the ops of layers that drop nothing.

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// Of two chunks, and of one.
// COUNTS: result 0: tensor<4xi32>
// COUNTS: [2, 3, 0, 1]
// COUNTS: result 1: tensor<3x4xi64>
// COUNTS: {{\[\[}}1, 1, 0, 0], [0, 1, 0, 1], [1, 1, 0, 0]]
func.func @counts() -> (tensor<4xi32>, tensor<3x4xi64>) {
  %ids = arith.constant dense<[[1, 0], [3, 1], [1, 0]]> : tensor<3x2xi32>
  %all = moe.expert_counts %ids : tensor<3x2xi32> -> tensor<4xi32>
  %cut = tensor.expand_shape %ids [[0, 1], [2]] output_shape [3, 1, 2] : tensor<3x2xi32> into tensor<3x1x2xi32>
  %each = moe.expert_counts %cut : tensor<3x1x2xi32> -> tensor<3x4xi64>
  return %all, %each : tensor<4xi32>, tensor<3x4xi64>
}

func.func private @tokens() -> (tensor<3x1xf32>, tensor<3x2xi32>) {
  %x = arith.constant dense<[[0.0], [1.0], [2.0]]> : tensor<3x1xf32>
  %ids = arith.constant dense<[[1, 0], [3, 1], [1, 0]]> : tensor<3x2xi32>
  return %x, %ids : tensor<3x1xf32>, tensor<3x2xi32>
}

// Expert 0: second choices of tokens 0 and 2; expert 1: first choices of 0 and
// 2, then the second one of 1.
// CHOICE: {{\[\[}}0], [2], [0], [2], [1], [1]]
// CHOICE: {{\[\[}}2, 0], [5, 4], [3, 1]]
func.func @choice() -> (tensor<6x1xf32>, tensor<3x2xi32>) {
  %x, %ids = call @tokens() : () -> (tensor<3x1xf32>, tensor<3x2xi32>)
  %rows, %slots = moe.permute_rows choice %x by %ids experts 4 : tensor<3x1xf32>, tensor<3x2xi32> -> tensor<6x1xf32>, tensor<3x2xi32>
  return %rows, %slots : tensor<6x1xf32>, tensor<3x2xi32>
}

// TOKEN: {{\[\[}}0], [2], [0], [1], [2], [1]]
// TOKEN: {{\[\[}}2, 0], [5, 3], [4, 1]]
func.func @token() -> (tensor<6x1xf32>, tensor<3x2xi32>) {
  %x, %ids = call @tokens() : () -> (tensor<3x1xf32>, tensor<3x2xi32>)
  %rows, %slots = moe.permute_rows token %x by %ids experts 4 : tensor<3x1xf32>, tensor<3x2xi32> -> tensor<6x1xf32>, tensor<3x2xi32>
  return %rows, %slots : tensor<6x1xf32>, tensor<3x2xi32>
}

// PLAN: result 0: tensor<2xi32>
// PLAN-NEXT: ranks 0-1: checksum
// PLAN-NEXT: [0, 3]
// PLAN-NEXT: ranks 2-3: checksum
// PLAN-NEXT: [0, 2]
// PLAN: result 1: tensor<2xi32>
// PLAN: [3, 1]
// PLAN: [2, 4]
// PLAN: result 2: tensor<2xi32>
// PLAN: [0, 3]
// PLAN: [0, 1]
// PLAN: result 3: tensor<2xi32>
// PLAN: [3, 2]
// PLAN: [1, 4]
// PLAN: result 4: tensor<2x2xi32>
// PLAN: {{\[\[}}0, 2], [3, 3]]
// PLAN: {{\[\[}}0, 0], [1, 4]]
// PLAN: result 5: tensor<2x2xi32>
// PLAN: {{\[\[}}2, 1], [0, 2]]
// PLAN: {{\[\[}}0, 1], [3, 1]]
func.func @plan() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) {
  %all = arith.constant dense<[[2, 1, 0, 1], [0, 2, 3, 1]]> : tensor<2x4xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]>
     limit 5 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  return %so, %ss, %ro, %rs, %po, %ps : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
}

// The ranks of tp plan by rows of their own; runs are those of both, the second
// ones from row 4 on.
// JOINED: result 0: tensor<2xi32>
// JOINED-NEXT: rank 0: checksum
// JOINED-NEXT: [1, 0]
// JOINED-NEXT: rank 1: checksum
// JOINED-NEXT: [2, 2]
// JOINED-NEXT: rank 2: checksum
// JOINED-NEXT: [3, 0]
// JOINED-NEXT: rank 3: checksum
// JOINED-NEXT: [0, 1]
// JOINED: result 1: tensor<2x2x1xi32>
// JOINED-NEXT: ranks 0-1: checksum
// JOINED-NEXT: {{\[\[\[}}0], [1]], {{\[\[}}4], [6]]]
// JOINED-NEXT: ranks 2-3: checksum
// JOINED-NEXT: {{\[\[\[}}0], [0]], {{\[\[}}4], [6]]]
func.func @joined() -> (tensor<2xi32>, tensor<2x2x1xi32>) {
  %all = arith.constant dense<[[[1, 0], [3, 0]], [[2, 2], [0, 1]]]> : tensor<2x2x2xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> joined <@mesh, ["tp"]>
     limit 4 : tensor<2x2x2xi32> -> tensor<2xi32>, tensor<2x2x1xi32>
  return %ss, %po : tensor<2xi32>, tensor<2x2x1xi32>
}

func.func private @expert_runs() -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %o = arith.constant dense<[[0, 1], [3, 4]]> : tensor<2x2xi32>
  %n = arith.constant dense<[[1, 2], [1, 1]]> : tensor<2x2xi32>
  %w1 = arith.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %w2 = arith.constant dense<1.0> : tensor<2x1x1xf32>
  return %o, %n, %w1, %w2 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// Rows 5 and 6 belong to nobody; nothing that stands there gets anywhere.
// RUNS: {{\[\[}}1], [20], [30], [4], [50], [nan], [nan]]
// TERMS: {{\[\[}}experts{{.*}}, [undefined], [undefined]]
func.func @runs() -> tensor<7x1xf32> {
  %o, %n, %w1, %w2 = call @expert_runs() : () -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  %x = arith.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]]> : tensor<7x1xf32>
  %y = moe.experts gpt %x runs(%o, %n : tensor<2x2xi32>), %w1, %w2 activation relu
     : tensor<7x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32> -> tensor<7x1xf32>
  return %y : tensor<7x1xf32>
}

// dw1 = sum x * dy, dw2 = sum (w1 x) * dy over the rows of runs: expert 0 has
// 1 and 4, expert 1 has 2, 3 and 5.
// GRADIENTS: result 0: tensor<7x1xf32>
// GRADIENTS: {{\[\[}}1], [10], [10], [1], [10], [nan], [nan]]
// GRADIENTS: result 1: tensor<2x1x1xf32>
// GRADIENTS: {{\[\[\[}}5]], {{\[\[}}10]]]
// GRADIENTS: result 2: tensor<2x1x1xf32>
// GRADIENTS: {{\[\[\[}}5]], {{\[\[}}100]]]
func.func @gradients() -> (tensor<7x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) {
  %o, %n, %w1, %w2 = call @expert_runs() : () -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  %x = arith.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [0x7FC00000], [0x7FC00000]]> : tensor<7x1xf32>
  %dy = arith.constant dense<[[1.0], [1.0], [1.0], [1.0], [1.0], [0x7F800000], [0x7FC00000]]> : tensor<7x1xf32>
  %dx = moe.experts_dgrad gpt %dy at %x runs(%o, %n : tensor<2x2xi32>), %w1, %w2 activation relu
     : tensor<7x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
  %dw:2 = moe.experts_wgrad gpt %dy at %x runs(%o, %n : tensor<2x2xi32>), %w1, %w2 activation relu
     : tensor<7x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32> -> tensor<2x1x1xf32>, tensor<2x1x1xf32>
  return %dx, %dw#0, %dw#1 : tensor<7x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
}

// Experts without rows have the gradient 0.
// NONE: {{\[\[\[}}0]], {{\[\[}}0]]]
func.func @none() -> tensor<2x1x1xf32> {
  %o, %n, %w1, %w2 = call @expert_runs() : () -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  %x = tensor.empty() : tensor<3x1xf32>
  %z = arith.constant dense<0> : tensor<2x2xi32>
  %dw:2 = moe.experts_wgrad gpt %x at %x runs(%z, %z : tensor<2x2xi32>), %w1, %w2 activation relu
     : tensor<3x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32> -> tensor<2x1x1xf32>, tensor<2x1x1xf32>
  return %dw#0 : tensor<2x1x1xf32>
}
