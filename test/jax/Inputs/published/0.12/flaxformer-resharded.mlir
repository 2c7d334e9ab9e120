"builtin.module"() <{sym_name = "jit_flaxformer"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["expert"=4, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "expert", size = 4 : i64}, {name = "model", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], function_type = (tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<8x8x32xf32>, %arg7: tensor<8x32x8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8x8xf32>, %arg10: tensor<16x8x8xf32>):
    %16 = "stablehlo.reshape"(%arg10) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<16x8x8xf32>) -> tensor<8x16x8xf32>
    %17 = "stablehlo.dot_general"(%16, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x8xf32>) -> tensor<8x16x8xf32>
    %18 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<1x1x8xf32>) -> tensor<8x16x8xf32>
    %21 = "stablehlo.add"(%17, %20) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %22 = "sdy.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %91 = "stablehlo.maximum"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%91) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<f32>) -> tensor<8x16xf32>
    %25 = "stablehlo.maximum"(%24, %23) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %28 = "stablehlo.subtract"(%21, %27) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %29 = "stablehlo.exponential"(%28) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %30 = "sdy.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %90 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%90) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %34 = "stablehlo.divide"(%29, %33) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %35:2 = "chlo.top_k"(%34) <{is_stable = true, k = 2 : i64}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> (tensor<8x16x2xf32>, tensor<8x16x2xi32>)
    %36 = "stablehlo.transpose"(%35#1) <{permutation = array<i64: 0, 2, 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x2xi32>) -> tensor<8x2x16xi32>
    %37 = "stablehlo.reshape"(%36) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>} : (tensor<8x2x16xi32>) -> tensor<8x32xi32>
    %38 = "func.call"(%37) <{callee = @_one_hot}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32xi32>) -> tensor<8x32x8xi32>
    %39 = "func.call"(%38) <{callee = @cumsum}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %40 = "stablehlo.multiply"(%39, %38) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>, tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %41 = "stablehlo.convert"(%40) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xi32>) -> tensor<8x32x8xf32>
    %42 = "sdy.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<f32>) -> tensor<8x32x8xf32>
    %44 = "stablehlo.subtract"(%41, %43) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %45 = "stablehlo.reshape"(%44) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x32x8xf32>) -> tensor<8x2x16x8xf32>
    %46 = "stablehlo.transpose"(%45) <{permutation = array<i64: 0, 2, 1, 3>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %47 = "stablehlo.convert"(%46) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x2x8xf32>) -> tensor<8x16x2x8xf32>
    %48 = "stablehlo.reduce"(%47, %22) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %89 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%89) : (tensor<f32>) -> ()
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x2x8xf32>, tensor<f32>) -> tensor<8x16x8xf32>
    %49 = "func.call"(%48) <{callee = @_one_hot_1}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8x4xi1>
    %50 = "stablehlo.convert"(%34) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %51 = "stablehlo.convert"(%49) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8x4xi1>) -> tensor<8x16x8x4xf32>
    %52 = "stablehlo.dot_general"(%50, %51) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xf32>
    %53 = "stablehlo.convert"(%16) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %54 = "stablehlo.dot_general"(%51, %53) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x16x8x4xf32>, tensor<8x16x8xf32>) -> tensor<8x8x4x8xf32>
    %55 = "stablehlo.reshape"(%54) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<8x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<4x1x2x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %57 = "stablehlo.reshape"(%56) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}]>]>} : (tensor<4x2x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 2, 1, 0, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"expert"}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %59 = "sdy.all_to_all"(%58) <{out_sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"expert"}: 2->0]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %60 = "stablehlo.reshape"(%59) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x32x8xf32>
    %61 = "stablehlo.dot_general"(%60, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x8xf32>, tensor<8x8x32xf32>) -> tensor<8x32x32xf32>
    %62 = "stablehlo.multiply"(%61, %61) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %63 = "stablehlo.multiply"(%62, %61) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %64 = "sdy.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %66 = "stablehlo.multiply"(%65, %63) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %67 = "stablehlo.add"(%61, %66) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %68 = "sdy.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %70 = "stablehlo.multiply"(%69, %67) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %71 = "stablehlo.tanh"(%70) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %72 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %73 = "stablehlo.add"(%72, %71) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %74 = "sdy.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<f32>) -> tensor<8x32x32xf32>
    %76 = "stablehlo.multiply"(%75, %73) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %77 = "stablehlo.multiply"(%61, %76) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {"model"}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %78 = "stablehlo.dot_general"(%77, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x32x32xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %79 = "sdy.all_reduce"(%78) <{out_sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>, reduction_axes = #sdy<axis_ref_list{"model"}>, reduction_op = 0 : i32}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %80 = "stablehlo.reshape"(%79) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<8x32x8xf32>) -> tensor<8x8x4x8xf32>
    %81 = "stablehlo.reshape"(%80) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}]>]>} : (tensor<8x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %82 = "stablehlo.transpose"(%81) <{permutation = array<i64: 2, 1, 0, 3, 4>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"expert"}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %83 = "sdy.all_to_all"(%82) <{out_sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>, params = #sdy<all_to_all_param_list[{"expert"}: 2->0]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %84 = "stablehlo.reshape"(%83) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<8x1x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %85 = "stablehlo.transpose"(%84) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}, {}, {}]>]>} : (tensor<4x2x1x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %86 = "stablehlo.reshape"(%85) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}, {}]>]>} : (tensor<4x1x2x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %87 = "stablehlo.dot_general"(%52, %86) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8x4xf32>, tensor<8x8x4x8xf32>) -> tensor<8x16x8xf32>
    %88 = "stablehlo.reshape"(%87) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}, {}]>]>} : (tensor<8x16x8xf32>) -> tensor<16x8x8xf32>
    "func.return"(%88) : (tensor<16x8x8xf32>) -> ()
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

