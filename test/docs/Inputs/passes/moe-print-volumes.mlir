moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]

func.func @main(%x: tensor<2x4xf32>) -> tensor<8x4xf32> {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4xf32> -> tensor<2x4xf32>
  %g = moe.all_gather %a on <@mesh, ["tp"]> dim 0 : tensor<2x4xf32> -> tensor<8x4xf32>
  return %g : tensor<8x4xf32>
}
