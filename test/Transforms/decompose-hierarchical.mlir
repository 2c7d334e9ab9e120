// RUN: moe-opt %s -moe-decompose-all-to-all="mode=hierarchical variant=2dh" --remarks-filter=.* 2>%t.remarks | FileCheck %s --check-prefix=TWO
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %s -moe-decompose-all-to-all="mode=hierarchical variant=1dh" --remarks-filter=.* 2>%t.remarks | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=REMARK1 < %t.remarks
// RUN: moe-opt %s -moe-split-mesh-axis="axis=ep inner=2" -moe-decompose-all-to-all=mode=hierarchical | FileCheck %s --check-prefix=SPLIT

moe.mesh @mesh axes ["node", "place", "ep"] shape [3, 2, 4]

// TWO-LABEL: func.func @flat
// TWO: tensor.expand_shape %{{.*}} : tensor<12x5xf32> into tensor<3x2x2x5xf32>
// TWO: moe.transpose %{{.*}} [1, 0, 2, 3]
// TWO: moe.all_to_all %{{.*}} on <@mesh, ["place"]> split 0 concat 0
// TWO: moe.transpose %{{.*}} [1, 0, 2, 3]
// TWO: moe.all_to_all %{{.*}} on <@mesh, ["node"]> split 0 concat 0
// TWO: tensor.collapse_shape
// REMARK: [Passed] decompose {{.*}}Function=flat {{.*}}nodes=3, ranks_inside=2
// ONE-LABEL: func.func @flat
// ONE: moe.group_rank on <@mesh, ["place"]>
// ONE: moe.ragged_all_to_all %{{.*}} on <@mesh, ["place"]>
// ONE-SAME: tensor<12x5xf32>, tensor<2xi64> -> tensor<24x5xf32>
// ONE: moe.ragged_all_to_all %{{.*}} on <@mesh, ["node"]>
// ONE-SAME: tensor<24x5xf32>, tensor<3xi64> -> tensor<24x5xf32>
// ONE: moe.ragged_all_to_all %{{.*}} on <@mesh, ["place"]>
// ONE-SAME: tensor<24x5xf32>, tensor<2xi64> -> tensor<12x5xf32>
func.func @flat(%x: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["node", "place"]> split 0 concat 0 : tensor<12x5xf32> -> tensor<12x5xf32>
  return %r : tensor<12x5xf32>
}

// REMARK: [Missed] decompose {{.*}}Function=one_axis {{.*}}expected a group of at least two axes, the last inside a node, got 1 (moe-split-mesh-axis splits one)
// SPLIT-LABEL: func.func @one_axis
// SPLIT: moe.all_to_all %{{.*}} on <@mesh, ["ep_inner"]> split 0 concat 0
// SPLIT: moe.all_to_all %{{.*}} on <@mesh, ["ep_outer"]> split 0 concat 0
func.func @one_axis(%x: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<12x5xf32> -> tensor<12x5xf32>
  return %r : tensor<12x5xf32>
}

// REMARK: [Missed] decompose {{.*}}Function=transposing {{.*}}expected equal split and concat dims, got 0 and 1
func.func @transposing(%x: tensor<12x5xf32>) -> tensor<2x30xf32> {
  %r = moe.all_to_all %x on <@mesh, ["node", "place"]> split 0 concat 1 : tensor<12x5xf32> -> tensor<2x30xf32>
  return %r : tensor<2x30xf32>
}

// Sizes that are not known are handed on, but nothing is collected of them.
// TWO-LABEL: func.func @dynamic
// TWO: %[[D:.*]] = tensor.dim
// TWO: tensor.expand_shape %{{.*}} output_shape [3, 2, 2, %[[D]]] : tensor<12x?xf32> into tensor<3x2x2x?xf32>
// TWO: moe.all_to_all %{{.*}} on <@mesh, ["place"]>
// REMARK: [Passed] decompose {{.*}}Function=dynamic {{.*}}nodes=3, ranks_inside=2
// REMARK1: [Missed] decompose {{.*}}Function=dynamic {{.*}}expected a static shape for variant=1dh
func.func @dynamic(%x: tensor<12x?xf32>) -> tensor<12x?xf32> {
  %r = moe.all_to_all %x on <@mesh, ["node", "place"]> split 0 concat 0 : tensor<12x?xf32> -> tensor<12x?xf32>
  return %r : tensor<12x?xf32>
}

// REMARK: [Missed] decompose {{.*}}Function=unknown_split {{.*}}expected a static split dim
func.func @unknown_split(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["node", "place"]> split 0 concat 0 : tensor<?x5xf32> -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// REMARK: [Passed] decompose {{.*}}Function=second_dim
// REMARK1: [Missed] decompose {{.*}}Function=second_dim {{.*}}expected split dim 0 for variant=1dh, got 1
func.func @second_dim(%x: tensor<5x12xf32>) -> tensor<5x12xf32> {
  %r = moe.all_to_all %x on <@mesh, ["node", "place"]> split 1 concat 1 : tensor<5x12xf32> -> tensor<5x12xf32>
  return %r : tensor<5x12xf32>
}
