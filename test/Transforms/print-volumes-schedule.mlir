// RUN: moe-opt %s -moe-print-volumes=format=csv -o /dev/null | FileCheck %s

// A collective in a pipeline runs once a chunk; with chunks of several sizes
// its bytes are unknown. Tasks run once and name their layer.

// CHECK:      function,layer,phase,op,axes,bytes,times,bound
// CHECK-NEXT: f,,,all_to_all,ep,8,3,exact
// CHECK-NEXT: f,0,bwd,all_reduce,ep,4,6,exact
// CHECK-NEXT: f,,,all_to_all,ep,,2,exact
// CHECK-NEXT: f,3,fwd,all_to_all,ep,24,1,exact

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
