moe.mesh @mesh axes ["dp", "tp"] shape [4, 2]

func.func @main(%x: tensor<4x5xf32> {moe.varying = ["dp", "tp"]})
    -> tensor<4x5xf32> {
  %r = moe.all_reduce %x on <@mesh, ["dp", "tp"]> : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
