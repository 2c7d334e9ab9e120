moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<4x4xf32> {moe.varying = ["ep"]}) -> tensor<4x4xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  %g = moe.all_gather %d on <@mesh, ["tp"]> dim 0 : tensor<2x4xf32> -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}
