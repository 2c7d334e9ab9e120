// The two experts of the best cosine with the projected token (X-MoE).
// Tokens travel along "ep" to the ranks that own the experts and come back; the
// two ranks along "tp" hold the same tokens.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<6x8xf32> {moe.varying = ["ep"]},
                %router: tensor<3x4xf32> {moe.varying = []},
                %projection: tensor<8x3xf32> {moe.varying = []},
                %w1: tensor<2x8x12xf32> {moe.varying = ["ep"]},
                %w2: tensor<2x12x8xf32> {moe.varying = ["ep"]})
    -> tensor<6x8xf32> {
  %r = moe.layer "0" phase "fwd" {
    %ids, %weights = moe.gate xmoe %x, %router projection %projection : tensor<8x3xf32>
        temperature 0.07 top_k 2
        : tensor<6x8xf32>, tensor<3x4xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
    %buffer, %slots = moe.permute choice %x by %ids
        : tensor<6x8xf32>, tensor<6x2xi32>
        -> tensor<2x2x4x8xf32>, tensor<6x2xi32>
    %dispatched = moe.all_to_all %buffer on <@mesh, ["ep"]> split 0 concat 0
        : tensor<2x2x4x8xf32> -> tensor<2x2x4x8xf32>
    %rows = moe.transpose %dispatched [1, 0, 2, 3]
        : tensor<2x2x4x8xf32> -> tensor<2x2x4x8xf32>
    %outs = moe.experts gpt %rows, %w1, %w2
        : tensor<2x2x4x8xf32>, tensor<2x8x12xf32>, tensor<2x12x8xf32>
          -> tensor<2x2x4x8xf32>
    %sent = moe.transpose %outs [1, 0, 2, 3]
        : tensor<2x2x4x8xf32> -> tensor<2x2x4x8xf32>
    %combined = moe.all_to_all %sent on <@mesh, ["ep"]> split 0 concat 0
        : tensor<2x2x4x8xf32> -> tensor<2x2x4x8xf32>
    %y = moe.unpermute %combined by %slots weights %weights
        : tensor<2x2x4x8xf32>, tensor<6x2xi32>, tensor<6x2xf32>
        -> tensor<6x8xf32>
    moe.yield %y : tensor<6x8xf32>
  } : tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
