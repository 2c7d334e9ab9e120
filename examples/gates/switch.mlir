// The best expert alone, behind jittered tokens (Switch Transformer).
// Tokens travel along "ep" to the ranks that own the experts and come back; the
// two ranks along "tp" hold the same tokens.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<6x8xf32> {moe.varying = ["ep"]},
                %router: tensor<8x4xf32> {moe.varying = []},
                %seed: i64 {moe.varying = []},
                %w1: tensor<2x8x12xf32> {moe.varying = ["ep"]},
                %w2: tensor<2x12x8xf32> {moe.varying = ["ep"]})
    -> tensor<6x8xf32> {
  %r = moe.layer "0" phase "fwd" {
    %ids, %weights = moe.gate switch %x, %router jitter 0.01 seed %seed top_k 1
        : tensor<6x8xf32>, tensor<8x4xf32> -> tensor<6x1xi32>, tensor<6x1xf32>
    %buffer, %slots = moe.permute choice %x by %ids
        : tensor<6x8xf32>, tensor<6x1xi32>
        -> tensor<2x2x4x8xf32>, tensor<6x1xi32>
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
        : tensor<2x2x4x8xf32>, tensor<6x1xi32>, tensor<6x1xf32>
        -> tensor<6x8xf32>
    moe.yield %y : tensor<6x8xf32>
  } : tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
