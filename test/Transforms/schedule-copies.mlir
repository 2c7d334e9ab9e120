// RUN: moe-opt %s -moe-schedule -o %t.mlir && FileCheck %s < %t.mlir
// RUN: moe-run %t.mlir --against=%s --entry=gather | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s --entry=scatter | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s --entry=exchange | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s --entry=both | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s --entry=in_turn | FileCheck %s --check-prefix=EQUAL
// RUN: moe-run %t.mlir --against=%s --entry=in_turn --symbolic | FileCheck %s --check-prefix=EQUAL

// Collectives take and leave contiguous buffers; copies are tasks (MO-10).
// EQUAL: equal: 6 ranks

moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

// The transpose is done by the copy as well.
// CHECK-LABEL: func.func @gather
// CHECK:       moe.task @intra "all_gather"[0 of 1]
// CHECK-NEXT:    moe.all_gather %{{.*}} dim 0 : tensor<4x5x2xf32> -> tensor<12x5x2xf32>
// CHECK:       moe.task @copy "unpack.all_gather"[0 of 1]
// CHECK-NEXT:    tensor.expand_shape %{{.*}} into tensor<3x4x5x2xf32>
// CHECK-NEXT:    moe.transpose %{{.*}} [2, 1, 0, 3] : tensor<3x4x5x2xf32> -> tensor<5x4x3x2xf32>
// CHECK-NEXT:    tensor.collapse_shape %{{.*}} into tensor<5x4x6xf32>
// CHECK-NOT:   moe.task
// CHECK:       return
func.func @gather(%x: tensor<4x5x2xf32>) -> tensor<5x4x6xf32> {
  %t = moe.transpose %x [1, 0, 2] : tensor<4x5x2xf32> -> tensor<5x4x2xf32>
  %g = moe.all_gather %t on <@mesh, ["tp"]> dim 2 : tensor<5x4x2xf32> -> tensor<5x4x6xf32>
  return %g : tensor<5x4x6xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK:       moe.task @copy "pack.reduce_scatter"[0 of 1]
// CHECK-NEXT:    tensor.expand_shape %{{.*}} into tensor<4x3x5xf32>
// CHECK-NEXT:    moe.transpose %{{.*}} [1, 2, 0] : tensor<4x3x5xf32> -> tensor<3x5x4xf32>
// CHECK-NEXT:    tensor.collapse_shape %{{.*}} into tensor<15x4xf32>
// CHECK:       moe.task @intra "reduce_scatter"[0 of 1]
// CHECK-NEXT:    moe.reduce_scatter %{{.*}} dim 0 : tensor<15x4xf32> -> tensor<5x4xf32>
// CHECK-NOT:   moe.task
// CHECK:       return
func.func @scatter(%x: tensor<4x15xf32>) -> tensor<5x4xf32> {
  %s = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 1 : tensor<4x15xf32> -> tensor<4x5xf32>
  %t = moe.transpose %s [1, 0] : tensor<4x5xf32> -> tensor<5x4xf32>
  return %t : tensor<5x4xf32>
}

// CHECK-LABEL: func.func @exchange
// CHECK:       "pack.all_to_all"
// CHECK:       moe.all_to_all %{{.*}} split 0 concat 0 : tensor<8x3xf32> -> tensor<8x3xf32>
// CHECK:       "unpack.all_to_all"
// CHECK:       moe.all_to_all %{{.*}} split 0 concat 0 : tensor<4x6xf32> -> tensor<4x6xf32>
// CHECK:       "unpack.all_to_all.2"
// CHECK-NOT:   moe.task
func.func @exchange(%x: tensor<4x6xf32>) -> tensor<2x12xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 1 : tensor<4x6xf32> -> tensor<4x6xf32>
  %b = moe.all_to_all %a on <@mesh, ["ep"]> split 0 concat 1 : tensor<4x6xf32> -> tensor<2x12xf32>
  return %b : tensor<2x12xf32>
}

// A transpose between the two is done once; an outermost dim needs no copy, nor
// does a group of one rank.
// CHECK-LABEL: func.func @both
// CHECK:       "pack.reduce_scatter"
// CHECK:         moe.transpose %{{.*}} [1, 2, 0]
// CHECK:       moe.task @intra "reduce_scatter"
// CHECK:       moe.task @intra "all_gather"
// CHECK:       "unpack.all_gather"
// CHECK:         moe.transpose %{{.*}} [1, 0, 2]
// CHECK:       moe.task @intra "all_gather.2"
// CHECK-NEXT:    tensor.expand_shape
// CHECK-NEXT:    moe.all_gather %{{.*}} dim 1 : tensor<1x5x12xf32> -> tensor<1x10x12xf32>
// CHECK-NOT:   moe.task
func.func @both(%x: tensor<4x15xf32>) -> tensor<1x10x12xf32> {
  %s = moe.reduce_scatter %x on <@mesh, ["tp"]> dim 1 : tensor<4x15xf32> -> tensor<4x5xf32>
  %t = moe.transpose %s [1, 0] : tensor<4x5xf32> -> tensor<5x4xf32>
  %g = moe.all_gather %t on <@mesh, ["tp"]> dim 1 : tensor<5x4xf32> -> tensor<5x12xf32>
  %e = tensor.expand_shape %g [[0, 1], [2]] output_shape [1, 5, 12] : tensor<5x12xf32> into tensor<1x5x12xf32>
  %r = moe.all_gather %e on <@mesh, ["ep"]> dim 1 : tensor<1x5x12xf32> -> tensor<1x10x12xf32>
  return %r : tensor<1x10x12xf32>
}

// Copies in turn with the collectives inside a node, chunk by chunk; uneven
// chunks have the same tasks.
// CHECK-LABEL: func.func @in_turn
// CHECK:       moe.task @copy "drop"[0 of 2]
// CHECK:       moe.task @inter "all_to_all"[1 of 2]
// CHECK:       moe.task @intra "all_gather"[0 of 2]
// CHECK:       moe.task @intra "unpack.all_gather"[0 of 2]
// CHECK:         moe.transpose %{{.*}} : tensor<3x4x3x2xf32> -> tensor<4x3x3x2xf32>
// CHECK:       moe.task @intra "all_gather"[1 of 2]
// CHECK:       moe.task @intra "unpack.all_gather"[1 of 2]
// CHECK:         moe.transpose %{{.*}} : tensor<3x4x2x2xf32> -> tensor<4x2x3x2xf32>
// CHECK:       moe.task @copy "assemble.pipeline"
func.func @in_turn(%x: tensor<4x5x6xf32> {moe.varying = ["ep"]}) -> tensor<4x5x6xf32> {
  %r = moe.pipeline degree 2 copies intra (%c = %x split 1 : tensor<4x5x6xf32> as tensor<4x?x6xf32>) {
    %d = moe.drop %c on <@mesh, ["tp"]> dim 2 : tensor<4x?x6xf32> -> tensor<4x?x2xf32>
    %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x?x2xf32> -> tensor<4x?x2xf32>
    %g = moe.all_gather %a on <@mesh, ["tp"]> dim 2 : tensor<4x?x2xf32> -> tensor<4x?x6xf32>
    moe.yield %g : tensor<4x?x6xf32>
  } -> concat 1 : tensor<4x5x6xf32>
  return %r : tensor<4x5x6xf32>
}
