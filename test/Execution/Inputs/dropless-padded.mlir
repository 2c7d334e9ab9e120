// What dropless.mlir computes, with buffers so large that nothing is dropped.
moe.mesh @mesh axes ["dp", "ep"] shape [2, 2]

func.func @main(%x: tensor<6x8xf32>, %router: tensor<8x4xf32>, %w1: tensor<2x8x5xf32>, %w2: tensor<2x8x5xf32>, %w3: tensor<2x5x8xf32>, %dy: tensor<6x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>, tensor<6x2xf32>) {
  %ids, %w = moe.gate softmax %x, %router top_k 2 : tensor<6x8xf32>, tensor<8x4xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
  %rows, %slots = moe.permute choice %x by %ids : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<2x2x12x8xf32>, tensor<6x2xi32>

  %sent = moe.all_to_all %rows on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %in = moe.transpose %sent [1, 0, 2, 3] : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %h = moe.experts swiglu %in, %w1, %w2, %w3 : tensor<2x2x12x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32> -> tensor<2x2x12x8xf32>
  %out = moe.transpose %h [1, 0, 2, 3] : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %back = moe.all_to_all %out on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %y = moe.unpermute %back by %slots weights %w : tensor<2x2x12x8xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xf32>

  %dback = moe.scatter %dy by %slots weights %w : tensor<6x2xf32> : tensor<6x8xf32>, tensor<6x2xi32> -> tensor<2x2x12x8xf32>
  %dw = moe.unpermute_wgrad %dy, %back by %slots : tensor<6x8xf32>, tensor<2x2x12x8xf32>, tensor<6x2xi32> -> tensor<6x2xf32>
  %dsent = moe.all_to_all %dback on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %dh = moe.transpose %dsent [1, 0, 2, 3] : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %din = moe.experts_dgrad swiglu %dh at %in, %w1, %w2, %w3 : tensor<2x2x12x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>
  %dws:3 = moe.experts_wgrad swiglu %dh at %in, %w1, %w2, %w3 : tensor<2x2x12x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32> -> tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>
  %dout = moe.transpose %din [1, 0, 2, 3] : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %drows = moe.all_to_all %dout on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x2x12x8xf32> -> tensor<2x2x12x8xf32>
  %one = arith.constant dense<1.0> : tensor<6x2xf32>
  %dx = moe.unpermute %drows by %slots weights %one : tensor<2x2x12x8xf32>, tensor<6x2xi32>, tensor<6x2xf32> -> tensor<6x8xf32>
  return %y, %dx, %dws#0, %dws#1, %dws#2, %dw : tensor<6x8xf32>, tensor<6x8xf32>, tensor<2x8x5xf32>, tensor<2x8x5xf32>, tensor<2x5x8xf32>, tensor<6x2xf32>
}
