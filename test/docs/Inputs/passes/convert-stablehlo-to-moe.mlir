"sdy.mesh"() <{mesh = #sdy.mesh<["ep"=2, "tp"=2]>, sym_name = "mesh"}> : () -> ()
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = "sdy.manual_computation"(%x) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>,
    manual_axes = #sdy<manual_axes{"ep", "tp"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>
  }> ({
  ^bb0(%l: tensor<2x4xf32>):
    %a = "stablehlo.all_to_all"(%l) <{
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      concat_dimension = 0 : i64,
      replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>,
      split_count = 2 : i64, split_dimension = 0 : i64
    }> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "sdy.return"(%a) : (tensor<2x4xf32>) -> ()
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
