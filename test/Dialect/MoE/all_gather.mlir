// RUN: moe-opt %s | FileCheck %s
// RUN: moe-opt %s | moe-opt | FileCheck %s
// RUN: moe-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: moe-opt %s --mlir-print-op-generic | moe-opt | FileCheck %s
// RUN: moe-opt %s --emit-bytecode | moe-opt | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [3, 2]

// CHECK-LABEL: func.func @picture
// GENERIC: "moe.all_gather"(%{{.*}}) <{dim = 0 : i64, group = #moe.group<@mesh, ["tp"]>}> : (tensor<1xf32>) -> tensor<2xf32>
func.func @picture(%x: tensor<1xf32>) -> tensor<2xf32> {
  // CHECK: moe.all_gather %{{.*}} on <@mesh, ["tp"]> dim 0 : tensor<1xf32> -> tensor<2xf32>
  %r = moe.all_gather %x on <@mesh, ["tp"]> dim 0
     : tensor<1xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x4xui8>) -> tensor<6x?xui8> {
  // CHECK: moe.all_gather %{{.*}} on <@mesh, ["ep"]> dim 1 : tensor<?x4xui8> -> tensor<?x12xui8>
  %a = moe.all_gather %x on <@mesh, ["ep"]> dim 1
     : tensor<?x4xui8> -> tensor<?x12xui8>
  // CHECK: moe.all_gather %{{.*}} on {{\[\[}}4, 0], [5, 1], [3, 2]] dim 0 : tensor<?x12xui8> -> tensor<6x?xui8>
  %b = moe.all_gather %a on [[4, 0], [5, 1], [3, 2]] dim 0
     : tensor<?x12xui8> -> tensor<6x?xui8>
  return %b : tensor<6x?xui8>
}

// The encoding of a tensor is kept.
// CHECK-LABEL: func.func @encoding
func.func @encoding(%x: tensor<0x4xindex, "rows">) -> tensor<0x8xindex, "rows"> {
  // CHECK: dim 1 {moved} : tensor<0x4xindex, "rows"> -> tensor<0x8xindex, "rows">
  %r = moe.all_gather %x on <@mesh, ["tp"]> dim 1 {moved}
     : tensor<0x4xindex, "rows"> -> tensor<0x8xindex, "rows">
  return %r : tensor<0x8xindex, "rows">
}

// The full attribute parses in place of the short form.
// CHECK-LABEL: func.func @full_attributes
func.func @full_attributes(%x: tensor<1xf32>) -> tensor<4xf32> {
  // CHECK: moe.all_gather %{{.*}} on <@mesh, ["tp"]> dim 0
  %a = moe.all_gather %x on #moe.group<@mesh, ["tp"]> dim 0
     : tensor<1xf32> -> tensor<2xf32>
  // CHECK: moe.all_gather %{{.*}} on {{\[\[}}0, 1], [2, 3], [4, 5]] dim 0
  %b = moe.all_gather %a
       on #moe.replica_groups<dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>>
       dim 0 : tensor<2xf32> -> tensor<4xf32>
  return %b : tensor<4xf32>
}
