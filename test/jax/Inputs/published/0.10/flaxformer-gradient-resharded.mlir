"builtin.module"() <{sym_name = "jit_flaxformer_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["expert"=4, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "expert", size = 4 : i64}, {name = "model", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], function_type = (tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<16x8x8xf32>) -> (tensor<f32>, tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['expert']['wi']['kernel']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}, {jax.result_info = "result[1]['expert']['wo']['kernel']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}, {jax.result_info = "result[1]['router']['router_weights']['w']['bias']"}, {jax.result_info = "result[1]['router']['router_weights']['w']['kernel']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<8x8x32xf32>, %arg7: tensor<8x32x8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8x8xf32>, %arg10: tensor<16x8x8xf32>):
    %16 = "stablehlo.reshape"(%arg10) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<16x8x8xf32>) -> tensor<8x16x8xf32>
    %17 = "stablehlo.dot_general"(%16, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x8xf32>) -> tensor<8x16x8xf32>
    %18 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<1x1x8xf32>) -> tensor<8x16x8xf32>
    %21 = "stablehlo.add"(%17, %20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %22 = "sdy.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %164 = "stablehlo.maximum"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%164) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<f32>) -> tensor<8x16xf32>
    %25 = "stablehlo.maximum"(%24, %23) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %28 = "stablehlo.subtract"(%21, %27) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %29 = "stablehlo.exponential"(%28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %30 = "sdy.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %163 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%163) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %34 = "stablehlo.divide"(%29, %33) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %35 = "stablehlo.multiply"(%32, %32) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
    %36 = "sdy.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x16x1xf32>
    %38 = "stablehlo.divide"(%37, %35) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
    %39:2 = "chlo.top_k"(%34) <{k = 2 : i64}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> (tensor<8x16x2xf32>, tensor<8x16x2xi32>)
    %40 = "stablehlo.transpose"(%39#1) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x2xi32>) -> tensor<8x2x16xi32>
    %41 = "stablehlo.reshape"(%40) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x2x16xi32>) -> tensor<8x32xi32>
    %42 = "func.call"(%41) <{callee = @_one_hot}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32xi32>) -> tensor<8x32x8xi32>
    %43 = "func.call"(%42) <{callee = @cumsum}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %44 = "stablehlo.multiply"(%43, %42) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>, tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %45 = "stablehlo.convert"(%44) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>) -> tensor<8x32x8xf32>
    %46 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x32x8xf32>
    %47 = "stablehlo.subtract"(%45, %46) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %48 = "stablehlo.reshape"(%47) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x32x8xf32>) -> tensor<8x2x16x8xf32>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 0, 2, 1, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %50 = "stablehlo.convert"(%49) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x2x8xf32>) -> tensor<8x16x2x8xf32>
    %51 = "stablehlo.reduce"(%50, %22) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %162 = "stablehlo.maximum"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%162) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x2x8xf32>, tensor<f32>) -> tensor<8x16x8xf32>
    %52 = "func.call"(%51) <{callee = @_one_hot_1}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8x4xi1>
    %53 = "stablehlo.convert"(%34) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %54 = "stablehlo.convert"(%52) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8x4xi1>) -> tensor<8x16x8x4xf32>
    %55 = "stablehlo.dot_general"(%53, %54) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xf32>
    %56 = "stablehlo.convert"(%16) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %57 = "stablehlo.dot_general"(%54, %56) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8x4xf32>, tensor<8x16x8xf32>) -> tensor<8x8x4x8xf32>
    %58 = "stablehlo.reshape"(%57) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<8x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %59 = "stablehlo.transpose"(%58) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<4x1x2x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %60 = "stablehlo.reshape"(%59) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}]>]>} : (tensor<4x2x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %61 = "stablehlo.transpose"(%60) <{permutation = array<i64: 2, 1, 0, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"expert"}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %62 = "sdy.all_to_all"(%61) <{out_sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"expert"}: 2->0]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %63 = "stablehlo.reshape"(%62) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x32x8xf32>
    %64 = "stablehlo.dot_general"(%63, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x8xf32>, tensor<8x8x32xf32>) -> tensor<8x32x32xf32>
    %65 = "stablehlo.multiply"(%64, %64) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %66 = "stablehlo.multiply"(%65, %64) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %67 = "sdy.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %69 = "stablehlo.multiply"(%68, %65) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %70 = "sdy.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %72 = "stablehlo.multiply"(%71, %66) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %73 = "stablehlo.add"(%64, %72) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %74 = "sdy.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %76 = "stablehlo.multiply"(%75, %73) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %77 = "stablehlo.tanh"(%76) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %78 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %79 = "stablehlo.subtract"(%78, %77) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %80 = "stablehlo.add"(%78, %77) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %81 = "sdy.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %83 = "stablehlo.multiply"(%82, %80) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %84 = "stablehlo.multiply"(%64, %83) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %85 = "stablehlo.dot_general"(%84, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %86 = "sdy.all_reduce"(%85) <{out_sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>, reduction_axes = #sdy<axis_ref_list{"model"}>}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %87 = "stablehlo.reshape"(%86) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x32x8xf32>) -> tensor<8x8x4x8xf32>
    %88 = "stablehlo.reshape"(%87) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}]>]>} : (tensor<8x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %89 = "stablehlo.transpose"(%88) <{permutation = array<i64: 2, 1, 0, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"expert"}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %90 = "sdy.all_to_all"(%89) <{out_sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"expert"}: 2->0]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %91 = "stablehlo.reshape"(%90) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %92 = "stablehlo.transpose"(%91) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<4x2x1x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %93 = "stablehlo.reshape"(%92) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<4x1x2x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %94 = "stablehlo.dot_general"(%55, %93) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8x4xf32>, tensor<8x8x4x8xf32>) -> tensor<8x16x8xf32>
    %95 = "stablehlo.reshape"(%94) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<16x8x8xf32>
    %96 = "stablehlo.multiply"(%95, %95) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %97 = "sdy.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<f32>) -> tensor<16x8x8xf32>
    %99 = "stablehlo.multiply"(%98, %95) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %100 = "stablehlo.reduce"(%96, %30) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %161 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%161) : (tensor<f32>) -> ()
    }) : (tensor<16x8x8xf32>, tensor<f32>) -> tensor<f32>
    %101 = "sdy.all_reduce"(%100) <{out_sharding = #sdy.sharding<@mesh, []>, reduction_axes = #sdy<axis_ref_list{"expert"}>}> : (tensor<f32>) -> tensor<f32>
    %102 = "sdy.constant"() <{value = dense<1.024000e+03> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.divide"(%101, %102) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %104 = "stablehlo.divide"(%36, %102) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<f32>) -> tensor<16x8x8xf32>
    %106 = "stablehlo.multiply"(%105, %99) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %107 = "stablehlo.reshape"(%106) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<16x8x8xf32>) -> tensor<8x16x8xf32>
    %108 = "stablehlo.dot_general"(%107, %55) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8x4xf32>) -> tensor<8x8x8x4xf32>
    %109 = "stablehlo.transpose"(%108) <{permutation = array<i64: 0, 2, 3, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x8x8x4xf32>) -> tensor<8x8x4x8xf32>
    %110 = "stablehlo.dot_general"(%107, %93) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x8x4x8xf32>) -> tensor<8x16x8x4xf32>
    %111 = "stablehlo.reshape"(%109) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<8x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %112 = "stablehlo.transpose"(%111) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<4x1x2x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %113 = "stablehlo.reshape"(%112) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}]>]>} : (tensor<4x2x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %114 = "stablehlo.transpose"(%113) <{permutation = array<i64: 2, 1, 0, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"expert"}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %115 = "sdy.all_to_all"(%114) <{out_sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"expert"}: 2->0]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %116 = "stablehlo.reshape"(%115) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %117 = "stablehlo.reshape"(%116) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x8x4x8xf32>) -> tensor<8x32x8xf32>
    %118 = "stablehlo.dot_general"(%117, %84) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x8xf32>, tensor<8x32x32xf32>) -> tensor<8x8x32xf32>
    %119 = "stablehlo.transpose"(%118) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {"model"}, {}]>]>} : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %120 = "stablehlo.dot_general"(%117, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x32xf32>
    %121 = "stablehlo.multiply"(%64, %120) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %122 = "stablehlo.multiply"(%120, %83) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %123 = "stablehlo.multiply"(%82, %121) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %124 = "stablehlo.multiply"(%123, %79) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %125 = "stablehlo.multiply"(%124, %77) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %126 = "stablehlo.add"(%124, %125) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %127 = "stablehlo.multiply"(%75, %126) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %128 = "stablehlo.add"(%122, %127) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %129 = "stablehlo.multiply"(%71, %127) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %130 = "stablehlo.multiply"(%129, %69) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %131 = "stablehlo.add"(%128, %130) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %132 = "stablehlo.dot_general"(%131, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {"model"}, {}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %133 = "stablehlo.transpose"(%132) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %134 = "stablehlo.convert"(%110) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xf32>
    %135 = "stablehlo.dot_general"(%134, %54) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8x4xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8xf32>
    %136 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %137 = "stablehlo.multiply"(%135, %136) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %138 = "stablehlo.multiply"(%137, %29) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %139 = "stablehlo.reduce"(%138, %30) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %160 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%160) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %140 = "stablehlo.reshape"(%139) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %141 = "stablehlo.negate"(%140) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
    %142 = "stablehlo.divide"(%135, %33) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %143 = "stablehlo.reduce"(%141, %30) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %159 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%159) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x16x8xf32>
    %145 = "stablehlo.add"(%142, %144) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %146 = "stablehlo.multiply"(%145, %29) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %147 = "stablehlo.reduce"(%146, %30) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %158 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%158) : (tensor<f32>) -> ()
    }) : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8xf32>
    %148 = "sdy.all_reduce"(%147) <{out_sharding = #sdy.sharding<@mesh, [{}]>, reduction_axes = #sdy<axis_ref_list{"expert"}>}> : (tensor<8xf32>) -> tensor<8xf32>
    %149 = "stablehlo.reshape"(%148) : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %150 = "stablehlo.reduce"(%149, %30) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %157 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%157) : (tensor<f32>) -> ()
    }) : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %151 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %152 = "stablehlo.reduce"(%151, %30) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %156 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%156) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %153 = "stablehlo.dot_general"(%146, %16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x8xf32>
    %154 = "sdy.all_reduce"(%153) <{out_sharding = #sdy.sharding<@mesh, [{}, {}]>, reduction_axes = #sdy<axis_ref_list{"expert"}>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %155 = "stablehlo.transpose"(%154) <{permutation = array<i64: 1, 0>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%103, %133, %119, %152, %155) : (tensor<f32>, tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}], function_type = (tensor<8x32xi32>) -> tensor<8x32x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<8x32xi32>):
    %10 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32xi32>) -> tensor<8x32x1xi32>
    %11 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %12 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x1xi32>) -> tensor<8x32x8xi32>
    %13 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<1x1x8xi32>) -> tensor<8x32x8xi32>
    %14 = "stablehlo.compare"(%12, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>, tensor<8x32x8xi32>) -> tensor<8x32x8xi1>
    %15 = "stablehlo.convert"(%14) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi1>) -> tensor<8x32x8xi32>
    "func.return"(%15) : (tensor<8x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], function_type = (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<8x32x8xi32>):
    %6 = "sdy.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.reduce_window"(%arg2, %7) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [31, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 32, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %9 = "stablehlo.add"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%9) : (tensor<i32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>, tensor<i32>) -> tensor<8x32x8xi32>
    "func.return"(%8) : (tensor<8x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], function_type = (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<8x32x8xi32>):
    %5 = "func.call"(%arg1) <{callee = @cumsum_0}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    "func.return"(%5) : (tensor<8x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], function_type = (tensor<8x16x8xf32>) -> tensor<8x16x8x4xi1>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x16x8xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8x1xf32>
    %1 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x4xf32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8x1xf32>) -> tensor<8x16x8x4xf32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<1x1x1x4xf32>) -> tensor<8x16x8x4xf32>
    %4 = "stablehlo.compare"(%2, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8x4xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xi1>
    "func.return"(%4) : (tensor<8x16x8x4xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

