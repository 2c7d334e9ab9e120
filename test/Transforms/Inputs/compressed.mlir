// What is sent is rounded to bf16 behind the hook before an exchange and widened
// behind the one after it.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%x: tensor<2x2x4x8xf32> {moe.varying = ["ep"]},
                %w1: tensor<2x8x12xf32> {moe.varying = ["ep"]},
                %w2: tensor<2x12x8xf32> {moe.varying = ["ep"]})
    -> tensor<2x2x4x8xf32> {
  %h1 = moe.hook before_dispatch %x : tensor<2x2x4x8xf32>
  %narrow = arith.truncf %h1 : tensor<2x2x4x8xf32> to tensor<2x2x4x8xbf16>
  %dispatched = moe.all_to_all %narrow on <@mesh, ["ep"]> split 0 concat 0
      : tensor<2x2x4x8xbf16> -> tensor<2x2x4x8xbf16>
  %h2 = moe.hook after_dispatch %dispatched : tensor<2x2x4x8xbf16>
  %wide = arith.extf %h2 : tensor<2x2x4x8xbf16> to tensor<2x2x4x8xf32>
  %rows = moe.transpose %wide [1, 0, 2, 3]
      : tensor<2x2x4x8xf32> -> tensor<2x2x4x8xf32>
  %outs = moe.experts gpt %rows, %w1, %w2
      : tensor<2x2x4x8xf32>, tensor<2x8x12xf32>, tensor<2x12x8xf32>
        -> tensor<2x2x4x8xf32>
  %sent = moe.transpose %outs [1, 0, 2, 3]
      : tensor<2x2x4x8xf32> -> tensor<2x2x4x8xf32>
  %h3 = moe.hook before_combine %sent : tensor<2x2x4x8xf32>
  %combined = moe.all_to_all %h3 on <@mesh, ["ep"]> split 0 concat 0
      : tensor<2x2x4x8xf32> -> tensor<2x2x4x8xf32>
  return %combined : tensor<2x2x4x8xf32>
}
