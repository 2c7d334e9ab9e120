moe.mesh @mesh axes ["ep"] shape [2]

func.func @main(%x: tensor<6x8xf32>, %router: tensor<8x4xf32> {moe.varying = []},
    %w1: tensor<2x8x5xf32>, %w2: tensor<2x5x8xf32>) -> tensor<6x8xf32> {
  %ids, %w = moe.gate softmax %x, %router top_k 2
     : tensor<6x8xf32>, tensor<8x4xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
  %counts = moe.expert_counts %ids : tensor<6x2xi32> -> tensor<4xi32>
  %own = tensor.expand_shape %counts [[0, 1]] output_shape [1, 4]
     : tensor<4xi32> into tensor<1x4xi32>
  %all = moe.all_gather %own on <@mesh, ["ep"]> dim 0
     : tensor<1x4xi32> -> tensor<2x4xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["ep"]>
     limit 24 : tensor<2x4xi32> -> tensor<2xi32>, tensor<2x2xi32>
  %rows, %slots = moe.permute_rows choice %x by %ids experts 4
     : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<12x8xf32>, tensor<6x2xi32>
  %e1 = tensor.empty() : tensor<24x8xf32>
  %in = moe.ragged_all_to_all %rows into %e1 on <@mesh, ["ep"]>
     send(%so, %ss) recv(%ro, %rs)
     : tensor<12x8xf32>, tensor<2xi32> -> tensor<24x8xf32>
  %y = moe.experts gpt %in runs(%po, %ps : tensor<2x2xi32>), %w1, %w2
     : tensor<24x8xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>
    -> tensor<24x8xf32>
  %e2 = tensor.empty() : tensor<12x8xf32>
  %back = moe.ragged_all_to_all %y into %e2 on <@mesh, ["ep"]>
     send(%ro, %rs) recv(%so, %ss)
     : tensor<24x8xf32>, tensor<2xi32> -> tensor<12x8xf32>
  %r = moe.unpermute %back by %slots weights %w
     : tensor<12x8xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
