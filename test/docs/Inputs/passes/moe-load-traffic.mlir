moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%x: tensor<8x4xf32>, %v: tensor<2xi32>) -> tensor<16x4xf32> {
  %y = moe.layer "0" phase "fwd" {
    %room = tensor.empty() : tensor<16x4xf32>
    %a = moe.ragged_all_to_all %x into %room on <@mesh, ["ep"]>
        send(%v, %v) recv(%v, %v)
      : tensor<8x4xf32>, tensor<2xi32> -> tensor<16x4xf32>
    moe.yield %a : tensor<16x4xf32>
  } : tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}
