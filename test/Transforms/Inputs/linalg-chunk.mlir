// A structured op that is cut into chunks.
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<4x4x8xf32> {moe.varying = ["ep"]}) -> tensor<4x4x8xf32> {
  %r = moe.pipeline degree 2 (%c = %x split 1 : tensor<4x4x8xf32> as tensor<4x2x8xf32>) {
    %e = tensor.empty() : tensor<4x2x8xf32>
    %n = linalg.negf ins(%c : tensor<4x2x8xf32>) outs(%e : tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
    %d = moe.all_to_all %n on <@mesh, ["ep"]> split 0 concat 0 : tensor<4x2x8xf32> -> tensor<4x2x8xf32>
    moe.yield %d : tensor<4x2x8xf32>
  } -> concat 1 : tensor<4x4x8xf32>
  return %r : tensor<4x4x8xf32>
}
