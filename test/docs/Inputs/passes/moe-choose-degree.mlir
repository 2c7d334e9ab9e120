moe.mesh @mesh axes ["ep"] shape [2]

func.func @main(%x: tensor<2x1x64x64xf32>, %w1: tensor<1x64x96xf32>,
                %w2: tensor<1x96x64xf32>, %p: tensor<16xf32>)
    -> (tensor<2x1x64x64xf32>, tensor<16xf32>) {
  %r:2 = moe.layer "0" phase "fwd" {
    %d = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    %g = moe.all_reduce %p on <@mesh, ["ep"]> : tensor<16xf32>
    %t = moe.transpose %d [1, 0, 2, 3]
       : tensor<2x1x64x64xf32> -> tensor<1x2x64x64xf32>
    %y = moe.experts gpt %t, %w1, %w2
       : tensor<1x2x64x64xf32>, tensor<1x64x96xf32>, tensor<1x96x64xf32>
         -> tensor<1x2x64x64xf32>
    %u = moe.transpose %y [1, 0, 2, 3]
       : tensor<1x2x64x64xf32> -> tensor<2x1x64x64xf32>
    %c = moe.all_to_all %u on <@mesh, ["ep"]> split 0 concat 0
       : tensor<2x1x64x64xf32> -> tensor<2x1x64x64xf32>
    moe.yield %c, %g : tensor<2x1x64x64xf32>, tensor<16xf32>
  } : tensor<2x1x64x64xf32>, tensor<16xf32>
  return %r#0, %r#1 : tensor<2x1x64x64xf32>, tensor<16xf32>
}
