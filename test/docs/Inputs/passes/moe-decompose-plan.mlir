module attributes {moe.plan = #moe.step_plan<collectives = "by-links", phase = choose, schedule = layers>} {
  moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

  func.func @main(%x: tensor<2x1x4x8xf32> {moe.varying = ["ep"]})
      -> tensor<2x1x4x8xf32> {
    %r = moe.layer "0" phase "fwd"
        attributes {moe.plan = #moe.layer_plan<slice = 3>} {
      %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
         : tensor<2x1x4x8xf32> -> tensor<2x1x4x8xf32>
      moe.yield %a : tensor<2x1x4x8xf32>
    } : tensor<2x1x4x8xf32>
    return %r : tensor<2x1x4x8xf32>
  }
}
