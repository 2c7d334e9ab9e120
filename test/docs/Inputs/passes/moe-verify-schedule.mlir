moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%c: i1 {moe.varying = ["ep"]}, %x: tensor<4xf32>)
    -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %e = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<4xf32>
    %f = moe.all_reduce %e on <@mesh, ["ep", "tp"]> : tensor<4xf32>
    scf.yield %f : tensor<4xf32>
  } else {
    %f = moe.all_reduce %x on <@mesh, ["ep", "tp"]> : tensor<4xf32>
    %e = moe.all_reduce %f on <@mesh, ["ep"]> : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
