"builtin.module"() <{sym_name = "jit_one_axis"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<64x8xf32>):
    %0 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %3 = "sdy.manual_computation"(%2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"ep"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep", ?}, {?}]>]>}> ({
    ^bb0(%arg1: tensor<16x8xf32>):
      %4 = "stablehlo.reshape"(%arg1) : (tensor<16x8xf32>) -> tensor<4x4x8xf32>
      %5 = "sdy.sharding_constraint"(%4) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x4x8xf32>) -> tensor<4x4x8xf32>
      %6 = "stablehlo.all_to_all"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x8xf32>) -> tensor<4x4x8xf32>
      %7 = "stablehlo.reshape"(%6) : (tensor<4x4x8xf32>) -> tensor<16x8xf32>
      %8 = "sdy.sharding_constraint"(%7) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%8) : (tensor<16x8xf32>) -> ()
    }) : (tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%3) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

