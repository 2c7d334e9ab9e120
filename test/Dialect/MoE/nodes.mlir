// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --canonicalize | FileCheck %s --check-prefix=LISTS

moe.mesh @mesh axes ["node", "place", "tp"] shape [2, 2, 1]

// CHECK-LABEL: func.func @nodes
// GENERIC: "moe.distinct_nodes"(%{{.*}}) <{experts = 8 : i64, nodes = 4 : i64}> : (tensor<6x3xi32>) -> tensor<6x3xi32>
func.func @nodes(%ids: tensor<6x3xi32>, %some: tensor<?x?xi8>)
    -> (tensor<6x3xi32>, tensor<6x1xi32>, tensor<?x2xi8>) {
  // CHECK: = moe.distinct_nodes %{{.*}} experts 8 nodes 4 : tensor<6x3xi32> -> tensor<6x3xi32>
  %0 = moe.distinct_nodes %ids experts 8 nodes 4
     : tensor<6x3xi32> -> tensor<6x3xi32>
  // CHECK: = moe.distinct_nodes %{{.*}} experts 8 nodes 4 {limited} : tensor<6x3xi32> -> tensor<6x1xi32>
  %1 = moe.distinct_nodes %ids experts 8 nodes 4 {limited}
     : tensor<6x3xi32> -> tensor<6x1xi32>
  // CHECK: = moe.distinct_nodes %{{.*}} experts 2 nodes 2 : tensor<?x?xi8> -> tensor<?x2xi8>
  %2 = moe.distinct_nodes %some experts 2 nodes 2
     : tensor<?x?xi8> -> tensor<?x2xi8>
  return %0, %1, %2 : tensor<6x3xi32>, tensor<6x1xi32>, tensor<?x2xi8>
}

// CHECK-LABEL: func.func @plan
// GENERIC: "moe.node_plan"(%{{.*}}) <{group = #moe.group<@mesh, ["node"]>, inside = #moe.group<@mesh, ["place"]>, limit = 6 : i64, node_limit = 4 : i64}>
// GENERIC-SAME: (tensor<4x10xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2x2xindex>, tensor<2x2xindex>)
// LISTS-LABEL: func.func @plan
func.func @plan(%all: tensor<4x10xi32>) -> (tensor<2xi32>, tensor<2x2xi32>) {
  // CHECK: moe.node_plan %{{.*}} on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 4, 6 : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi64>, tensor<2x2xindex>
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]>
     limits 4, 6
     : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi64>, tensor<2x2xindex>
  // CHECK: moe.node_plan %{{.*}} on {{\[\[}}0, 2], [1, 3]] inside <@mesh, ["place"]> limits 0, 0
  // LISTS: moe.node_plan %{{.*}} on <@mesh, ["node"]> inside <@mesh, ["place"]> limits 0, 0
  %1:10 = moe.node_plan %all on [[0, 2], [1, 3]] inside <@mesh, ["place"]>
     limits 0, 0
     : tensor<4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
  return %1#0, %1#9 : tensor<2xi32>, tensor<2x2xi32>
}

// CHECK-LABEL: func.func @joined
func.func @joined(%all: tensor<1x4x10xi32>) -> tensor<1x2x2xi32> {
  // CHECK: moe.node_plan %{{.*}} on <@mesh, ["node"]> inside <@mesh, ["place"]> joined <@mesh, ["tp"]> limits 4, 6 : tensor<1x4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<1x2x2xi32>
  %0:10 = moe.node_plan %all on <@mesh, ["node"]> inside <@mesh, ["place"]>
     joined <@mesh, ["tp"]> limits 4, 6
     : tensor<1x4x10xi32> -> tensor<2xi32>, tensor<2xi32>, tensor<1x2x2xi32>
  return %0#9 : tensor<1x2x2xi32>
}
