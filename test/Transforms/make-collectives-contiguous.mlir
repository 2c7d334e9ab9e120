// RUN: moe-opt %s --moe-make-collectives-contiguous | FileCheck %s
// RUN: moe-opt %s --moe-make-collectives-contiguous \
// RUN:   --moe-verify-contiguous-collectives -o %t.made
// The copies do what the dims did.
// RUN: moe-run %s --symbolic --against=%t.made | FileCheck --check-prefix=EQUAL %s
// RUN: moe-run %s --entry=branch --symbolic --against=%t.made \
// RUN:   | FileCheck --check-prefix=EQUAL %s
// EQUAL: equal: 8 ranks
// Schedules are in this form.
// RUN: moe-opt %s --moe-schedule --moe-verify-contiguous-collectives -o %t.one
// RUN: moe-opt %t.made --moe-schedule --moe-verify-contiguous-collectives \
// RUN:   -o %t.two
// Nothing is left to do.
// RUN: moe-opt %t.made --moe-make-collectives-contiguous -o %t.again
// RUN: diff %t.made %t.again

moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

// CHECK-LABEL: func @all_gather
func.func @all_gather(%x: tensor<4x6xf32>) -> tensor<4x12xf32> {
  // CHECK: %[[G:.*]] = moe.all_gather %{{.*}} dim 0 : tensor<4x6xf32> -> tensor<8x6xf32>
  // CHECK: %[[E:.*]] = tensor.expand_shape %[[G]] {{\[\[}}0, 1], [2]] output_shape [2, 4, 6]
  // CHECK: %[[T:.*]] = moe.transpose %[[E]] [1, 0, 2]
  // CHECK: %[[R:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0], [1, 2]]
  // CHECK: return %[[R]]
  %0 = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<4x6xf32> -> tensor<4x12xf32>
  return %0 : tensor<4x12xf32>
}

// CHECK-LABEL: func @reduce_scatter
func.func @reduce_scatter(%x: tensor<4x6xf32>) -> tensor<4x3xf32> {
  // CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [4, 2, 3]
  // CHECK: moe.transpose %{{.*}} [1, 0, 2]
  // CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]]
  // CHECK: %[[R:.*]] = moe.reduce_scatter %{{.*}} dim 0 reduction max {note = "kept"} : tensor<8x3xf32> -> tensor<4x3xf32>
  // CHECK: return %[[R]]
  %0 = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 1 reduction max {note = "kept"} : tensor<4x6xf32> -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Both copies of an exchange; a dim 0 needs none.
// CHECK-LABEL: func @all_to_all
func.func @all_to_all(%x: tensor<4x8x6xf32>) -> tensor<4x8x6xf32> {
  // CHECK-COUNT-1: moe.transpose
  // CHECK: moe.all_to_all %{{.*}} split 0 concat 0 : tensor<16x2x6xf32> -> tensor<16x2x6xf32>
  // CHECK: moe.transpose
  %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 2 : tensor<4x8x6xf32> -> tensor<4x2x24xf32>
  // CHECK: moe.transpose
  // CHECK: moe.all_to_all %{{.*}} split 0 concat 0
  // CHECK-NOT: moe.transpose
  %1 = moe.all_to_all %0 on <@mesh, ["ep"]> split 2 concat 0 : tensor<4x2x24xf32> -> tensor<16x2x6xf32>
  // CHECK: moe.all_to_all %{{.*}} split 0 concat 0
  // CHECK: moe.transpose
  %2 = moe.all_to_all %1 on <@mesh, ["ep"]> split 0 concat 1 : tensor<16x2x6xf32> -> tensor<4x8x6xf32>
  return %2 : tensor<4x8x6xf32>
}

// The transpose between the two is done once, with the pack.
// CHECK-LABEL: func @absorbed
func.func @absorbed(%x: tensor<4x6x2xf32>) -> tensor<2x6x4xf32> {
  // CHECK: tensor.expand_shape %{{.*}} output_shape [4, 2, 3, 2]
  // CHECK-NEXT: moe.transpose %{{.*}} [1, 3, 2, 0]
  // CHECK-NEXT: tensor.collapse_shape
  // CHECK-NEXT: %[[S:.*]] = moe.reduce_scatter {{.*}} : tensor<4x3x4xf32> -> tensor<2x3x4xf32>
  // CHECK-NEXT: moe.all_gather %[[S]]
  // CHECK-NEXT: tensor.expand_shape
  // CHECK-NEXT: moe.transpose %{{.*}} [1, 0, 2, 3]
  %0 = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 1 : tensor<4x6x2xf32> -> tensor<4x3x2xf32>
  %1 = moe.transpose %0 [2, 1, 0] : tensor<4x3x2xf32> -> tensor<2x3x4xf32>
  %2 = moe.all_gather %1 on <@mesh, ["tp"]> dim 1 : tensor<2x3x4xf32> -> tensor<2x6x4xf32>
  return %2 : tensor<2x6x4xf32>
}

// CHECK-LABEL: func @alone
func.func @alone(%x: tensor<1x6xf32>, %y: tensor<2x6xf32>) -> (tensor<1x12xf32>, tensor<2x6xf32>) {
  // CHECK-NOT: moe.transpose
  // All dims in front have size 1; one rank.
  %0 = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<1x6xf32> -> tensor<1x12xf32>
  %1 = moe.all_gather %y on [[0], [1], [2], [3], [4], [5], [6], [7]] dim 1 : tensor<2x6xf32> -> tensor<2x6xf32>
  return %0, %1 : tensor<1x12xf32>, tensor<2x6xf32>
}

// What is in a pipeline is packed chunk by chunk, when it is unrolled.
// CHECK-LABEL: func @chunks
func.func @chunks(%x: tensor<5x4x6xf32>) -> tensor<5x4x12xf32> {
  // CHECK: moe.all_gather %{{.*}} dim 2
  %0 = moe.pipeline degree 2 (%c = %x split 0 : tensor<5x4x6xf32> as tensor<?x4x6xf32>) {
    %g = moe.all_gather %c on <@mesh, ["tp"]> dim 2 : tensor<?x4x6xf32> -> tensor<?x4x12xf32>
    moe.yield %g : tensor<?x4x12xf32>
  } -> concat 0 : tensor<5x4x12xf32>
  return %0 : tensor<5x4x12xf32>
}

// What stands in a branch is packed there.
// CHECK-LABEL: func @branch
func.func @branch(%c: i1 {moe.varying = []}, %x: tensor<4x6xf32>) -> tensor<4x12xf32> {
  // CHECK: scf.if
  // CHECK-NEXT: moe.all_gather %{{.*}} dim 0
  // CHECK-NEXT: tensor.expand_shape
  // CHECK-NEXT: moe.transpose
  // CHECK-NEXT: tensor.collapse_shape
  // CHECK-NEXT: scf.yield
  %0 = scf.if %c -> tensor<4x12xf32> {
    %1 = moe.all_gather %x on <@mesh, ["tp"]> dim 1 : tensor<4x6xf32> -> tensor<4x12xf32>
    scf.yield %1 : tensor<4x12xf32>
  } else {
    %1 = tensor.empty() : tensor<4x12xf32>
    scf.yield %1 : tensor<4x12xf32>
  }
  return %0 : tensor<4x12xf32>
}

func.func @main(%x: tensor<4x6xf32>,
                %y: tensor<4x8x6xf32>, %z: tensor<4x6x2xf32>,
                %u: tensor<1x6xf32>, %v: tensor<2x6xf32>,
                %w: tensor<5x4x6xf32>)
    -> (tensor<4x12xf32>, tensor<4x3xf32>, tensor<4x8x6xf32>,
        tensor<2x6x4xf32>, tensor<1x12xf32>, tensor<2x6xf32>,
        tensor<5x4x12xf32>) {
  %0 = call @all_gather(%x) : (tensor<4x6xf32>) -> tensor<4x12xf32>
  %1 = call @reduce_scatter(%x) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %2 = call @all_to_all(%y) : (tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  %3 = call @absorbed(%z) : (tensor<4x6x2xf32>) -> tensor<2x6x4xf32>
  %4:2 = call @alone(%u, %v) : (tensor<1x6xf32>, tensor<2x6xf32>) -> (tensor<1x12xf32>, tensor<2x6xf32>)
  %5 = call @chunks(%w) : (tensor<5x4x6xf32>) -> tensor<5x4x12xf32>
  return %0, %1, %2, %3, %4#0, %4#1, %5 : tensor<4x12xf32>, tensor<4x3xf32>, tensor<4x8x6xf32>, tensor<2x6x4xf32>, tensor<1x12xf32>, tensor<2x6xf32>, tensor<5x4x12xf32>
}
