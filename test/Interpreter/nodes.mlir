// RUN: moe-run %s --entry=nodes --print-values | FileCheck %s --check-prefix=NODES
// RUN: moe-run %s --entry=rows --print-values | FileCheck %s --check-prefix=ROWS
// RUN: moe-run %s --entry=plan --print-values | FileCheck %s --check-prefix=PLAN
// RUN: not moe-run %s --entry=spread 2>&1 | FileCheck %s --check-prefix=SPREAD
// RUN: not moe-run %s --entry=between 2>&1 | FileCheck %s --check-prefix=BETWEEN
// RUN: not moe-run %s --entry=inside 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not moe-run %s --entry=negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// The pictures of the ops that send tokens once a node, and what they refuse.

moe.mesh @mesh axes ["node", "place"] shape [2, 2]

// NODES: {{\[\[}}0, 2, -1], [3, -1, -1], [1, 0, -1], [-1, -1, -1]]
func.func @nodes() -> tensor<4x3xi32> {
  %ids = arith.constant dense<[[0, 5, 1], [6, 7, 6], [-1, 3, 1], [-1, -1, -1]]> : tensor<4x3xi32>
  %r = moe.distinct_nodes %ids experts 8 nodes 4 : tensor<4x3xi32> -> tensor<4x3xi32>
  return %r : tensor<4x3xi32>
}

// A copy of no expert is not counted and has no row.
// ROWS: result 0: tensor<2xi32>
// ROWS: [2, 1]
// ROWS: result 1: tensor<3x2xi32>
// ROWS: {{\[\[}}2, 0], [-1, -1], [1, -1]]
func.func @rows() -> (tensor<2xi32>, tensor<3x2xi32>) {
  %ids = arith.constant dense<[[1, 0], [-1, -1], [0, -1]]> : tensor<3x2xi32>
  %x = arith.constant dense<[[0.0], [1.0], [2.0]]> : tensor<3x1xf32>
  %n = moe.expert_counts %ids : tensor<3x2xi32> -> tensor<2xi32>
  %r, %s = moe.permute_rows token %x by %ids experts 2 : tensor<3x1xf32>, tensor<3x2xi32> -> tensor<6x1xf32>, tensor<3x2xi32>
  return %n, %s : tensor<2xi32>, tensor<3x2xi32>
}

// Rank 1 has two copies for expert 0 and one for expert 3, of two tokens, of
// which one goes to both nodes; rank 3 one for expert 1 and one for expert 2.
// PLAN: result 0: tensor<2xi32>
// PLAN: rank 1: checksum
// PLAN-NEXT: [2, 1]
// PLAN: result 1: tensor<2xi32>
// PLAN: rank 0: checksum
// PLAN-NEXT: [0, 2]
// PLAN: ranks 1-3: checksum
// PLAN-NEXT: [0, 1]
func.func @plan() -> (tensor<2xi32>, tensor<2xi32>) {
  %all = arith.constant dense<[[0, 0, 0, 0, 0, 0], [2, 0, 0, 1, 2, 1], [0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 1]]> : tensor<4x6xi32>
  %p:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 3, 2 : tensor<4x6xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x1xi32>
  %runs = tensor.collapse_shape %p#9 [[0, 1]] : tensor<2x1xi32> into tensor<2xi32>
  return %p#1, %runs : tensor<2xi32>, tensor<2xi32>
}

// SPREAD: 'moe.distinct_nodes' op expected the experts of a token to be on at most 1 nodes, got more for token 1 on rank 0
func.func @spread() -> tensor<2x1xi32> {
  %ids = arith.constant dense<[[0, 1], [1, 2]]> : tensor<2x2xi32>
  %r = moe.distinct_nodes %ids experts 4 nodes 2 : tensor<2x2xi32> -> tensor<2x1xi32>
  return %r : tensor<2x1xi32>
}

// BETWEEN: 'moe.node_plan' op rank 1, position 1 of its group, would receive 3 rows between nodes, more than the limit of 2; expected a limit of at least as many
func.func @between() -> tensor<2xi32> {
  %all = arith.constant dense<[[0, 0, 0, 0, 0, 0], [2, 0, 0, 1, 2, 1], [0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 1]]> : tensor<4x6xi32>
  %p:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 2, 2 : tensor<4x6xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x1xi32>
  return %p#1 : tensor<2xi32>
}

// INSIDE: 'moe.node_plan' op rank 0, position 0 of its group, would receive 2 rows, more than the limit of 1; expected a limit of at least as many (moe-translate --receive-factor)
func.func @inside() -> tensor<2xi32> {
  %all = arith.constant dense<[[0, 0, 0, 0, 0, 0], [2, 0, 0, 1, 2, 1], [0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 1]]> : tensor<4x6xi32>
  %p:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 3, 1 : tensor<4x6xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x1xi32>
  return %p#1 : tensor<2xi32>
}

// NEGATIVE: 'moe.node_plan' op expected counts of at least 0, got -2 for node 1 of position 3 on rank 0
func.func @negative() -> tensor<2xi32> {
  %all = arith.constant dense<[[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -2]]> : tensor<4x6xi32>
  %p:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 3, 1 : tensor<4x6xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x1xi32>
  return %p#1 : tensor<2xi32>
}
