// The time of the remark is that of the schedule that is emitted: an MoE layer
// whose experts are sharded over tp, on nodes of four ranks, two along ep.
// RUN: %python %S/Inputs/predicted_times.py %s %S/../tools/moe-sim/Inputs/four.json %t | FileCheck %s
// CHECK: 14 times agree; chosen: {{.*}}2dh{{.*}}baseline{{.*}}o1 o2 o3
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]

func.func @main(%x: tensor<56x64xf32> {moe.varying = ["ep"]},
                %w: tensor<64x4xf32> {moe.varying = []},
                %a: tensor<1x64x48xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<1x48x64xf32> {moe.varying = ["ep", "tp"]}) -> tensor<56x64xf32> {
  %r = moe.layer "0" phase "fwd" {
    %i, %g = moe.gate softmax %x, %w top_k 1 : tensor<56x64xf32>, tensor<64x4xf32> -> tensor<56x1xi32>, tensor<56x1xf32>
    %o, %l = moe.permute choice %x by %i : tensor<56x64xf32>, tensor<56x1xi32> -> tensor<4x1x56x64xf32>, tensor<56x1xi32>
    %d = moe.all_to_all %o on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x1x56x64xf32> -> tensor<4x1x56x64xf32>
    %p = moe.transpose %d [1, 0, 2, 3] : tensor<4x1x56x64xf32> -> tensor<1x4x56x64xf32>
    %y = moe.experts gpt %p, %a, %b : tensor<1x4x56x64xf32>, tensor<1x64x48xf32>, tensor<1x48x64xf32> -> tensor<1x4x56x64xf32>
    %s = moe.all_reduce %y on <@mesh, ["tp"]> : tensor<1x4x56x64xf32>
    %q = moe.transpose %s [1, 0, 2, 3] : tensor<1x4x56x64xf32> -> tensor<4x1x56x64xf32>
    %c = moe.all_to_all %q on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x1x56x64xf32> -> tensor<4x1x56x64xf32>
    %z = moe.unpermute %c by %l weights %g : tensor<4x1x56x64xf32>, tensor<56x1xi32>, tensor<56x1xf32> -> tensor<56x64xf32>
    moe.yield %z : tensor<56x64xf32>
  } : tensor<56x64xf32>
  return %r : tensor<56x64xf32>
}
