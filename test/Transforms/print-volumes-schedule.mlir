// RUN: moe-opt %s -moe-print-volumes=format=csv -o /dev/null | FileCheck %s
// RUN: moe-opt %s -moe-print-volumes -o /dev/null | FileCheck %s --check-prefix=PRETTY

// A collective in a pipeline runs once a chunk; chunks of several sizes are
// counted each. Tasks run once and name their layer.

// CHECK:      function,layer,phase,op,axes,bytes,times,bound
// CHECK-NEXT: f,,,all_to_all,ep,8,3,exact
// CHECK-NEXT: f,0,bwd,all_reduce,ep,4,6,exact
// CHECK-NEXT: f,,,all_to_all,ep,16,1,exact
// CHECK-NEXT: f,,,all_to_all,ep,8,1,exact
// CHECK-NEXT: f,3,fwd,all_to_all,ep,24,1,exact

// 7 columns in chunks of 2, 2, 2 and 1, whatever way they take; a size that is
// no chunk's stays unknown.
// CHECK-NEXT: g,,,reduce_scatter,ep,48,3,exact
// CHECK-NEXT: g,,,reduce_scatter,ep,24,1,exact
// CHECK-NEXT: g,,,all_to_all,ep,24,3,exact
// CHECK-NEXT: g,,,all_to_all,ep,12,1,exact
// CHECK-NEXT: g,,,all_gather,ep,48,3,exact
// CHECK-NEXT: g,,,all_gather,ep,24,1,exact
// CHECK-NEXT: g,,,all_reduce,ep,96,3,exact
// CHECK-NEXT: g,,,all_reduce,ep,48,1,exact
// CHECK-NEXT: h,,,all_reduce,ep,,2,exact

// Ops are counted once.
// PRETTY: ep all_to_all 4 156
// PRETTY: ep reduce_scatter 1 168

moe.mesh @mesh axes ["ep"] shape [2]
moe.stream @s inter

func.func @f(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %p = moe.pipeline degree 3 (%c = %x split 1
      : tensor<2x6xf32> as tensor<2x2xf32>) {
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2x2xf32> -> tensor<2x2xf32>
    %l = moe.layer "0" phase "bwd" {
      %q = moe.pipeline degree 2 (%d = %a split 1
          : tensor<2x2xf32> as tensor<2x1xf32>) {
        %z = tensor.extract_slice %d[0, 0] [1, 1] [1, 1]
           : tensor<2x1xf32> to tensor<1x1xf32>
        %e = moe.all_reduce %z on <@mesh, ["ep"]> : tensor<1x1xf32>
        moe.yield %d : tensor<2x1xf32>
      } -> concat 1 : tensor<2x2xf32>
      moe.yield %q : tensor<2x2xf32>
    } : tensor<2x2xf32>
    moe.yield %l : tensor<2x2xf32>
  } -> concat 1 : tensor<2x6xf32>
  %u = moe.pipeline degree 2 sizes [4, 2] (%c = %p split 1
      : tensor<2x6xf32> as tensor<2x?xf32>) {
    %a = moe.all_to_all %c on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2x?xf32> -> tensor<2x?xf32>
    moe.yield %a : tensor<2x?xf32>
  } -> concat 1 : tensor<2x6xf32>
  %r = moe.schedule {
    %a, %t = moe.task @s "a"[0 of 1] layer "3" phase "fwd" {
      %e = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0
         : tensor<2x6xf32> -> tensor<2x6xf32>
      moe.yield %e : tensor<2x6xf32>
    } : tensor<2x6xf32>
    moe.yield %a : tensor<2x6xf32>
  } : tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

func.func @g(%x: tensor<4x3x7xf32>) -> tensor<3x4x7xf32> {
  %p = moe.pipeline degree 4 (%c = %x split 2
      : tensor<4x3x7xf32> as tensor<4x3x?xf32>) {
    %s = moe.reduce_scatter %c on <@mesh, ["ep"]> dim 0
       : tensor<4x3x?xf32> -> tensor<2x3x?xf32>
    %zero = arith.constant 0 : index
    %two = arith.constant 2 : index
    %d = tensor.dim %s, %two : tensor<2x3x?xf32>
    %e = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 1, 3, %d]
       : tensor<2x3x?xf32> into tensor<2x1x3x?xf32>
    %a = moe.all_to_all %e on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2x1x3x?xf32> -> tensor<2x1x3x?xf32>
    %f = tensor.collapse_shape %a [[0, 1], [2], [3]]
       : tensor<2x1x3x?xf32> into tensor<2x3x?xf32>
    %t = moe.transpose %f [1, 0, 2] : tensor<2x3x?xf32> -> tensor<3x2x?xf32>
    %g = moe.all_gather %t on <@mesh, ["ep"]> dim 1
       : tensor<3x2x?xf32> -> tensor<3x4x?xf32>
    %r = moe.all_reduce %g on <@mesh, ["ep"]> : tensor<3x4x?xf32>
    moe.yield %r : tensor<3x4x?xf32>
  } -> concat 2 : tensor<3x4x7xf32>
  return %p : tensor<3x4x7xf32>
}

func.func @h(%x: tensor<3xf32>, %y: tensor<?xf32>) -> tensor<3xf32> {
  %p = moe.pipeline degree 2 (%c = %x split 0
      : tensor<3xf32> as tensor<?xf32>) {
    %r = moe.all_reduce %y on <@mesh, ["ep"]> : tensor<?xf32>
    moe.yield %c : tensor<?xf32>
  } -> concat 0 : tensor<3xf32>
  return %p : tensor<3xf32>
}
