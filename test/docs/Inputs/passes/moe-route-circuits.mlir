moe.mesh @mesh axes ["ep", "tp"] shape [4, 8]

func.func @main(%x: tensor<32x5xf32> {moe.varying = ["ep", "tp"]})
    -> tensor<32x5xf32> {
  %r = moe.all_to_all %x on <@mesh, ["ep", "tp"]> split 0 concat 0
     : tensor<32x5xf32> -> tensor<32x5xf32>
  return %r : tensor<32x5xf32>
}
