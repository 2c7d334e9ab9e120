// RUN: moe-opt %s -split-input-file --canonicalize | FileCheck %s

// The rewrites of the dialect that are no folds.

//===----------------------------------------------------------------------===//
// Rank lists that equal mesh axes become those axes
//===----------------------------------------------------------------------===//

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// Every op with a group.
// CHECK-LABEL: func.func @every_op
func.func @every_op(%x: tensor<6x6xf32>, %n: tensor<3xi32>)
    -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<18x6xf32>, tensor<2x6xf32>,
        tensor<6x6xf32>, tensor<2x6xf32>) {
  // CHECK: moe.all_to_all %{{.*}} on <@mesh, ["tp"]> split 0 concat 0
  %a = moe.all_to_all %x on [[0, 1, 2], [3, 4, 5]] split 0 concat 0
     : tensor<6x6xf32> -> tensor<6x6xf32>
  // CHECK: moe.ragged_all_to_all %{{.*}} into %{{.*}} on <@mesh, ["tp"]>
  %b = moe.ragged_all_to_all %x into %x on [[0, 1, 2], [3, 4, 5]] send(%n, %n)
       recv(%n, %n) : tensor<6x6xf32>, tensor<3xi32> -> tensor<6x6xf32>
  // CHECK: moe.all_gather %{{.*}} on <@mesh, ["tp"]> dim 0
  %c = moe.all_gather %x on [[0, 1, 2], [3, 4, 5]] dim 0
     : tensor<6x6xf32> -> tensor<18x6xf32>
  // CHECK: moe.reduce_scatter %{{.*}} on <@mesh, ["tp"]> dim 0
  %d = moe.reduce_scatter %x on [[0, 1, 2], [3, 4, 5]] dim 0
     : tensor<6x6xf32> -> tensor<2x6xf32>
  // CHECK: moe.all_reduce %{{.*}} on <@mesh, ["tp"]> :
  %e = moe.all_reduce %x on [[0, 1, 2], [3, 4, 5]] : tensor<6x6xf32>
  // CHECK: moe.drop %{{.*}} on <@mesh, ["tp"]> dim 0
  %f = moe.drop %x on [[0, 1, 2], [3, 4, 5]] dim 0
     : tensor<6x6xf32> -> tensor<2x6xf32>
  return %a, %b, %c, %d, %e, %f : tensor<6x6xf32>, tensor<6x6xf32>,
    tensor<18x6xf32>, tensor<2x6xf32>, tensor<6x6xf32>, tensor<2x6xf32>
}

// CHECK-LABEL: func.func @axes
func.func @axes(%x: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  // CHECK: on <@mesh, ["ep"]> :
  %a = moe.all_reduce %x on [[0, 3], [1, 4], [2, 5]] : tensor<6xf32>
  // CHECK: on <@mesh, ["ep"]> :
  %b = moe.all_reduce %x on [[2, 5], [0, 3], [1, 4]] : tensor<6xf32>
  // CHECK: on <@mesh, ["ep", "tp"]> :
  %c = moe.all_reduce %x on [[0, 1, 2, 3, 4, 5]] : tensor<6xf32>
  // CHECK: on <@mesh, ["tp", "ep"]> :
  %d = moe.all_reduce %x on [[0, 3, 1, 4, 2, 5]] : tensor<6xf32>
  return %a, %b, %c, %d
    : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// The order inside a group is the order of its data, so [3, 0] is another
// group than [0, 3]; so are groups across axes.
// CHECK-LABEL: func.func @no_axes
func.func @no_axes(%x: tensor<6xf32>)
    -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  // CHECK: on {{\[\[}}3, 0], [1, 4], [2, 5]] :
  %a = moe.all_reduce %x on [[3, 0], [1, 4], [2, 5]] : tensor<6xf32>
  // CHECK: on {{\[\[}}0, 1], [2, 3], [4, 5]] :
  %b = moe.all_reduce %x on [[0, 1], [2, 3], [4, 5]] : tensor<6xf32>
  // CHECK: on {{\[\[}}0, 3], [1, 5], [2, 4]] :
  %c = moe.all_reduce %x on [[0, 3], [1, 5], [2, 4]] : tensor<6xf32>
  // CHECK: on {{\[\[}}0, 1, 2], [3, 5, 4]] :
  %d = moe.all_reduce %x on [[0, 1, 2], [3, 5, 4]] : tensor<6xf32>
  return %a, %b, %c, %d
    : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// group_rank folds only where its group has one rank.
// CHECK-LABEL: func.func @group_rank
func.func @group_rank() -> (index, index) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK: %[[RANK:.*]] = moe.group_rank
  // CHECK: return %[[ZERO]], %[[RANK]]
  %i = moe.group_rank on [[0], [1], [2], [3], [4], [5]] : index
  %j = moe.group_rank on [[0, 1, 2], [3, 4, 5]] : index
  return %i, %j : index, index
}

// -----

// Axes of size 1 are left out; any number of axes combines.
moe.mesh @m axes ["a", "b", "c", "d", "e"] shape [1, 2, 1, 2, 2]

// CHECK-LABEL: func.func @size_one_axes
func.func @size_one_axes(%x: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: on <@m, ["e", "b"]> :
  %a = moe.all_reduce %x on [[0, 4, 1, 5], [2, 6, 3, 7]] : tensor<8xf32>
  // CHECK: on <@m, ["d", "e", "b"]> :
  %b = moe.all_reduce %x on [[0, 4, 1, 5, 2, 6, 3, 7]] : tensor<8xf32>
  // Ranks 0 and 3 differ in two axes at once.
  // CHECK: on {{\[\[}}0, 3], [1, 2], [4, 7], [5, 6]] :
  %c = moe.all_reduce %x on [[0, 3], [1, 2], [4, 7], [5, 6]] : tensor<8xf32>
  return %a, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Without a mesh there are no axes.
// CHECK-LABEL: func.func @no_mesh
func.func @no_mesh(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: on {{\[\[}}0, 1], [2, 3]] :
  %a = moe.all_reduce %x on [[0, 1], [2, 3]] : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

// A mesh further out cannot be named from here.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
module @inner {
  // CHECK-LABEL: func.func @outer_mesh
  func.func @outer_mesh(%x: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK: on {{\[\[}}0, 1], [2, 3]] :
    %a = moe.all_reduce %x on [[0, 1], [2, 3]] : tensor<8xf32>
    return %a : tensor<8xf32>
  }
}

// -----

// A canonical group lets other rewrites see that two groups are one.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// CHECK-LABEL: func.func @then_folds
// CHECK-SAME: (%[[X:.*]]: tensor<6xf32>)
// CHECK-NEXT: return %[[X]]
func.func @then_folds(%x: tensor<6xf32>) -> tensor<6xf32> {
  %a = moe.all_gather %x on [[3, 4, 5], [0, 1, 2]] dim 0
     : tensor<6xf32> -> tensor<18xf32>
  %b = moe.drop %a on <@mesh, ["tp"]> dim 0 : tensor<18xf32> -> tensor<6xf32>
  return %b : tensor<6xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Two transposes are one
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @transposes
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
func.func @transposes(%x: tensor<2x3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<4x2x3xf32>) {
  // CHECK-NEXT: %[[ONE:.*]] = moe.transpose %[[X]] [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  // CHECK-NEXT: return %[[X]], %[[ONE]]
  %a = moe.transpose %x [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %b = moe.transpose %a [2, 0, 1] : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  %c = moe.transpose %a [1, 2, 0] : tensor<3x4x2xf32> -> tensor<4x2x3xf32>
  return %b, %c : tensor<2x3x4xf32>, tensor<4x2x3xf32>
}

// What the inner type leaves open, the outer one may still state.
// CHECK-LABEL: func.func @dynamic_transposes
func.func @dynamic_transposes(%x: tensor<2x?xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: moe.transpose %{{.*}} [0, 1] : tensor<2x?xf32> -> tensor<2x3xf32>
  %a = moe.transpose %x [1, 0] : tensor<2x?xf32> -> tensor<?x?xf32>
  %b = moe.transpose %a [1, 0] : tensor<?x?xf32> -> tensor<2x3xf32>
  return %b : tensor<2x3xf32>
}

// Types that contradict each other fail when the program runs; the rewrite
// must not make a module of it that does not verify.
// CHECK-LABEL: func.func @contradicting_transposes
func.func @contradicting_transposes(%x: tensor<2x3xf32>) -> tensor<4x5xf32> {
  // CHECK-COUNT-2: moe.transpose
  %a = moe.transpose %x [1, 0] : tensor<2x3xf32> -> tensor<?x?xf32>
  %b = moe.transpose %a [1, 0] : tensor<?x?xf32> -> tensor<4x5xf32>
  return %b : tensor<4x5xf32>
}

// -----

//===----------------------------------------------------------------------===//
// Axes of size 1 change no group, and folds see that two are equal
//===----------------------------------------------------------------------===//

moe.mesh @mesh axes ["one", "ep", "uno", "tp"] shape [1, 2, 1, 3]

// CHECK-LABEL: func.func @unit_axes
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>)
// CHECK-NEXT: %[[G:.*]] = moe.all_gather %[[X]] on <@mesh, ["tp"]> dim 0
// CHECK-NEXT: %[[R:.*]] = moe.all_reduce %[[G]] on <@mesh, ["tp", "ep"]> :
// CHECK-NEXT: return %[[X]], %[[R]]
func.func @unit_axes(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<6xf32>) {
  %g = moe.all_gather %x on <@mesh, ["tp", "one"]> dim 0
     : tensor<2xf32> -> tensor<6xf32>
  %d = moe.drop %g on <@mesh, ["uno", "tp"]> dim 0
     : tensor<6xf32> -> tensor<2xf32>
  %r = moe.all_reduce %g on <@mesh, ["tp", "one", "ep"]> : tensor<6xf32>
  return %d, %r : tensor<2xf32>, tensor<6xf32>
}
