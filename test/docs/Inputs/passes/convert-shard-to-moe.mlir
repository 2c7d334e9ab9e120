shard.grid @grid(shape = 2x4)
func.func @f(%x: tensor<4x16xf32>) -> tensor<8x8xf32> {
  %r = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 1
       concat_axis = 0 : tensor<4x16xf32> -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
