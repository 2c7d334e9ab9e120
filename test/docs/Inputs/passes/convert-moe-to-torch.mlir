moe.mesh @moe_mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %r = moe.all_gather %x on <@moe_mesh, ["tp"]> dim 0
     : tensor<2x4xf32> -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
