// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

// CHECK-LABEL: func.func @limits
// GENERIC: "moe.limit_choices"(%{{.*}}, %{{.*}}) <{experts = 8 : i64, kind = #moe<order_kind choice>}> : (tensor<6x3xi32>, tensor<4xi64>) -> tensor<6x3xi32>
func.func @limits(%ids: tensor<6x3xi32>, %some: tensor<?x?xi8>, %each: tensor<8xi32>, %peers: tensor<4xi64>)
    -> (tensor<6x3xi32>, tensor<6x3xi32>, tensor<?x?xi8>) {
  // CHECK: = moe.limit_choices choice %{{.*}} experts 8 limits %{{.*}} : tensor<6x3xi32>, tensor<4xi64>
  %0 = moe.limit_choices choice %ids experts 8 limits %peers
     : tensor<6x3xi32>, tensor<4xi64>
  // CHECK: = moe.limit_choices token %{{.*}} experts 8 limits %{{.*}} {of_users} : tensor<6x3xi32>, tensor<8xi32>
  %1 = moe.limit_choices token %ids experts 8 limits %each {of_users}
     : tensor<6x3xi32>, tensor<8xi32>
  // CHECK: = moe.limit_choices choice %{{.*}} experts 16 limits %{{.*}} : tensor<?x?xi8>, tensor<8xi32>
  %2 = moe.limit_choices choice %some experts 16 limits %each
     : tensor<?x?xi8>, tensor<8xi32>
  return %0, %1, %2 : tensor<6x3xi32>, tensor<6x3xi32>, tensor<?x?xi8>
}
