moe.mesh @mesh axes ["ep", "tp"] shape [4, 3]

func.func @main(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4x5xf32> -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
