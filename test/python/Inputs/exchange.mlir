moe.mesh @mesh axes ["ep"] shape [4]

func.func @exchange(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
     : tensor<4x6xf32> -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
