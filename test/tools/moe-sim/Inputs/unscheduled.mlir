moe.mesh @mesh axes ["ep"] shape [4]
func.func private @elsewhere(tensor<8xf32>) -> tensor<8xf32>

func.func @nothing(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %v = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<?xf32>
  return %v : tensor<?xf32>
}
func.func @calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  %v = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<8xf32>
  %w = call @elsewhere(%v) : (tensor<8xf32>) -> tensor<8xf32>
  return %w : tensor<8xf32>
}
func.func @blocks(%x: tensor<8xf32>) -> tensor<8xf32> {
  %v = moe.all_reduce %x on <@mesh, ["ep"]> : tensor<8xf32>
  cf.br ^next(%v : tensor<8xf32>)
^next(%w: tensor<8xf32>):
  return %w : tensor<8xf32>
}
