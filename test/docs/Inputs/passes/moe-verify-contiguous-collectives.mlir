moe.mesh @mesh axes ["ep", "tp"] shape [2, 3]

func.func @main(%x: tensor<4x2xf32>) -> tensor<4x6xf32> {
  %r = moe.all_gather %x on <@mesh, ["tp"]> dim 1
     : tensor<4x2xf32> -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
