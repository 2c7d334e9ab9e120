"builtin.module"() <{sym_name = "jit_constrained"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<8x32x8xf32>, %arg2: tensor<8x8x32xf32>, %arg3: tensor<64x8xf32>):
    %7 = "stablehlo.reshape"(%arg3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<64x8xf32>) -> tensor<4x8x2x8xf32>
    %8 = "sdy.all_to_all"(%7) <{out_sharding = #sdy.sharding<@mesh, [{}, {"ep"}, {}, {}]>, params = #sdy<all_to_all_param_list[{"ep"}: 0->1]>}> : (tensor<4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %9 = "sdy.all_gather"(%arg2) <{gathering_axes = #sdy<list_of_axis_ref_lists[{}, {}, {"tp"}]>, out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}> : (tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
    %10 = "sdy.all_gather"(%arg1) <{gathering_axes = #sdy<list_of_axis_ref_lists[{}, {"tp"}, {}]>, out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %11 = "stablehlo.dot_general"(%9, %8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<8x8x32xf32>, tensor<4x8x2x8xf32>) -> tensor<8x32x4x2xf32>
    %12 = "stablehlo.transpose"(%11) <{permutation = array<i64: 2, 0, 3, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<8x32x4x2xf32>) -> tensor<4x8x2x32xf32>
    %13 = "func.call"(%12) <{callee = @silu}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x2x32xf32>) -> tensor<4x8x2x32xf32>
    %14 = "stablehlo.dot_general"(%10, %13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<8x32x8xf32>, tensor<4x8x2x32xf32>) -> tensor<8x8x4x2xf32>
    %15 = "stablehlo.transpose"(%14) <{permutation = array<i64: 2, 0, 3, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<8x8x4x2xf32>) -> tensor<4x8x2x8xf32>
    %16 = "sdy.all_to_all"(%15) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"ep"}: 1->0]>}> : (tensor<4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %17 = "stablehlo.reshape"(%16) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x8x2x8xf32>) -> tensor<64x8xf32>
    "func.return"(%17) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {"ep"}, {}, {}]>}], function_type = (tensor<4x8x2x32xf32>) -> tensor<4x8x2x32xf32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {"ep"}, {}, {}]>}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x8x2x32xf32>):
    %0 = "stablehlo.negate"(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x2x32xf32>) -> tensor<4x8x2x32xf32>
    %1 = "stablehlo.exponential"(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x2x32xf32>) -> tensor<4x8x2x32xf32>
    %2 = "sdy.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<f32>) -> tensor<4x8x2x32xf32>
    %4 = "stablehlo.add"(%3, %1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x2x32xf32>, tensor<4x8x2x32xf32>) -> tensor<4x8x2x32xf32>
    %5 = "stablehlo.divide"(%3, %4) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x2x32xf32>, tensor<4x8x2x32xf32>) -> tensor<4x8x2x32xf32>
    %6 = "stablehlo.multiply"(%arg0, %5) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x2x32xf32>, tensor<4x8x2x32xf32>) -> tensor<4x8x2x32xf32>
    "func.return"(%6) : (tensor<4x8x2x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

