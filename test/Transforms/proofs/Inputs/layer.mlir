// An MoE layer whose experts are sharded over tp, and whose capacity of 92 slots
// is cut into chunks.
moe.mesh @mesh axes ["ep", "tp"] shape [4, 2]
func.func @main(%x: tensor<8x4xf32> {moe.varying = ["ep"]},
                %w: tensor<4x4xf32> {moe.varying = []},
                %a: tensor<1x4x3xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<1x3x4xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<8x4xf32> {
  %r = moe.layer "0" phase "fwd" {
    %i, %g = moe.gate softmax %x, %w top_k 1 : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
    %o, %l = moe.permute choice %x by %i : tensor<8x4xf32>, tensor<8x1xi32> -> tensor<4x1x92x4xf32>, tensor<8x1xi32>
    %d = moe.all_to_all %o on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x1x92x4xf32> -> tensor<4x1x92x4xf32>
    %p = moe.transpose %d [1, 0, 2, 3] : tensor<4x1x92x4xf32> -> tensor<1x4x92x4xf32>
    %y = moe.experts gpt %p, %a, %b : tensor<1x4x92x4xf32>, tensor<1x4x3xf32>, tensor<1x3x4xf32> -> tensor<1x4x92x4xf32>
    %s = moe.all_reduce %y on <@mesh, ["tp"]> : tensor<1x4x92x4xf32>
    %q = moe.transpose %s [1, 0, 2, 3] : tensor<1x4x92x4xf32> -> tensor<4x1x92x4xf32>
    %c = moe.all_to_all %q on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x1x92x4xf32> -> tensor<4x1x92x4xf32>
    %z = moe.unpermute %c by %l weights %g : tensor<4x1x92x4xf32>, tensor<8x1xi32>, tensor<8x1xf32> -> tensor<8x4xf32>
    moe.yield %z : tensor<8x4xf32>
  } : tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
