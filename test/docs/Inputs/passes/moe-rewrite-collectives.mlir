moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2xf32>) -> tensor<1xf32> {
  %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
  %d = moe.drop %s on <@mesh, ["tp"]> dim 0 : tensor<2xf32> -> tensor<1xf32>
  return %d : tensor<1xf32>
}
