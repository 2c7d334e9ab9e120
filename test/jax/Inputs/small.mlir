"builtin.module"() <{sym_name = "small"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=2, "tp"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{function_type = (tensor<8x8x4xf32>) -> tensor<8x8x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x8x4xf32>):
    %0 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>}> ({
    ^bb0(%arg1: tensor<4x8x4xf32>):
      %1 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %2 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %3 = "stablehlo.divide"(%1, %2) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %4 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %5 = "stablehlo.remainder"(%3, %4) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %6 = "stablehlo.convert"(%5) : (tensor<ui32>) -> tensor<i32>
      %7 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %8 = "stablehlo.multiply"(%6, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %10 = "stablehlo.dynamic_slice"(%arg1, %9, %8, %9) <{slice_sizes = array<i64: 4, 4, 4>}> : (tensor<4x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4x4xf32>
      %11 = "stablehlo.all_gather"(%10) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4x4xf32>) -> tensor<4x8x4xf32>
      %12 = "stablehlo.all_to_all"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
      %13 = "stablehlo.transpose"(%12) <{permutation = array<i64: 0, 2, 1>}> : (tensor<4x8x4xf32>) -> tensor<4x4x8xf32>
      %14 = "stablehlo.dot_general"(%13, %13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<4x4x8xf32>, tensor<4x4x8xf32>) -> tensor<4x4x4xf32>
      %15 = "stablehlo.all_reduce"(%12) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %20 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%20) : (tensor<f32>) -> ()
      }) : (tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
      %16 = "stablehlo.all_to_all"(%15) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
      %17 = "stablehlo.constant"() <{value = dense<2> : tensor<2xi32>}> : () -> tensor<2xi32>
      %18 = "stablehlo.constant"() <{value = dense<[0, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
      %19 = "stablehlo.custom_call"(%16, %16, %18, %17, %18, %17) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<4x8x4xf32>, tensor<4x8x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x8x4xf32>
      "sdy.return"(%19) : (tensor<4x8x4xf32>) -> ()
    }) : (tensor<8x8x4xf32>) -> tensor<8x8x4xf32>
    "func.return"(%0) : (tensor<8x8x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
