// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s
// RUN: moe-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: moe-opt %s --moe-print-replication -verify-diagnostics -o /dev/null

moe.mesh @mesh axes ["ep", "tp"] shape [3, 2]

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.collective_permute"(%{{.*}}) <{from = array<i64: 0, 1>, group = #moe.group<@mesh, ["ep"]>, to = array<i64: 1, 2>}> : (tensor<2xf32>) -> tensor<2xf32>
// expected-remark@+1 {{varies over ["ep"]}}
func.func @picture(%x: tensor<2xf32> {moe.varying = ["ep"]}) -> tensor<2xf32> {
  // CHECK: moe.collective_permute %{{.*}} on <@mesh, ["ep"]> from [0, 1] to [1, 2] : tensor<2xf32>
  // expected-remark@+1 {{varies over ["ep"]}}
  %r = moe.collective_permute %x on <@mesh, ["ep"]> from [0, 1] to [1, 2]
     : tensor<2xf32>
  return %r : tensor<2xf32>
}

// No rank sends: all ranks get zeros. A dynamic shape and lists of ranks.
// CHECK-LABEL: func.func @others
// expected-remark@+1 {{varies over ["ep", "tp"]}}
func.func @others(%x: tensor<?x4xui8>) -> tensor<?x4xui8> {
  // CHECK: from [] to [] : tensor<?x4xui8>
  // expected-remark@+1 {{varies over ["ep", "tp"]}}
  %a = moe.collective_permute %x on <@mesh, ["tp"]> from [] to []
     : tensor<?x4xui8>
  // CHECK: on {{\[\[}}4, 0], [5, 1], [3, 2]] from [1] to [0] : tensor<?x4xui8>
  // expected-remark@+1 {{varies over ["ep", "tp"]}}
  %b = moe.collective_permute %a on [[4, 0], [5, 1], [3, 2]] from [1] to [0]
     : tensor<?x4xui8>
  return %b : tensor<?x4xui8>
}

// Where all ranks send to themselves nothing is sent; where one of them gets
// zeros instead, or all are turned round, something is.
// FOLD-LABEL: func.func @same
// FOLD-SAME: (%[[X:.*]]: tensor<f32> {{.*}})
// expected-remark@+1 {{varies over ["tp"]}}
func.func @same(%x: tensor<f32> {moe.varying = ["tp"]}) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  // The same on all ranks of ep, and after each of them has got it.
  // expected-remark@+1 {{varies over ["tp"]}}
  %a = moe.collective_permute %x on <@mesh, ["ep"]> from [1, 0, 2] to [1, 0, 2]
     : tensor<f32>
  // FOLD: %[[B:.*]] = moe.collective_permute %[[X]] on <@mesh, ["ep"]> from [0, 1] to [0, 1]
  // expected-remark@+1 {{varies over ["ep", "tp"]}}
  %b = moe.collective_permute %x on <@mesh, ["ep"]> from [0, 1] to [0, 1]
     : tensor<f32>
  // FOLD: %[[C:.*]] = moe.collective_permute %[[X]] on <@mesh, ["tp"]> from [0, 1] to [1, 0]
  // expected-remark@+1 {{varies over ["tp"]}}
  %c = moe.collective_permute %x on <@mesh, ["tp"]> from [0, 1] to [1, 0]
     : tensor<f32>
  // FOLD: return %[[X]], %[[B]], %[[C]]
  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>
}
