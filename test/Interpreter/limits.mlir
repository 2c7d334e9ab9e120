// RUN: moe-run %s --entry=peers --print-values | FileCheck %s --check-prefix=PEERS
// RUN: moe-run %s --entry=token --print-values | FileCheck %s --check-prefix=TOKEN
// RUN: moe-run %s --entry=each --print-values | FileCheck %s --check-prefix=EACH
// RUN: moe-run %s --entry=own --print-values | FileCheck %s --check-prefix=OWN
// RUN: moe-run %s --entry=open --print-values --seed=2 | FileCheck %s --check-prefix=OPEN
// RUN: not moe-run %s --entry=negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not moe-run %s --entry=wrong 2>&1 | FileCheck %s --check-prefix=WRONG

// Copies beyond limits go nowhere: those that are counted first stay.

moe.mesh @mesh axes ["ep"] shape [2]

// The picture of the op. The second choice of token 0 comes after all first
// ones.
// PEERS: {{\[\[}}0, -1], [1, -1], [-1, -1], [3, -1]]
func.func @peers() -> tensor<4x2xi32> {
  %ids = arith.constant dense<[[0, 2], [1, 0], [0, 3], [3, -1]]> : tensor<4x2xi32>
  %limits = arith.constant dense<[2, 1]> : tensor<2xi32>
  %r = moe.limit_choices choice %ids experts 4 limits %limits : tensor<4x2xi32>, tensor<2xi32>
  return %r : tensor<4x2xi32>
}

// TOKEN: {{\[\[}}0, 2], [1, -1], [-1, -1], [-1, -1]]
func.func @token() -> tensor<4x2xi32> {
  %ids = arith.constant dense<[[0, 2], [1, 0], [0, 3], [3, -1]]> : tensor<4x2xi32>
  %limits = arith.constant dense<[2, 1]> : tensor<2xi32>
  %r = moe.limit_choices token %ids experts 4 limits %limits : tensor<4x2xi32>, tensor<2xi32>
  return %r : tensor<4x2xi32>
}

// A limit of 0 drops all, one that is large nothing.
// EACH: {{\[\[}}0, -1], [-1, 0], [0, 3], [3, -1]]
func.func @each() -> tensor<4x2xi64> {
  %ids = arith.constant dense<[[0, 2], [1, 0], [0, 3], [3, -1]]> : tensor<4x2xi64>
  %limits = arith.constant dense<[9, 0, 0, 2]> : tensor<4xindex>
  %r = moe.limit_choices choice %ids experts 4 limits %limits : tensor<4x2xi64>, tensor<4xindex>
  return %r : tensor<4x2xi64>
}

// Ranks have limits of their own.
// OWN: rank 0
// OWN-NEXT: {{\[\[}}0], [0], [-1], [3]]
// OWN: rank 1
// OWN-NEXT: {{\[\[}}0], [-1], [-1], [3]]
func.func @own() -> tensor<4x1xi32> {
  %ids = arith.constant dense<[[0], [0], [2], [3]]> : tensor<4x1xi32>
  %table = arith.constant dense<[[2, 0, 0, 4], [1, 1, 0, 1]]> : tensor<2x4xi32>
  %mine = moe.drop %table on <@mesh, ["ep"]> dim 0 : tensor<2x4xi32> -> tensor<1x4xi32>
  %limits = tensor.collapse_shape %mine [[0, 1]] : tensor<1x4xi32> into tensor<4xi32>
  %r = moe.limit_choices choice %ids experts 4 limits %limits : tensor<4x1xi32>, tensor<4xi32>
  return %r : tensor<4x1xi32>
}

// Ids and limits that are drawn are such as there may be.
// OPEN: result 0
func.func @open(%ids: tensor<4x2xi32>, %limits: tensor<2xi32>) -> tensor<4x2xi32> {
  %r = moe.limit_choices choice %ids experts 4 limits %limits : tensor<4x2xi32>, tensor<2xi32>
  return %r : tensor<4x2xi32>
}

// NEGATIVE: 'moe.limit_choices' op expected limits of at least 0, got -1 as number 1 of 2 on rank 0
func.func @negative() -> tensor<1x2xi32> {
  %ids = arith.constant dense<[[0, 2]]> : tensor<1x2xi32>
  %limits = arith.constant dense<[2, -1]> : tensor<2xi32>
  %r = moe.limit_choices choice %ids experts 4 limits %limits : tensor<1x2xi32>, tensor<2xi32>
  return %r : tensor<1x2xi32>
}

// WRONG: 'moe.limit_choices' op expected expert numbers in [-1, 4), got 4 as choice 1 of token 0 on rank 0
func.func @wrong() -> tensor<1x2xi32> {
  %ids = arith.constant dense<[[0, 4]]> : tensor<1x2xi32>
  %limits = arith.constant dense<[2, 1]> : tensor<2xi32>
  %r = moe.limit_choices choice %ids experts 4 limits %limits : tensor<1x2xi32>, tensor<2xi32>
  return %r : tensor<1x2xi32>
}
