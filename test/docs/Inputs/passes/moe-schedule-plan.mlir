module attributes {moe.plan = #moe.step_plan<collectives = one, phase = pipeline, priorities = ["ep"], schedule = tutel>} {
  moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

  func.func @main(%x: tensor<2x8xf32>) -> tensor<4x8xf32> {
    %g = moe.all_gather %x on <@mesh, ["tp"]> dim 0
       : tensor<2x8xf32> -> tensor<4x8xf32>
    return %g : tensor<4x8xf32>
  }
}
