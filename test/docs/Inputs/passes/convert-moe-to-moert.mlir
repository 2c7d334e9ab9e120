moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
moe.stream @inter inter
moe.stream @intra intra

func.func @main(%x: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %r = moe.schedule {
    %a, %t = moe.task @inter "dispatch"[0 of 1] layer "" phase "fwd" {
      %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
         : tensor<4x3xf32> -> tensor<4x3xf32>
      moe.yield %0 : tensor<4x3xf32>
    } : tensor<4x3xf32>
    %g, %u = moe.task @intra "gather"[0 of 1] layer "" phase "fwd" after(%t) {
      %0 = moe.all_gather %a on <@mesh, ["tp"]> dim 0
         : tensor<4x3xf32> -> tensor<8x3xf32>
      moe.yield %0 : tensor<8x3xf32>
    } : tensor<8x3xf32>
    moe.yield %g : tensor<8x3xf32>
  } : tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
