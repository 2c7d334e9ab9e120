"builtin.module"() <{sym_name = "jit_einsum_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %32 = "stablehlo.reshape"(%arg14) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<64x8xf32>) -> tensor<4x16x8xf32>
    %33 = "stablehlo.dot_general"(%32, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<8x8xf32>) -> tensor<4x16x8xf32>
    %34 = "sdy.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.reduce"(%33, %34) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %140 = "stablehlo.maximum"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%140) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %36 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<f32>) -> tensor<4x16xf32>
    %37 = "stablehlo.maximum"(%36, %35) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %40 = "stablehlo.subtract"(%33, %39) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %41 = "stablehlo.exponential"(%40) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %42 = "sdy.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %139 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%139) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %46 = "stablehlo.divide"(%41, %45) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %47 = "stablehlo.multiply"(%44, %44) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>, tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %48 = "sdy.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<f32>) -> tensor<4x16x1xf32>
    %50 = "stablehlo.divide"(%49, %47) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>, tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %51:2 = "chlo.top_k"(%46) <{k = 2 : i64}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>) -> (tensor<4x16x2xf32>, tensor<4x16x2xi32>)
    %52 = "stablehlo.reshape"(%51#1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x1xi32>
    %53 = "func.call"(%51#1) <{callee = @_one_hot}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x8xi32>
    %54 = "stablehlo.transpose"(%53) <{permutation = array<i64: 0, 2, 1, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi32>) -> tensor<4x2x16x8xi32>
    %55 = "stablehlo.reshape"(%54) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x2x16x8xi32>) -> tensor<4x32x8xi32>
    %56 = "func.call"(%55) <{callee = @cumsum}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    %57 = "stablehlo.subtract"(%56, %55) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>, tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    %58 = "stablehlo.multiply"(%57, %55) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>, tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    %59 = "sdy.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %60 = "stablehlo.reduce"(%58, %59) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg31: tensor<i32>, %arg32: tensor<i32>):
      %138 = "stablehlo.add"(%arg31, %arg32) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%138) : (tensor<i32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x32x8xi32>, tensor<i32>) -> tensor<4x32xi32>
    %61 = "stablehlo.reshape"(%60) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32xi32>) -> tensor<4x2x16xi32>
    %62 = "stablehlo.transpose"(%61) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x2x16xi32>) -> tensor<4x16x2xi32>
    %63 = "func.call"(%51#1) <{callee = @_one_hot_1}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x8xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8xf32>) -> tensor<4x16x2x8x1xf32>
    %65 = "func.call"(%62) <{callee = @_one_hot_1}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x8xf32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8xf32>) -> tensor<4x16x2x1x8xf32>
    %67 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8x1xf32>) -> tensor<4x16x2x8x8xf32>
    %68 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x1x8xf32>) -> tensor<4x16x2x8x8xf32>
    %69 = "stablehlo.multiply"(%67, %68) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<4x16x2x8x8xf32>) -> tensor<4x16x2x8x8xf32>
    %70 = "stablehlo.reduce"(%69, %42) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %137 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%137) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<f32>) -> tensor<4x16x8x8xf32>
    %71 = "stablehlo.broadcast_in_dim"(%51#0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2xf32>) -> tensor<4x16x2x1x1xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x1x1xf32>) -> tensor<4x16x2x8x8xf32>
    %73 = "stablehlo.multiply"(%69, %72) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<4x16x2x8x8xf32>) -> tensor<4x16x2x8x8xf32>
    %74 = "stablehlo.reduce"(%73, %42) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %136 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%136) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<f32>) -> tensor<4x16x8x8xf32>
    %75 = "stablehlo.dot_general"(%70, %32) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x8x8xf32>, tensor<4x16x8xf32>) -> tensor<4x8x8x8xf32>
    %76 = "stablehlo.transpose"(%75) <{permutation = array<i64: 1, 0, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x8x8xf32>) -> tensor<8x4x8x8xf32>
    %77 = "sdy.all_to_all"(%76) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"ep"}: 1->0]>}> : (tensor<8x4x8x8xf32>) -> tensor<8x4x8x8xf32>
    %78 = "stablehlo.dot_general"(%77, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x8xf32>, tensor<8x8x32xf32>) -> tensor<8x4x8x32xf32>
    %79:3 = "func.call"(%78) <{callee = @silu}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>) -> (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>)
    %80 = "stablehlo.dot_general"(%79#0, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x32x8xf32>) -> tensor<8x4x8x8xf32>
    %81 = "sdy.all_reduce"(%80) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, reduction_axes = #sdy<axis_ref_list{"tp"}>}> : (tensor<8x4x8x8xf32>) -> tensor<8x4x8x8xf32>
    %82 = "stablehlo.transpose"(%81) <{permutation = array<i64: 1, 0, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<8x4x8x8xf32>) -> tensor<4x8x8x8xf32>
    %83 = "sdy.all_to_all"(%82) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"ep"}: 1->0]>}> : (tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
    %84 = "stablehlo.dot_general"(%74, %83) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8x8xf32>, tensor<4x8x8x8xf32>) -> tensor<4x16x8xf32>
    %85 = "stablehlo.reshape"(%84) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x8xf32>) -> tensor<64x8xf32>
    %86 = "stablehlo.multiply"(%85, %85) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %87 = "sdy.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<f32>) -> tensor<64x8xf32>
    %89 = "stablehlo.multiply"(%88, %85) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %90 = "stablehlo.reduce"(%86, %42) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %135 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%135) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %91 = "sdy.all_reduce"(%90) <{out_sharding = #sdy.sharding<@mesh, []>, reduction_axes = #sdy<axis_ref_list{"ep"}>}> : (tensor<f32>) -> tensor<f32>
    %92 = "sdy.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.divide"(%91, %92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.divide"(%48, %92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<f32>) -> tensor<64x8xf32>
    %96 = "stablehlo.multiply"(%95, %89) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %97 = "stablehlo.reshape"(%96) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<64x8xf32>) -> tensor<4x16x8xf32>
    %98 = "stablehlo.dot_general"(%97, %74) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8x8xf32>) -> tensor<4x8x8x8xf32>
    %99 = "stablehlo.transpose"(%98) <{permutation = array<i64: 0, 2, 3, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
    %100 = "stablehlo.dot_general"(%97, %83) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x8x8x8xf32>) -> tensor<4x16x8x8xf32>
    %101 = "stablehlo.transpose"(%99) <{permutation = array<i64: 1, 0, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"ep"}, {}, {}]>]>} : (tensor<4x8x8x8xf32>) -> tensor<8x4x8x8xf32>
    %102 = "sdy.all_to_all"(%101) <{out_sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"ep"}: 1->0]>}> : (tensor<8x4x8x8xf32>) -> tensor<8x4x8x8xf32>
    %103 = "stablehlo.dot_general"(%102, %79#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {"tp"}]>]>} : (tensor<8x4x8x8xf32>, tensor<8x4x8x32xf32>) -> tensor<8x8x32xf32>
    %104 = "stablehlo.transpose"(%103) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>]>} : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %105 = "stablehlo.dot_general"(%102, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x8xf32>, tensor<8x32x8xf32>) -> tensor<8x4x8x32xf32>
    %106 = "func.call"(%79#1, %79#2, %78, %105) <{callee = @silu_2}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %107 = "stablehlo.dot_general"(%106, %77) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x8xf32>) -> tensor<8x32x8xf32>
    %108 = "stablehlo.transpose"(%107) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {"tp"}]>]>} : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %109 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x8x8xf32>) -> tensor<4x16x2x8x8xf32>
    %110 = "stablehlo.multiply"(%69, %109) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<4x16x2x8x8xf32>) -> tensor<4x16x2x8x8xf32>
    %111 = "stablehlo.reduce"(%110, %42) <{dimensions = array<i64: 3, 4>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %134 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%134) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x2x8x8xf32>, tensor<f32>) -> tensor<4x16x2xf32>
    %112 = "stablehlo.reshape"(%111) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}, {}]>]>} : (tensor<4x16x2xf32>) -> tensor<4x16x2x1x1xf32>
    %113 = "stablehlo.reduce"(%112, %42) <{dimensions = array<i64: 3, 4>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %133 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%133) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x2x1x1xf32>, tensor<f32>) -> tensor<4x16x2xf32>
    %114 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<f32>) -> tensor<4x16x8xf32>
    %115 = "stablehlo.scatter"(%114, %52, %113) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %132 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%132) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x2x1xi32>, tensor<4x16x2xf32>) -> tensor<4x16x8xf32>
    %116 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %117 = "stablehlo.multiply"(%115, %116) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %118 = "stablehlo.multiply"(%117, %41) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %119 = "stablehlo.reduce"(%118, %42) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %131 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%131) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %120 = "stablehlo.reshape"(%119) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %121 = "stablehlo.negate"(%120) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %122 = "stablehlo.divide"(%115, %45) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %123 = "stablehlo.reduce"(%121, %42) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %130 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%130) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>} : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16xf32>) -> tensor<4x16x8xf32>
    %125 = "stablehlo.add"(%122, %124) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %126 = "stablehlo.multiply"(%125, %41) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %127 = "stablehlo.dot_general"(%126, %32) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<8x8xf32>
    %128 = "sdy.all_reduce"(%127) <{out_sharding = #sdy.sharding<@mesh, [{}, {}]>, reduction_axes = #sdy<axis_ref_list{"ep"}>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %129 = "stablehlo.transpose"(%128) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%93, %104, %129, %108) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x16x2xi32>) -> tensor<4x16x2x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<4x16x2xi32>):
    %25 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x1xi32>
    %26 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<1x1x8xi32>) -> tensor<1x1x1x8xi32>
    %28 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x1xi32>) -> tensor<4x16x2x8xi32>
    %29 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<1x1x1x8xi32>) -> tensor<4x16x2x8xi32>
    %30 = "stablehlo.compare"(%28, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi32>, tensor<4x16x2x8xi32>) -> tensor<4x16x2x8xi1>
    %31 = "stablehlo.convert"(%30) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi1>) -> tensor<4x16x2x8xi32>
    "func.return"(%31) : (tensor<4x16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<4x32x8xi32>):
    %21 = "sdy.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %23 = "stablehlo.reduce_window"(%arg7, %22) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [31, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 32, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg8: tensor<i32>, %arg9: tensor<i32>):
      %24 = "stablehlo.add"(%arg8, %arg9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%24) : (tensor<i32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>, tensor<i32>) -> tensor<4x32x8xi32>
    "func.return"(%23) : (tensor<4x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<4x32x8xi32>):
    %20 = "func.call"(%arg6) <{callee = @cumsum_0}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}]>]>} : (tensor<4x32x8xi32>) -> tensor<4x32x8xi32>
    "func.return"(%20) : (tensor<4x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}], function_type = (tensor<4x16x2xi32>) -> tensor<4x16x2x8xf32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {}]>}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<4x16x2xi32>):
    %13 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2xi32>) -> tensor<4x16x2x1xi32>
    %14 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<1x1x8xi32>) -> tensor<1x1x1x8xi32>
    %16 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x1xi32>) -> tensor<4x16x2x8xi32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<1x1x1x8xi32>) -> tensor<4x16x2x8xi32>
    %18 = "stablehlo.compare"(%16, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi32>, tensor<4x16x2x8xi32>) -> tensor<4x16x2x8xi1>
    %19 = "stablehlo.convert"(%18) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>]>} : (tensor<4x16x2x8xi1>) -> tensor<4x16x2x8xf32>
    "func.return"(%19) : (tensor<4x16x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}], function_type = (tensor<8x4x8x32xf32>) -> (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>), res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<8x4x8x32xf32>):
    %4 = "stablehlo.negate"(%arg4) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %5 = "stablehlo.exponential"(%4) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %6 = "sdy.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<f32>) -> tensor<8x4x8x32xf32>
    %8 = "stablehlo.add"(%7, %5) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %9 = "stablehlo.divide"(%7, %8) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %10 = "stablehlo.subtract"(%7, %9) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %11 = "stablehlo.multiply"(%9, %10) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %12 = "stablehlo.multiply"(%arg4, %9) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    "func.return"(%12, %11, %9) : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}], function_type = (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}, {"tp"}]>}], sym_name = "silu_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x4x8x32xf32>, %arg1: tensor<8x4x8x32xf32>, %arg2: tensor<8x4x8x32xf32>, %arg3: tensor<8x4x8x32xf32>):
    %0 = "stablehlo.multiply"(%arg2, %arg3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %2 = "stablehlo.multiply"(%0, %arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    %3 = "stablehlo.add"(%1, %2) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {"tp"}]>]>} : (tensor<8x4x8x32xf32>, tensor<8x4x8x32xf32>) -> tensor<8x4x8x32xf32>
    "func.return"(%3) : (tensor<8x4x8x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

