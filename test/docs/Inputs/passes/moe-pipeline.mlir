moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x1x6x8xf32> {moe.varying = ["ep"]})
    -> tensor<2x1x6x8xf32> {
  %d = moe.drop %x on <@mesh, ["tp"]> dim 2
     : tensor<2x1x6x8xf32> -> tensor<2x1x3x8xf32>
  %a = moe.all_to_all %d on <@mesh, ["ep"]> split 0 concat 0
     : tensor<2x1x3x8xf32> -> tensor<2x1x3x8xf32>
  %g = moe.all_gather %a on <@mesh, ["tp"]> dim 2
     : tensor<2x1x3x8xf32> -> tensor<2x1x6x8xf32>
  return %g : tensor<2x1x6x8xf32>
}
