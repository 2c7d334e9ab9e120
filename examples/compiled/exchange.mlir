// What each of four ranks does: experts' tokens go to the ranks along "ep" that
// own the experts, are scaled there, and come back. The two ranks along "tp"
// hold the same tokens.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @exchange(%tokens: tensor<2x3x4xf32> {moe.varying = ["ep"]},
                    %scale: tensor<2x3x4xf32> {moe.varying = ["ep"]})
    -> tensor<2x3x4xf32> {
  %there = moe.all_to_all %tokens on <@mesh, ["ep"]> split 0 concat 0
      : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  %scaled = arith.mulf %there, %scale : tensor<2x3x4xf32>
  %back = moe.all_to_all %scaled on <@mesh, ["ep"]> split 0 concat 0
      : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return %back : tensor<2x3x4xf32>
}
