// Two programs of one job: both exchange over "ep", each does more.
moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]

func.func @first(%x: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3xi32> -> tensor<2x3xi32>
  %s = moe.all_reduce %a on <@mesh, ["tp"]> : tensor<2x3xi32>
  return %a, %s : tensor<2x3xi32>, tensor<2x3xi32>
}

func.func @second(%x: tensor<2x3xi32>, %y: tensor<5x3xi32>, %o: tensor<2xi32>, %n: tensor<2xi32>) -> (tensor<8x3xi32>, tensor<5x3xi32>) {
  %a = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x3xi32> -> tensor<2x3xi32>
  %g = moe.all_gather %a on <@mesh, ["ep", "tp"]> dim 0 : tensor<2x3xi32> -> tensor<8x3xi32>
  %r = moe.ragged_all_to_all %x into %y on <@mesh, ["ep"]> send(%o, %n) recv(%o, %n) : tensor<2x3xi32>, tensor<2xi32> -> tensor<5x3xi32>
  return %g, %r : tensor<8x3xi32>, tensor<5x3xi32>
}
