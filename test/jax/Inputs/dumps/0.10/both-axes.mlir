"builtin.module"() <{sym_name = "jit_both_axes"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<8x8x32xf32>, %arg2: tensor<64x8xf32>):
    %9 = "sdy.manual_computation"(%arg1, %arg2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg3: tensor<2x8x16xf32>, %arg4: tensor<16x8xf32>):
      %10 = "stablehlo.reshape"(%arg4) : (tensor<16x8xf32>) -> tensor<8x2x8xf32>
      %11 = "stablehlo.all_to_all"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, split_count = 8 : i64, split_dimension = 0 : i64}> : (tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
      %12 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 8, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x16xf32>) -> tensor<1x8x8xf32>
      %13 = "stablehlo.reshape"(%12) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
      %14 = "stablehlo.dot_general"(%11, %13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x8xf32>, tensor<8x8xf32>) -> tensor<8x2x8xf32>
      %15 = "func.call"(%14) <{callee = @silu}> : (tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
      %16 = "stablehlo.all_to_all"(%15) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, split_count = 8 : i64, split_dimension = 0 : i64}> : (tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
      %17 = "stablehlo.reshape"(%16) : (tensor<8x2x8xf32>) -> tensor<16x8xf32>
      %18 = "stablehlo.all_reduce"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
        %19 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%19) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%18) : (tensor<16x8xf32>) -> ()
    }) : (tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%9) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x2x8xf32>) -> tensor<8x2x8xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x2x8xf32>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x8xf32>
    %4 = "stablehlo.add"(%3, %1) : (tensor<8x2x8xf32>, tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x8xf32>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<8x2x8xf32>, tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
    %8 = "stablehlo.multiply"(%arg0, %7) : (tensor<8x2x8xf32>, tensor<8x2x8xf32>) -> tensor<8x2x8xf32>
    "func.return"(%8) : (tensor<8x2x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

