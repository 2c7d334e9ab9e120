// RUN: moe-opt %s -split-input-file -verify-diagnostics

func.func @f(%ids: tensor<6x2x2xi32>) {
  // expected-error@+1 {{expected ids to have rank 2, got 'tensor<6x2x2xi32>'}}
  %0 = moe.distinct_nodes %ids experts 8 nodes 4 : tensor<6x2x2xi32> -> tensor<6x2xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected at least one node, got 0}}
  %0 = moe.distinct_nodes %ids experts 8 nodes 0 : tensor<6x2xi32> -> tensor<6x2xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected a number of experts that divides by the 3 nodes, got 8}}
  %0 = moe.distinct_nodes %ids experts 8 nodes 3 : tensor<6x2xi32> -> tensor<6x2xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected a number of experts that divides by the 2 nodes, got 0}}
  %0 = moe.distinct_nodes %ids experts 0 nodes 2 : tensor<6x2xi32> -> tensor<6x2xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected nodes to have elements 'i32', got 'i64'}}
  %0 = moe.distinct_nodes %ids experts 8 nodes 4 : tensor<6x2xi32> -> tensor<6x2xi64>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected nodes to have size 6 in dim 0, got 5}}
  %0 = moe.distinct_nodes %ids experts 8 nodes 4 : tensor<6x2xi32> -> tensor<5x2xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x3xi32>) {
  // expected-error@+1 {{expected nodes to have size 1 to 2 in dim 1, got 'tensor<6x3xi32>'}}
  %0 = moe.distinct_nodes %ids experts 8 nodes 2 : tensor<6x3xi32> -> tensor<6x3xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi32>) {
  // expected-error@+1 {{expected nodes to have size 1 to 2 in dim 1, got 'tensor<6x?xi32>'}}
  %0 = moe.distinct_nodes %ids experts 8 nodes 4 : tensor<6x2xi32> -> tensor<6x?xi32>
  return
}

// -----

func.func @f(%ids: tensor<6x2xi8>) {
  // expected-error@+1 {{expected ids of integers that hold 255, got 'i8'}}
  %0 = moe.distinct_nodes %ids experts 256 nodes 2 : tensor<6x2xi8> -> tensor<6x2xi8>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<4x10xi32>) {
  // expected-error@+1 {{expected groups without a common axis, got "node" in both}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place", "node"]> limits 4, 6 : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<4x9xi32>) {
  // expected-error@+1 {{expected counts of experts, a multiple of the 4 ranks, and then of 2 nodes, got 'tensor<4x9xi32>'}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 4, 6 : tensor<4x9xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<4x2xi32>) {
  // expected-error@+1 {{expected counts of experts, a multiple of the 4 ranks, and then of 2 nodes, got 'tensor<4x2xi32>'}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 4, 6 : tensor<4x2xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x0xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<2x10xi32>) {
  // expected-error@+1 {{expected counts to have size 4 in dim 0, got 2}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 4, 6 : tensor<2x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 3]
func.func @f(%all: tensor<6x8xi32>) {
  // expected-error@+1 {{expected offsets and sizes inside to have size 3 in dim 0, got 2}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 4, 6 : tensor<6x8xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<3x1xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 3]
func.func @f(%all: tensor<6x8xi32>) {
  // expected-error@+1 {{expected run offsets and sizes to have size 1 in dim 1, got 2}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 4, 6 : tensor<6x8xi32> -> tensor<2xi32>, tensor<3xi32>, tensor<3x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<4x?xi32>) {
  // expected-error@+1 {{expected a static number of experts and nodes, got 'tensor<4x?xi32>'}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 4, 6 : tensor<4x?xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<4x10xi32>) {
  // expected-error@+1 {{expected a limit of at least 0 rows, got -1}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits -1, 6 : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<4x10xi32>) {
  // expected-error@+1 {{expected offsets and sizes between nodes of integers that hold 400, got 'i8'}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 400, 6 : tensor<4x10xi32> -> tensor<2xi8>, tensor<2xi32>, tensor<2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @f(%all: tensor<2x4x10xi32>) {
  // expected-error@+1 {{expected groups without a common axis, got "place" in both}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> joined <@mesh, ["place"]> limits 4, 6 : tensor<2x4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place", "tp"] shape [2, 2, 2]
func.func @f(%all: tensor<4x10xi32>) {
  // expected-error@+1 {{expected counts to have rank 3, got 'tensor<4x10xi32>'}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> joined <@mesh, ["tp"]> limits 4, 6 : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place", "tp"] shape [2, 2, 2]
func.func @f(%all: tensor<3x4x10xi32>) {
  // expected-error@+1 {{expected counts to have size 2 in dim 0, got 3}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> joined <@mesh, ["tp"]> limits 4, 6 : tensor<3x4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2x2xi32>
  return
}

// -----

moe.mesh @mesh axes ["node", "place", "tp"] shape [2, 2, 2]
func.func @f(%all: tensor<2x4x10xi32>) {
  // expected-error@+1 {{expected run offsets and sizes of integers that hold 200, got 'i8'}}
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]> joined <@mesh, ["tp"]> limits 4, 100 : tensor<2x4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2x2xi8>
  return
}
