// A function hands out a plan, which no stream has.
moe.mesh @mesh axes ["ep"] shape [2]
func.func @main(%all: tensor<2x2xi32> {moe.varying = []}) -> tensor<2x1xi32> {
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> limit 8 : tensor<2x2xi32> -> tensor<2xi32>, tensor<2x1xi32>
  %a = tensor.expand_shape %so [[0, 1]] output_shape [2, 1] : tensor<2xi32> into tensor<2x1xi32>
  %b = moe.assemble %a dim 0 : tensor<2x1xi32> -> tensor<2x1xi32>
  return %b : tensor<2x1xi32>
}
