// A layer that drops nothing with its backward pass, its experts sharded over
// tp.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%x: tensor<6x4xf32> {moe.varying = ["ep"]}, %w: tensor<4x4xf32> {moe.varying = []},
                %a: tensor<2x4x3xf32> {moe.varying = ["ep", "tp"]},
                %b: tensor<2x3x4xf32> {moe.varying = ["ep", "tp"]},
                %dz: tensor<6x4xf32> {moe.varying = ["ep"]}) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32>) {
  %out:12 = moe.layer "0" phase "fwd" {
      %i, %g = moe.gate softmax %x, %w top_k 2 : tensor<6x4xf32>, tensor<4x4xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
      %n = moe.expert_counts %i : tensor<6x2xi32> -> tensor<4xi32>
      %o, %l = moe.permute_rows choice %x by %i experts 4 : tensor<6x4xf32>, tensor<6x2xi32> -> tensor<12x4xf32>, tensor<6x2xi32>
      %n1 = tensor.expand_shape %n [[0, 1]] output_shape [1, 4] : tensor<4xi32> into tensor<1x4xi32>
      %all = moe.all_gather %n1 on <@mesh, ["ep"]> dim 0 : tensor<1x4xi32> -> tensor<2x4xi32>
      %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]> limit 24 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
      %e1 = tensor.empty() : tensor<24x4xf32>
      %d = moe.ragged_all_to_all %o into %e1 on <@mesh, ["ep"]> send(%so, %ss) recv(%ro, %rs) : tensor<12x4xf32>, tensor<2xi32> -> tensor<24x4xf32>
      %y = moe.experts gpt %d runs(%po, %ps : tensor<2x2xi32>), %a, %b : tensor<24x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32> -> tensor<24x4xf32>
      %s = moe.all_reduce %y on <@mesh, ["tp"]> : tensor<24x4xf32>
      %e2 = tensor.empty() : tensor<12x4xf32>
      %c = moe.ragged_all_to_all %s into %e2 on <@mesh, ["ep"]> send(%ro, %rs) recv(%so, %ss) : tensor<24x4xf32>, tensor<2xi32> -> tensor<12x4xf32>
      %z = moe.unpermute %c by %l weights %g : tensor<12x4xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x4xf32>
      moe.yield %z, %i, %l, %g, %d, %c, %so, %ss, %ro, %rs, %po, %ps : tensor<6x4xf32>, tensor<6x2xi32>, tensor<6x2xi32>, tensor<6x2xf32>, tensor<24x4xf32>, tensor<12x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
  } : tensor<6x4xf32>, tensor<6x2xi32>, tensor<6x2xi32>, tensor<6x2xf32>, tensor<24x4xf32>, tensor<12x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>, tensor<2x2xi32>
  %g:4 = moe.layer "0" phase "bwd" {
      %e3 = tensor.empty() : tensor<24x4xf32>
      %dc = moe.scatter %dz by %out#2 weights %out#3 : tensor<6x2xf32> : tensor<6x4xf32>, tensor<6x2xi32> -> tensor<12x4xf32>
      %dy = moe.ragged_all_to_all %dc into %e3 on <@mesh, ["ep"]> send(%out#6, %out#7) recv(%out#8, %out#9) : tensor<12x4xf32>, tensor<2xi32> -> tensor<24x4xf32>
      %dd = moe.experts_dgrad gpt %dy at %out#4 runs(%out#10, %out#11 : tensor<2x2xi32>), %a, %b : tensor<24x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32>
      %ds = moe.all_reduce %dd on <@mesh, ["tp"]> : tensor<24x4xf32>
      %e4 = tensor.empty() : tensor<12x4xf32>
      %do = moe.ragged_all_to_all %ds into %e4 on <@mesh, ["ep"]> send(%out#8, %out#9) recv(%out#6, %out#7) : tensor<24x4xf32>, tensor<2xi32> -> tensor<12x4xf32>
      %one = arith.constant dense<1.0> : tensor<6x2xf32>
      %dx1 = moe.unpermute %do by %out#2 weights %one : tensor<12x4xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x4xf32>
      %dg = moe.unpermute_wgrad %dz, %out#5 by %out#2 : tensor<6x4xf32>, tensor<12x4xf32>, tensor<6x2xi32> -> tensor<6x2xf32>
      %dx2, %dw = moe.gate_grad softmax %x, %w by %out#1, %dg : tensor<6x4xf32>, tensor<4x4xf32>, tensor<6x2xi32>, tensor<6x2xf32>
      %dw1, %dw2 = moe.experts_wgrad gpt %dy at %out#4 runs(%out#10, %out#11 : tensor<2x2xi32>), %a, %b : tensor<24x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32> -> tensor<2x4x3xf32>, tensor<2x3x4xf32>
      %dx = arith.addf %dx1, %dx2 : tensor<6x4xf32>
      moe.yield %dx, %dw, %dw1, %dw2 : tensor<6x4xf32>, tensor<4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32>
  } : tensor<6x4xf32>, tensor<4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32>
  return %out#0, %g#0, %g#1, %g#2, %g#3 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4xf32>
}
