// RUN: moe-opt %s -split-input-file -moe-pipeline=degree=2 --remarks-filter=moe-pipeline 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: moe-opt %s -split-input-file -moe-pipeline="degree=3 sizes=1,2,5 scope=layer" | FileCheck %s --check-prefix=LAYER
// RUN: moe-opt %s -split-input-file -moe-pipeline="degree=2 dim=2" --remarks-filter=moe-pipeline 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: moe-opt %s -split-input-file -moe-pipeline="degree=2 copies=intra" | FileCheck %s --check-prefix=INTRA
// RUN: not moe-opt %s -split-input-file -moe-pipeline="degree=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not moe-opt %s -split-input-file -moe-pipeline="degree=2 sizes=1,2,3" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: moe-opt %s -split-input-file -moe-pipeline="degree=2 sizes=0,8 dim=3" --remarks-filter=moe-pipeline 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: moe-opt %s -split-input-file -moe-pipeline="degree=99" --remarks-filter=moe-pipeline 2>&1 | FileCheck %s --check-prefix=LONG

// INTRA-COUNT-3: moe.pipeline degree 2 copies intra (
// INTRA-NOT: moe.pipeline degree 2 (
// ZERO: error: moe-pipeline: expected a degree of at least 1, got 0
// COUNT: error: moe-pipeline: expected as many sizes as chunks, 2, got 3
// SIZES: expected sizes of at least 1 that add up to 8
// LONG: dim 3 of size 8 is shorter than the degree

moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

// The dim that is dropped and gathered is not free; the hidden one is.
// CHECK-LABEL: func.func @communication
// CHECK:       moe.pipeline degree 2 (%[[C:.*]] = %{{.*}} split 3 : tensor<2x1x6x8xf32> as tensor<2x1x6x4xf32>) {
// CHECK-NEXT:    moe.drop %[[C]] on <@mesh, ["tp"]> dim 2 : tensor<2x1x6x4xf32> -> tensor<2x1x3x4xf32>
// CHECK-NEXT:    moe.all_to_all
// CHECK-NEXT:    moe.all_gather
// CHECK-NEXT:    moe.yield
// CHECK-NEXT:  } -> concat 3 : tensor<2x1x6x8xf32>
// REMARK: [Passed] pipeline {{.*}}degree=2, dim=3, ops=3, size=8
// DIM: dim 2 does not pass moe.drop one to one
func.func @communication(%x: tensor<2x1x6x8xf32> {moe.varying = ["ep"]}) -> tensor<2x1x6x8xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 2 : tensor<2x1x6x8xf32> -> tensor<2x1x3x8xf32>
  %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x3x8xf32> -> tensor<2x1x3x8xf32>
  %r = moe.all_gather %a on <@mesh, ["tp"]> dim 2 : tensor<2x1x3x8xf32> -> tensor<2x1x6x8xf32>
  return %r : tensor<2x1x6x8xf32>
}

// With experts in the chain only the token slots are free; weights are taken
// whole. Uneven chunks leave the dim dynamic.
// CHECK-LABEL: func.func @layer
// CHECK-COUNT-2: moe.pipeline
// LAYER-LABEL: func.func @layer
// LAYER:       moe.pipeline degree 3 sizes [1, 2, 5] (%{{.*}} = %{{.*}} split 2 : tensor<2x1x8x4xf32> as tensor<2x1x?x4xf32>, %{{.*}} = %{{.*}} shared : tensor<1x4x3xf32> as tensor<1x4x3xf32>,
// LAYER:         moe.experts gpt %{{.*}} : tensor<1x2x?x4xf32>
// LAYER:         moe.all_to_all
// LAYER-NEXT:    moe.yield
// LAYER-NOT:   moe.pipeline
// LAYER:       return
func.func @layer(%x: tensor<2x1x8x4xf32>, %w1: tensor<1x4x3xf32>, %w2: tensor<1x3x4xf32>) -> tensor<2x1x8x4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x8x4xf32> -> tensor<2x1x8x4xf32>
  %t = moe.transpose %a [1, 0, 2, 3] : tensor<2x1x8x4xf32> -> tensor<1x2x8x4xf32>
  %y = moe.experts gpt %t, %w1, %w2 : tensor<1x2x8x4xf32>, tensor<1x4x3xf32>, tensor<1x3x4xf32> -> tensor<1x2x8x4xf32>
  %u = moe.transpose %y [1, 0, 2, 3] : tensor<1x2x8x4xf32> -> tensor<2x1x8x4xf32>
  %r = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x1x8x4xf32> -> tensor<2x1x8x4xf32>
  return %r : tensor<2x1x8x4xf32>
}

// -----

moe.mesh @mesh axes ["ep"] shape [2]

// A value read twice ends the chain.
// CHECK-LABEL: func.func @two_uses
// CHECK:       moe.transpose
// CHECK:       moe.pipeline
// CHECK-NEXT:    moe.all_to_all
// CHECK-NEXT:    moe.yield
func.func @two_uses(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %t = moe.transpose %x [0, 1] : tensor<2x8xf32> -> tensor<2x8xf32>
  %a = moe.all_to_all %t on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x8xf32> -> tensor<2x8xf32>
  return %a, %t : tensor<2x8xf32>, tensor<2x8xf32>
}

// Nothing is free where the only dim is split.
// CHECK-LABEL: func.func @no_free_dim
// CHECK-NOT:   moe.pipeline
// REMARK: [Missed] pipeline {{.*}}dim 0 does not pass moe.all_to_all one to one
func.func @no_free_dim(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// Nor is a dim of a tensor with another size that is only known at run time.
// CHECK-LABEL: func.func @dynamic_rows
// CHECK-NOT:   moe.pipeline
// REMARK: [Missed] pipeline {{.*}}Reason="expected tensors of known shapes, got one of moe.all_to_all whose size is only known at run time; dim 0 is dynamic"
func.func @dynamic_rows(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<?x8xf32> -> tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK-NOT:   moe.pipeline
// REMARK: [Missed] pipeline {{.*}}dim 1 is dynamic
func.func @dynamic(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x?xf32> -> tensor<2x?xf32>
  return %a : tensor<2x?xf32>
}
