// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.ragged_all_to_all"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{group = #moe.group<@mesh, ["ep"]>}>
// GENERIC-SAME: : (tensor<3xf32>, tensor<4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xf32>
func.func @picture(%x: tensor<3xf32>, %z: tensor<4xf32>, %so: tensor<2xi32>,
                   %ss: tensor<2xi32>, %ro: tensor<2xi32>, %rs: tensor<2xi32>)
    -> tensor<4xf32> {
  // CHECK-SAME: (%[[X:.*]]: tensor<3xf32>, %[[Z:.*]]: tensor<4xf32>, %[[SO:.*]]: tensor<2xi32>, %[[SS:.*]]: tensor<2xi32>, %[[RO:.*]]: tensor<2xi32>, %[[RS:.*]]: tensor<2xi32>)
  // CHECK: moe.ragged_all_to_all %[[X]] into %[[Z]] on <@mesh, ["ep"]> send(%[[SO]], %[[SS]]) recv(%[[RO]], %[[RS]]) : tensor<3xf32>, tensor<2xi32> -> tensor<4xf32>
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]>
         send(%so, %ss) recv(%ro, %rs)
       : tensor<3xf32>, tensor<2xi32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x8x?xbf16>, %z: tensor<?x?x4xbf16>,
                   %n: tensor<?xindex>) -> tensor<?x?x4xbf16> {
  // CHECK: on <@mesh, ["ep", "tp"]> send(%{{.*}}, %{{.*}}) recv(%{{.*}}, %{{.*}}) : tensor<?x8x?xbf16>, tensor<?xindex> -> tensor<?x?x4xbf16>
  %r = moe.ragged_all_to_all %x into %z on <@mesh, ["ep", "tp"]>
         send(%n, %n) recv(%n, %n)
       : tensor<?x8x?xbf16>, tensor<?xindex> -> tensor<?x?x4xbf16>
  return %r : tensor<?x?x4xbf16>
}

// CHECK-LABEL: func.func @rank_lists
func.func @rank_lists(%x: tensor<0x8xi8>, %n: tensor<1xi64>) -> tensor<0x8xi8> {
  // CHECK: on {{\[\[}}0], [1], [2], [3], [4], [5]] send({{.*}}) recv({{.*}}) : tensor<0x8xi8>, tensor<1xi64> -> tensor<0x8xi8>
  %r = moe.ragged_all_to_all %x into %x on [[0], [1], [2], [3], [4], [5]]
         send(%n, %n) recv(%n, %n)
       : tensor<0x8xi8>, tensor<1xi64> -> tensor<0x8xi8>
  return %r : tensor<0x8xi8>
}
