"builtin.module"() <{sym_name = "jit_einsum"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg7: tensor<8x32x8xf32>, %arg8: tensor<8x8xf32>, %arg9: tensor<8x8x32xf32>, %arg10: tensor<64x8xf32>):
    %26 = "stablehlo.reshape"(%arg10) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<64x8xf32>) -> tensor<4x16x8xf32>
    %27 = "stablehlo.dot_general"(%26, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<8x8xf32>) -> tensor<4x16x8xf32>
    %28 = "sdy.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.reduce"(%27, %28) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %79 = "stablehlo.maximum"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%79) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %30 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<f32>) -> tensor<4x16xf32>
    %31 = "stablehlo.maximum"(%30, %29) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %34 = "stablehlo.subtract"(%27, %33) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %35 = "stablehlo.exponential"(%34) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %36 = "sdy.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%35, %36) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %78 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %40 = "stablehlo.divide"(%35, %39) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %41:2 = "chlo.top_k"(%40) <{is_stable = true, k = 2 : i64}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>) -> (tensor<4x16x2xf32>, tensor<4x16x2xi32>)
    %42 = "func.call"(%41#1) <{callee = @_one_hot}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x8xi32>
    %43 = "stablehlo.transpose"(%42) <{permutation = array<i64: 0, 2, 1, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi32>) -> tensor<4x2x16x8xi32>
    %44 = "stablehlo.reshape"(%43) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x2x16x8xi32>) -> tensor<4x32x8xi32>
    %45 = "func.call"(%44) <{callee = @cumsum}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    %46 = "stablehlo.subtract"(%45, %44) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>, tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    %47 = "stablehlo.multiply"(%46, %44) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>, tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    %48 = "sdy.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.reduce"(%47, %48) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg15: tensor<i32>, %arg16: tensor<i32>):
      %77 = "stablehlo.add"(%arg15, %arg16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%77) : (tensor<i32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x32x8xi32>, tensor<i32>) -> tensor<4x32xi32>
    %50 = "stablehlo.reshape"(%49) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32xi32>) -> tensor<4x2x16xi32>
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x2x16xi32>) -> tensor<4x16x2xi32>
    %52 = "func.call"(%41#1) <{callee = @_one_hot_1}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x8xf32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8xf32>) -> tensor<4x16x2x8x1xf32>
    %54 = "func.call"(%51) <{callee = @_one_hot_1}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x8xf32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8xf32>) -> tensor<4x16x2x1x8xf32>
    %56 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8x1xf32>) -> tensor<4x16x2x8x8xf32>
    %57 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x1x8xf32>) -> tensor<4x16x2x8x8xf32>
    %58 = "stablehlo.multiply"(%56, %57) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<4x16x2x8x8xf32>) -> tensor<4x16x2x8x8xf32>
    %59 = "stablehlo.reduce"(%58, %36) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %76 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<f32>) -> tensor<4x16x8x8xf32>
    %60 = "stablehlo.broadcast_in_dim"(%41#0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2xf32>) -> tensor<4x16x2x1x1xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x1x1xf32>) -> tensor<4x16x2x8x8xf32>
    %62 = "stablehlo.multiply"(%58, %61) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<4x16x2x8x8xf32>) -> tensor<4x16x2x8x8xf32>
    %63 = "stablehlo.reduce"(%62, %36) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %75 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%75) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<f32>) -> tensor<4x16x8x8xf32>
    %64 = "stablehlo.dot_general"(%59, %26) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x8x8xf32>, tensor<4x16x8xf32>) -> tensor<4x8x8x8xf32>
    %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 1, 0, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x8x8xf32>) -> tensor<8x4x8x8xf32>
    %66 = "sdy.all_to_all"(%65) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"ep"}: 1->0]>}> : (tensor<8x4x8x8xf32>) -> tensor<8x4x8x8xf32>
    %67 = "stablehlo.dot_general"(%66, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x8xf32>, tensor<8x8x32xf32>) -> tensor<8x4x8x32xf32>
    %68 = "func.call"(%67) <{callee = @silu}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %69 = "stablehlo.dot_general"(%68, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x32x8xf32>) -> tensor<8x4x8x8xf32>
    %70 = "sdy.all_reduce"(%69) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, reduction_axes = #sdy<axis_ref_list{"tp"}>, reduction_op = 0 : i32}> : (tensor<8x4x8x8xf32>) -> tensor<8x4x8x8xf32>
    %71 = "stablehlo.transpose"(%70) <{permutation = array<i64: 1, 0, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<8x4x8x8xf32>) -> tensor<4x8x8x8xf32>
    %72 = "sdy.all_to_all"(%71) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"ep"}: 1->0]>}> : (tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
    %73 = "stablehlo.dot_general"(%63, %72) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8x8xf32>, tensor<4x8x8x8xf32>) -> tensor<4x16x8xf32>
    %74 = "stablehlo.reshape"(%73) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x8xf32>) -> tensor<64x8xf32>
    "func.return"(%74) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x16x2xi32>) -> tensor<4x16x2x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<4x16x2xi32>):
    %19 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x1xi32>
    %20 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<1x1x8xi32>) -> tensor<1x1x1x8xi32>
    %22 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x1xi32>) -> tensor<4x16x2x8xi32>
    %23 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<1x1x1x8xi32>) -> tensor<4x16x2x8xi32>
    %24 = "stablehlo.compare"(%22, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi32>, tensor<4x16x2x8xi32>) -> tensor<4x16x2x8xi1>
    %25 = "stablehlo.convert"(%24) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi1>) -> tensor<4x16x2x8xi32>
    "func.return"(%25) : (tensor<4x16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x32x8xi32>):
    %15 = "sdy.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %17 = "stablehlo.reduce_window"(%arg3, %16) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [31, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 32, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      %18 = "stablehlo.add"(%arg4, %arg5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%18) : (tensor<i32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>, tensor<i32>) -> tensor<4x32x8xi32>
    "func.return"(%17) : (tensor<4x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<4x32x8xi32>):
    %14 = "func.call"(%arg2) <{callee = @cumsum_0}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    "func.return"(%14) : (tensor<4x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x16x2xi32>) -> tensor<4x16x2x8xf32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<4x16x2xi32>):
    %7 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x1xi32>
    %8 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<1x1x8xi32>) -> tensor<1x1x1x8xi32>
    %10 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x1xi32>) -> tensor<4x16x2x8xi32>
    %11 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<1x1x1x8xi32>) -> tensor<4x16x2x8xi32>
    %12 = "stablehlo.compare"(%10, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi32>, tensor<4x16x2x8xi32>) -> tensor<4x16x2x8xi1>
    %13 = "stablehlo.convert"(%12) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi1>) -> tensor<4x16x2x8xf32>
    "func.return"(%13) : (tensor<4x16x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}], function_type = (tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x4x8x32xf32>):
    %0 = "stablehlo.negate"(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %1 = "stablehlo.exponential"(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %2 = "sdy.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<f32>) -> tensor<8x4x8x32xf32>
    %4 = "stablehlo.add"(%3, %1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %5 = "stablehlo.divide"(%3, %4) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %6 = "stablehlo.multiply"(%arg0, %5) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    "func.return"(%6) : (tensor<8x4x8x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

