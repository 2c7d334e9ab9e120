// What each of two ranks does: the columns of its rows go to the ranks along
// "ep", and what the ranks have then is summed up.
moe.mesh @mesh axes ["ep"] shape [2]

func.func @step(%x: tensor<2x6xf32> {moe.varying = ["ep"]}) -> tensor<4x3xf32> {
  %columns = moe.all_to_all %x on <@mesh, ["ep"]> split 1 concat 0
      : tensor<2x6xf32> -> tensor<4x3xf32>
  %sum = moe.all_reduce %columns on <@mesh, ["ep"]> reduction sum : tensor<4x3xf32>
  return %sum : tensor<4x3xf32>
}
