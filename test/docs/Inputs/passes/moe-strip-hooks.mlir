func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = moe.hook before_dispatch %x : tensor<4x8xf32>
  %b = arith.negf %a : tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}
