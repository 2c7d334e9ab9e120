moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @main(%c: i1 {moe.varying = ["tp"]}, %x: tensor<2xf32>)
    -> tensor<2xf32> {
  %r = scf.if %c -> tensor<2xf32> {
    %s = moe.all_reduce %x on <@mesh, ["tp"]> : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
