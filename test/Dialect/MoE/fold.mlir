// RUN: moe-opt %s --canonicalize | FileCheck %s

// Every fold of the dialect, and what looks like it but must stay.

moe.mesh @mesh axes ["one", "ep", "tp"] shape [1, 2, 3]

//===----------------------------------------------------------------------===//
// A collective over one rank is the identity
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @one_rank
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[ZERO]]
func.func @one_rank(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<4xf32>, index) {
  %a = moe.all_to_all %x on <@mesh, ["one"]> split 0 concat 0
     : tensor<4xf32> -> tensor<4xf32>
  %b = moe.all_gather %x on <@mesh, []> dim 0 : tensor<4xf32> -> tensor<4xf32>
  %c = moe.reduce_scatter %x on [[0], [1], [2], [3], [4], [5]] dim 0
     : tensor<4xf32> -> tensor<4xf32>
  %d = moe.all_reduce %x on <@mesh, ["one"]> reduction max : tensor<4xf32>
  %e = moe.drop %x on <@mesh, ["one"]> dim 0 : tensor<4xf32> -> tensor<4xf32>
  %i = moe.group_rank on <@mesh, ["one"]> : index
  return %a, %b, %c, %d, %e, %i : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
    tensor<4xf32>, tensor<4xf32>, index
}

// CHECK-LABEL: func.func @one_rank_to_one_block
// CHECK-SAME: (%[[X:.*]]: tensor<4x2xf32>)
// CHECK-NEXT: return %[[X]]
func.func @one_rank_to_one_block(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %a = moe.all_to_all %x on <@mesh, ["one"]> split 0 concat 1
     : tensor<4x2xf32> -> tensor<4x2xf32>
  return %a : tensor<4x2xf32>
}

// More ranks: nothing folds. A ragged exchange with oneself moves rows.
// CHECK-LABEL: func.func @more_ranks
// CHECK: moe.all_to_all
// CHECK: moe.all_reduce
// CHECK: moe.group_rank
// CHECK: moe.ragged_all_to_all
func.func @more_ranks(%x: tensor<4xf32>, %n: tensor<1xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, index, tensor<4xf32>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4xf32> -> tensor<4xf32>
  %b = moe.all_reduce %x on <@mesh, ["one", "tp"]> : tensor<4xf32>
  %i = moe.group_rank on <@mesh, ["ep"]> : index
  %c = moe.ragged_all_to_all %x into %x on <@mesh, ["one"]> send(%n, %n)
       recv(%n, %n) : tensor<4xf32>, tensor<1xi32> -> tensor<4xf32>
  return %a, %b, %i, %c : tensor<4xf32>, tensor<4xf32>, index, tensor<4xf32>
}

// Zero-size buffers keep their collective: their ranks still meet.
// CHECK-LABEL: func.func @empty
// CHECK: moe.all_gather
func.func @empty(%x: tensor<0xf32>) -> tensor<0xf32> {
  %a = moe.all_gather %x on <@mesh, ["ep"]> dim 0
     : tensor<0xf32> -> tensor<0xf32>
  return %a : tensor<0xf32>
}

// The types differ: a static one states what a dynamic one does not.
// CHECK-LABEL: func.func @one_rank_other_type
// CHECK: moe.all_to_all
// CHECK: moe.all_gather
// CHECK: moe.reduce_scatter
// CHECK: moe.drop
func.func @one_rank_other_type(%x: tensor<?xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = moe.all_to_all %x on <@mesh, []> split 0 concat 0
     : tensor<?xf32> -> tensor<4xf32>
  %b = moe.all_gather %x on <@mesh, []> dim 0 : tensor<?xf32> -> tensor<4xf32>
  %c = moe.reduce_scatter %x on <@mesh, []> dim 0
     : tensor<?xf32> -> tensor<4xf32>
  %d = moe.drop %x on <@mesh, []> dim 0 : tensor<?xf32> -> tensor<4xf32>
  return %a, %b, %c, %d
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//===----------------------------------------------------------------------===//
// drop(all_gather(x)) = x
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @drop_of_gather
// CHECK-SAME: (%[[X:.*]]: tensor<?x6xf32>)
// CHECK-NEXT: return %[[X]]
func.func @drop_of_gather(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %a = moe.all_gather %x on <@mesh, ["tp"]> dim 1
     : tensor<?x6xf32> -> tensor<?x18xf32>
  %b = moe.drop %a on <@mesh, ["tp"]> dim 1
     : tensor<?x18xf32> -> tensor<?x6xf32>
  return %b : tensor<?x6xf32>
}

// CHECK-LABEL: func.func @drop_of_gather_on_another_group
// CHECK: moe.all_gather
// CHECK: moe.drop
func.func @drop_of_gather_on_another_group(%x: tensor<6xf32>)
    -> tensor<6xf32> {
  %a = moe.all_gather %x on <@mesh, ["tp", "ep"]> dim 0
     : tensor<6xf32> -> tensor<36xf32>
  %b = moe.drop %a on <@mesh, ["ep", "tp"]> dim 0
     : tensor<36xf32> -> tensor<6xf32>
  return %b : tensor<6xf32>
}

// CHECK-LABEL: func.func @drop_of_gather_in_another_dim
// CHECK: moe.all_gather
// CHECK: moe.drop
func.func @drop_of_gather_in_another_dim(%x: tensor<6x6xf32>)
    -> tensor<18x2xf32> {
  %a = moe.all_gather %x on <@mesh, ["tp"]> dim 0
     : tensor<6x6xf32> -> tensor<18x6xf32>
  %b = moe.drop %a on <@mesh, ["tp"]> dim 1
     : tensor<18x6xf32> -> tensor<18x2xf32>
  return %b : tensor<18x2xf32>
}

// CHECK-LABEL: func.func @drop_of_gather_to_another_type
// CHECK: moe.all_gather
// CHECK: moe.drop
func.func @drop_of_gather_to_another_type(%x: tensor<?xf32>) -> tensor<6xf32> {
  %a = moe.all_gather %x on <@mesh, ["tp"]> dim 0
     : tensor<?xf32> -> tensor<?xf32>
  %b = moe.drop %a on <@mesh, ["tp"]> dim 0 : tensor<?xf32> -> tensor<6xf32>
  return %b : tensor<6xf32>
}

// The other way round needs an operand that does not vary over the group.
// CHECK-LABEL: func.func @gather_of_drop
// CHECK: moe.drop
// CHECK: moe.all_gather
func.func @gather_of_drop(%x: tensor<6xf32>) -> tensor<6xf32> {
  %a = moe.drop %x on <@mesh, ["tp"]> dim 0 : tensor<6xf32> -> tensor<2xf32>
  %b = moe.all_gather %a on <@mesh, ["tp"]> dim 0
     : tensor<2xf32> -> tensor<6xf32>
  return %b : tensor<6xf32>
}

// A drop of a reduction is none of this.
// CHECK-LABEL: func.func @drop_of_all_reduce
// CHECK: moe.all_reduce
// CHECK: moe.drop
func.func @drop_of_all_reduce(%x: tensor<6xf32>) -> tensor<2xf32> {
  %a = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<6xf32>
  %b = moe.drop %a on <@mesh, ["tp"]> dim 0 : tensor<6xf32> -> tensor<2xf32>
  return %b : tensor<2xf32>
}

//===----------------------------------------------------------------------===//
// all_to_all(c, s) of all_to_all(s, c) of x is x
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @all_to_all_and_back
// CHECK-SAME: (%[[X:.*]]: tensor<4x5xf32>)
// CHECK-NEXT: return %[[X]]
func.func @all_to_all_and_back(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1
     : tensor<4x5xf32> -> tensor<2x10xf32>
  %b = moe.all_to_all %a on <@mesh, ["ep"]> split 1 concat 0
     : tensor<2x10xf32> -> tensor<4x5xf32>
  return %b : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @block_all_to_all_and_back
// CHECK-SAME: (%[[X:.*]]: tensor<2x?xi8>)
// CHECK-NEXT: return %[[X]]
func.func @block_all_to_all_and_back(%x: tensor<2x?xi8>) -> tensor<2x?xi8> {
  %a = moe.all_to_all %x on [[0, 5], [1, 4], [3, 2]] split 0 concat 0
     : tensor<2x?xi8> -> tensor<2x?xi8>
  %b = moe.all_to_all %a on [[0, 5], [1, 4], [3, 2]] split 0 concat 0
     : tensor<2x?xi8> -> tensor<2x?xi8>
  return %b : tensor<2x?xi8>
}

// CHECK-LABEL: func.func @all_to_all_twice_the_same_way
// CHECK-COUNT-2: moe.all_to_all
func.func @all_to_all_twice_the_same_way(%x: tensor<4x5xf32>)
    -> tensor<1x20xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1
     : tensor<4x5xf32> -> tensor<2x10xf32>
  %b = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 1
     : tensor<2x10xf32> -> tensor<1x20xf32>
  return %b : tensor<1x20xf32>
}

// CHECK-LABEL: func.func @all_to_all_and_another_dim
// CHECK-COUNT-2: moe.all_to_all
func.func @all_to_all_and_another_dim(%x: tensor<4x4x4xf32>)
    -> tensor<2x4x8xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1
     : tensor<4x4x4xf32> -> tensor<2x8x4xf32>
  %b = moe.all_to_all %a on <@mesh, ["ep"]> split 1 concat 2
     : tensor<2x8x4xf32> -> tensor<2x4x8xf32>
  return %b : tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @all_to_all_and_back_in_another_order
// CHECK-COUNT-2: moe.all_to_all
func.func @all_to_all_and_back_in_another_order(%x: tensor<6x5xf32>)
    -> tensor<6x5xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0
     : tensor<6x5xf32> -> tensor<6x5xf32>
  %b = moe.all_to_all %a on <@mesh, ["tp", "ep"]> split 0 concat 0
     : tensor<6x5xf32> -> tensor<6x5xf32>
  return %b : tensor<6x5xf32>
}

// CHECK-LABEL: func.func @all_to_all_and_back_to_another_type
// CHECK-COUNT-2: moe.all_to_all
func.func @all_to_all_and_back_to_another_type(%x: tensor<?x5xf32>)
    -> tensor<4x5xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 1
     : tensor<?x5xf32> -> tensor<?x10xf32>
  %b = moe.all_to_all %a on <@mesh, ["ep"]> split 1 concat 0
     : tensor<?x10xf32> -> tensor<4x5xf32>
  return %b : tensor<4x5xf32>
}

//===----------------------------------------------------------------------===//
// Local data movement
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @one_part
// CHECK-SAME: (%[[X:.*]]: tensor<?x2xf32>)
// CHECK-NEXT: return %[[X]]
func.func @one_part(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %a = moe.assemble %x dim 1 : tensor<?x2xf32> -> tensor<?x2xf32>
  return %a : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @parts_that_stay
// CHECK: moe.assemble %{{.*}} dim 0 : tensor<?x2xf32> -> tensor<3x2xf32>
// CHECK: moe.assemble %{{.*}}, %{{.*}} dim 0 : tensor<?x2xf32>, tensor<?x2xf32> -> tensor<?x2xf32>
func.func @parts_that_stay(%x: tensor<?x2xf32>)
    -> (tensor<3x2xf32>, tensor<?x2xf32>) {
  %a = moe.assemble %x dim 0 : tensor<?x2xf32> -> tensor<3x2xf32>
  %b = moe.assemble %x, %x dim 0
     : tensor<?x2xf32>, tensor<?x2xf32> -> tensor<?x2xf32>
  return %a, %b : tensor<3x2xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @identity_transpose
// CHECK-SAME: (%[[X:.*]]: tensor<2x?x3xf32>, %[[S:.*]]: tensor<f32>)
// CHECK-NEXT: return %[[X]], %[[S]]
func.func @identity_transpose(%x: tensor<2x?x3xf32>, %s: tensor<f32>)
    -> (tensor<2x?x3xf32>, tensor<f32>) {
  %a = moe.transpose %x [0, 1, 2] : tensor<2x?x3xf32> -> tensor<2x?x3xf32>
  %b = moe.transpose %s [] : tensor<f32> -> tensor<f32>
  return %a, %b : tensor<2x?x3xf32>, tensor<f32>
}

// A square keeps its type but not its data; a static type says more.
// CHECK-LABEL: func.func @transposes_that_stay
// CHECK: moe.transpose %{{.*}} [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
// CHECK: moe.transpose %{{.*}} [0, 1] : tensor<?x?xf32> -> tensor<2x2xf32>
func.func @transposes_that_stay(%x: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<2x2xf32>) {
  %a = moe.transpose %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %b = moe.transpose %x [0, 1] : tensor<?x?xf32> -> tensor<2x2xf32>
  return %a, %b : tensor<?x?xf32>, tensor<2x2xf32>
}
