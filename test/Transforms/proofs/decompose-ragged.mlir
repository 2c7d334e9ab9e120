// Rows of uneven runs: both exchanges send what is not replicated, along the
// hidden dim, and the all-reduce becomes a reduce-scatter. What the rows are
// written into is cut alike; what is the same everywhere is made smaller.
// RUN: moe-opt %s --moe-decompose-all-to-all=mode=drop -o %t.after && FileCheck %s < %t.after
// RUN: moe-run %t.after --against=%s --symbolic | FileCheck %s --check-prefix=PROOF
// PROOF: equal: 4 ranks

// The same on 8 programs over 4 meshes, on terms and on values.
// RUN: %python %S/../Inputs/proofs.py rule decompose-ragged %t
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// CHECK-LABEL: func.func @main(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:{{.*}}%[[Z:[a-z0-9]+]]:{{.*}}%[[A:[a-z0-9]+]]:{{.*}}%[[B:[a-z0-9]+]]:
// CHECK-DAG:   %[[XP:.*]] = moe.drop %[[X]] on <@mesh, ["tp"]> dim 1
// CHECK-DAG:   %[[ZP:.*]] = moe.drop %[[Z]] on <@mesh, ["tp"]> dim 1
// CHECK:       %[[D:.*]] = moe.ragged_all_to_all %[[XP]] into %[[ZP]] on <@mesh, ["ep"]> {{.*}} -> tensor<5x2xf32>
// CHECK:       %[[G:.*]] = moe.all_gather %{{.*}} on <@mesh, ["tp"]> dim
// CHECK:       moe.experts gpt %{{.*}}, %[[A]], %[[B]]
// CHECK:       %[[S:.*]] = moe.reduce_scatter %{{.*}} on <@mesh, ["tp"]> dim 1
// CHECK:       %[[C:.*]] = moe.ragged_all_to_all %[[S]] into %{{.*}} on <@mesh, ["ep"]> {{.*}} -> tensor<3x2xf32>
// CHECK:       %[[R:.*]] = moe.all_gather %[[C]] on <@mesh, ["tp"]> dim 1
// CHECK:       return %[[R]]
func.func @main(%x: tensor<3x4xf32> {moe.varying = ["ep"]},
                %z: tensor<5x4xf32> {moe.varying = ["ep"]},
                %a: tensor<1x4x3xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<1x3x4xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<3x4xf32> {
  %place = moe.group_rank on <@mesh, ["ep"]> : index
  %tss = arith.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi32>
  %tso = arith.constant dense<[[0, 1], [0, 2]]> : tensor<2x2xi32>
  %ss = tensor.extract_slice %tss[%place, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<2xi32>
  %so = tensor.extract_slice %tso[%place, 0] [1, 2] [1, 1] : tensor<2x2xi32> to tensor<2xi32>
  %d = moe.ragged_all_to_all %x into %z on <@mesh, ["ep"]> send(%so, %ss) recv(%so, %ss) : tensor<3x4xf32>, tensor<2xi32> -> tensor<5x4xf32>
  %p = tensor.expand_shape %d [[0, 1], [2]] output_shape [1, 5, 4] : tensor<5x4xf32> into tensor<1x5x4xf32>
  %y = moe.experts gpt %p, %a, %b : tensor<1x5x4xf32>, tensor<1x4x3xf32>, tensor<1x3x4xf32> -> tensor<1x5x4xf32>
  %q = tensor.collapse_shape %y [[0, 1], [2]] : tensor<1x5x4xf32> into tensor<5x4xf32>
  %s = moe.all_reduce %q on <@mesh, ["tp"]> : tensor<5x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.splat %zero : tensor<3x4xf32>
  %r = moe.ragged_all_to_all %s into %e on <@mesh, ["ep"]> send(%so, %ss) recv(%so, %ss) : tensor<5x4xf32>, tensor<2xi32> -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
