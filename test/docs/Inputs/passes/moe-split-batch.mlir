func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>) -> tensor<8x1xf32> {
  %y = moe.dense "0.attention" %x macs 64 sequences 2 : tensor<8x4xf32>
  %p = moe.layer "0" phase "fwd" {
    %ids, %weights = moe.gate softmax %y, %w top_k 1
      : tensor<8x4xf32>, tensor<4x2xf32> -> tensor<8x1xi32>, tensor<8x1xf32>
    moe.yield %weights : tensor<8x1xf32>
  } : tensor<8x1xf32>
  return %p : tensor<8x1xf32>
}
