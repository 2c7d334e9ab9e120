moe.mesh @mesh axes ["node", "place"] shape [2, 2]
func.func @main(%x: tensor<6x8xf32>, %router: tensor<8x8xf32> {moe.varying = []}, %w1: tensor<2x8x5xf32>, %w2: tensor<2x8x5xf32>, %w3: tensor<2x5x8xf32>) -> tensor<6x8xf32> {
  %ids, %w = moe.gate softmax %x, %router top_k 3 : tensor<6x8xf32>, tensor<8x8xf32> -> tensor<6x3xi32>, tensor<6x3xf32>
  %counts = moe.expert_counts %ids : tensor<6x3xi32> -> tensor<8xi32>
  %rows, %slots = moe.permute_rows choice %x by %ids experts 8 : tensor<6x8xf32>, tensor<6x3xi32> -> tensor<18x8xf32>, tensor<6x3xi32>
  %own = tensor.expand_shape %counts [[0, 1]] output_shape [1, 8] : tensor<8xi32> into tensor<1x8xi32>
  %all = moe.all_gather %own on <@mesh, ["node", "place"]> dim 0 : tensor<1x8xi32> -> tensor<4x8xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on <@mesh, ["node", "place"]> limit 72 : tensor<4x8xi32> -> tensor<4xi32>, tensor<4x2xi32>
  %space = tensor.empty() : tensor<72x8xf32>
  %room = tensor.empty() : tensor<18x8xf32>
  %in = moe.ragged_all_to_all %rows into %space on <@mesh, ["node", "place"]> send(%so, %ss) recv(%ro, %rs) : tensor<18x8xf32>, tensor<4xi32> -> tensor<72x8xf32>
  %h = moe.experts swiglu %in runs(%po, %ps : tensor<4x2xi32>), %w1, %w2, %w3 : tensor<72x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32> -> tensor<72x8xf32>
  %back = moe.ragged_all_to_all %h into %room on <@mesh, ["node", "place"]> send(%ro, %rs) recv(%so, %ss) : tensor<72x8xf32>, tensor<4xi32> -> tensor<18x8xf32>
  %y = moe.unpermute %back by %slots weights %w : tensor<18x8xf32>, tensor<6x3xi32>, tensor<6x3xf32> -> tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}
