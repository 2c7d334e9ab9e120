func.func @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %y = arith.mulf %x, %x : tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}
