// A layer with all six hooks; @OP stands for what a user put behind each.
moe.mesh @mesh axes ["node", "ep", "tp"] shape [2, 2, 2]

func.func @main(%x: tensor<6x8xf32> {moe.varying = ["node", "ep"]},
                %router: tensor<8x8xf32> {moe.varying = []},
                %w1: tensor<2x8x12xf32> {moe.varying = ["node", "ep"]},
                %w2: tensor<2x12x8xf32> {moe.varying = ["node", "ep"]})
    -> tensor<6x8xf32> {
  %r = moe.layer "0" phase "fwd" {
    %h0 = moe.hook before_moe_start %x : tensor<6x8xf32>
    %u0 = @OP(%h0) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %ids, %weights = moe.gate softmax %u0, %router top_k 2
        : tensor<6x8xf32>, tensor<8x8xf32> -> tensor<6x2xi32>, tensor<6x2xf32>
    %buffer, %slots = moe.permute choice %u0 by %ids
        : tensor<6x8xf32>, tensor<6x2xi32>
        -> tensor<4x2x4x8xf32>, tensor<6x2xi32>
    %h1 = moe.hook before_dispatch %buffer : tensor<4x2x4x8xf32>
    %u1 = @OP(%h1) : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8xf32>
    %dispatched = moe.all_to_all %u1 on <@mesh, ["node", "ep"]> split 0 concat 0
        : tensor<4x2x4x8xf32> -> tensor<4x2x4x8xf32>
    %h2 = moe.hook after_dispatch %dispatched : tensor<4x2x4x8xf32>
    %u2 = @OP(%h2) : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8xf32>
    %rows = moe.transpose %u2 [1, 0, 2, 3]
        : tensor<4x2x4x8xf32> -> tensor<2x4x4x8xf32>
    %outs = moe.experts gpt %rows, %w1, %w2
        : tensor<2x4x4x8xf32>, tensor<2x8x12xf32>, tensor<2x12x8xf32>
          -> tensor<2x4x4x8xf32>
    %sent = moe.transpose %outs [1, 0, 2, 3]
        : tensor<2x4x4x8xf32> -> tensor<4x2x4x8xf32>
    %h3 = moe.hook before_combine %sent : tensor<4x2x4x8xf32>
    %u3 = @OP(%h3) : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8xf32>
    %combined = moe.all_to_all %u3 on <@mesh, ["node", "ep"]> split 0 concat 0
        : tensor<4x2x4x8xf32> -> tensor<4x2x4x8xf32>
    %h4 = moe.hook after_combine %combined : tensor<4x2x4x8xf32>
    %u4 = @OP(%h4) : (tensor<4x2x4x8xf32>) -> tensor<4x2x4x8xf32>
    %y = moe.unpermute %u4 by %slots weights %weights
        : tensor<4x2x4x8xf32>, tensor<6x2xi32>, tensor<6x2xf32>
        -> tensor<6x8xf32>
    %h5 = moe.hook before_moe_end %y : tensor<6x8xf32>
    %u5 = @OP(%h5) : (tensor<6x8xf32>) -> tensor<6x8xf32>
    moe.yield %u5 : tensor<6x8xf32>
  } : tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
