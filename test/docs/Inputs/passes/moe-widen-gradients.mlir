func.func @main(%x: tensor<2x8x4xbf16>, %w1: tensor<2x4x6xbf16>, %w2: tensor<2x6x4xbf16>,
                %dy: tensor<2x8x4xbf16>) -> (tensor<2x4x6xbf16>, tensor<2x6x4xbf16>) {
  %dw:2 = moe.experts_wgrad gpt %dy at %x, %w1, %w2
     : tensor<2x8x4xbf16>, tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
       -> tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
  return %dw#0, %dw#1 : tensor<2x4x6xbf16>, tensor<2x6x4xbf16>
}
