// RUN: moe-opt %s --canonicalize --cse --symbol-dce | FileCheck %s

// The largest mesh: nothing lists its 2^31 - 1 ranks, which would take 16 GB.
moe.mesh @mesh axes ["x"] shape [2147483647]

// CHECK-LABEL: func.func @large
func.func @large(%x: tensor<2147483647x2xi8> {moe.varying = ["x"]})
    -> (tensor<2147483647x2xi8>, tensor<1x2xi8>, tensor<1x2xi8>, index) {
  // CHECK-NEXT: moe.all_to_all
  %a = moe.all_to_all %x on <@mesh, ["x"]> split 0 concat 0
     : tensor<2147483647x2xi8> -> tensor<2147483647x2xi8>
  // CHECK-NEXT: moe.drop
  %b = moe.drop %x on <@mesh, ["x"]> dim 0
     : tensor<2147483647x2xi8> -> tensor<1x2xi8>
  // CHECK-NEXT: moe.reduce_scatter
  %c = moe.reduce_scatter %x on <@mesh, ["x"]> dim 0
     : tensor<2147483647x2xi8> -> tensor<1x2xi8>
  // CHECK-NEXT: moe.group_rank
  %i = moe.group_rank on <@mesh, ["x"]> : index
  return %a, %b, %c, %i : tensor<2147483647x2xi8>, tensor<1x2xi8>,
    tensor<1x2xi8>, index
}

// Groups of one rank in it fold all the same.
// CHECK-LABEL: func.func @one_rank
// CHECK-SAME: (%[[X:.*]]: tensor<4xi8>)
// CHECK-NEXT: return %[[X]]
func.func @one_rank(%x: tensor<4xi8>) -> tensor<4xi8> {
  %a = moe.all_gather %x on <@mesh, []> dim 0 : tensor<4xi8> -> tensor<4xi8>
  return %a : tensor<4xi8>
}
