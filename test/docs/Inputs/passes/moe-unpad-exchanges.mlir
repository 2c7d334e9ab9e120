moe.mesh @mesh axes ["ep"] shape [2]

func.func @main(%x: tensor<6x8xf32>, %router: tensor<8x4xf32> {moe.varying = []},
    %w1: tensor<2x8x5xf32>, %w2: tensor<2x5x8xf32>) -> tensor<6x8xf32> {
  %ids, %w = moe.gate softmax %x, %router top_k 2
     : tensor<6x8xf32>, tensor<8x4xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
  %b, %slots = moe.permute choice %x by %ids
     : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<2x2x3x8xf32>, tensor<6x2xi32>
  %d = moe.all_to_all %b on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x2x3x8xf32> -> tensor<2x2x3x8xf32>
  %t = moe.transpose %d [1, 0, 2, 3]
     : tensor<2x2x3x8xf32> -> tensor<2x2x3x8xf32>
  %y = moe.experts gpt %t, %w1, %w2
     : tensor<2x2x3x8xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>
    -> tensor<2x2x3x8xf32>
  %u = moe.transpose %y [1, 0, 2, 3]
     : tensor<2x2x3x8xf32> -> tensor<2x2x3x8xf32>
  %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x2x3x8xf32> -> tensor<2x2x3x8xf32>
  %r = moe.unpermute %c by %slots weights %w
     : tensor<2x2x3x8xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
