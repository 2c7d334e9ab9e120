"builtin.module"() <{sym_name = "jit_flaxformer_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["expert"=4, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "expert", size = 4 : i64}, {name = "model", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], function_type = (tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<16x8x8xf32>) -> (tensor<f32>, tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['expert']['wi']['kernel']"}, {jax.result_info = "result[1]['expert']['wo']['kernel']"}, {jax.result_info = "result[1]['router']['router_weights']['w']['bias']"}, {jax.result_info = "result[1]['router']['router_weights']['w']['kernel']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<8x8x32xf32>, %arg7: tensor<8x32x8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8x8xf32>, %arg10: tensor<16x8x8xf32>):
    %16 = "stablehlo.reshape"(%arg10) : (tensor<16x8x8xf32>) -> tensor<8x16x8xf32>
    %17 = "sdy.sharding_constraint"(%16) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %18 = "sdy.sharding_constraint"(%17) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %19 = "sdy.sharding_constraint"(%arg9) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %20 = "stablehlo.dot_general"(%18, %19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8xf32>, tensor<8x8xf32>) -> tensor<8x16x8xf32>
    %21 = "sdy.sharding_constraint"(%arg8) <{sharding = #sdy.sharding<@mesh, [{}]>}> : (tensor<8xf32>) -> tensor<8xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<1x8xf32>) -> tensor<1x1x8xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xf32>) -> tensor<8x16x8xf32>
    %25 = "stablehlo.add"(%20, %24) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %26 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %209 = "stablehlo.maximum"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%209) : (tensor<f32>) -> ()
    }) : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %28 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %30 = "stablehlo.maximum"(%29, %27) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %33 = "stablehlo.subtract"(%25, %32) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %34 = "stablehlo.exponential"(%33) : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %208 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%208) : (tensor<f32>) -> ()
    }) : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %39 = "stablehlo.divide"(%34, %38) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %40 = "stablehlo.multiply"(%37, %37) : (tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
    %41 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x1xf32>
    %43 = "stablehlo.divide"(%42, %40) : (tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
    %44 = "sdy.sharding_constraint"(%39) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %45:2 = "chlo.top_k"(%44) <{k = 2 : i64}> : (tensor<8x16x8xf32>) -> (tensor<8x16x2xf32>, tensor<8x16x2xi32>)
    %46 = "stablehlo.transpose"(%45#1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x16x2xi32>) -> tensor<8x2x16xi32>
    %47 = "stablehlo.reshape"(%46) : (tensor<8x2x16xi32>) -> tensor<8x32xi32>
    %48 = "func.call"(%47) <{callee = @_one_hot}> : (tensor<8x32xi32>) -> tensor<8x32x8xi32>
    %49 = "func.call"(%48) <{callee = @cumsum}> : (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %50 = "stablehlo.multiply"(%49, %48) : (tensor<8x32x8xi32>, tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %51 = "stablehlo.convert"(%50) : (tensor<8x32x8xi32>) -> tensor<8x32x8xf32>
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x8xf32>
    %54 = "stablehlo.subtract"(%51, %53) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %55 = "stablehlo.reshape"(%54) : (tensor<8x32x8xf32>) -> tensor<8x2x16x8xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %57 = "stablehlo.convert"(%56) : (tensor<8x16x2x8xf32>) -> tensor<8x16x2x8xf32>
    %58 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.reduce"(%57, %58) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %207 = "stablehlo.maximum"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%207) : (tensor<f32>) -> ()
    }) : (tensor<8x16x2x8xf32>, tensor<f32>) -> tensor<8x16x8xf32>
    %60 = "func.call"(%59) <{callee = @_one_hot_1}> : (tensor<8x16x8xf32>) -> tensor<8x16x8x4xi1>
    %61 = "stablehlo.convert"(%44) : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %62 = "stablehlo.convert"(%60) : (tensor<8x16x8x4xi1>) -> tensor<8x16x8x4xf32>
    %63 = "stablehlo.dot_general"(%61, %62) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xf32>
    %64 = "stablehlo.convert"(%60) : (tensor<8x16x8x4xi1>) -> tensor<8x16x8x4xf32>
    %65 = "stablehlo.convert"(%17) : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %66 = "stablehlo.dot_general"(%64, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8x4xf32>, tensor<8x16x8xf32>) -> tensor<8x8x4x8xf32>
    %67 = "sdy.sharding_constraint"(%66) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %68 = "stablehlo.reshape"(%67) : (tensor<8x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> : (tensor<4x1x2x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %70 = "stablehlo.reshape"(%69) : (tensor<4x2x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %71 = "sdy.sharding_constraint"(%70) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %72 = "stablehlo.transpose"(%71) <{permutation = array<i64: 2, 1, 0, 3, 4>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %73 = "sdy.sharding_constraint"(%72) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<8x1x8x4x8xf32>) -> tensor<8x32x8xf32>
    %75 = "sdy.sharding_constraint"(%74) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %76 = "sdy.sharding_constraint"(%arg6) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}> : (tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
    %77 = "stablehlo.dot_general"(%75, %76) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x8xf32>, tensor<8x8x32xf32>) -> tensor<8x32x32xf32>
    %78 = "stablehlo.multiply"(%77, %77) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %79 = "stablehlo.multiply"(%78, %77) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %80 = "stablehlo.multiply"(%77, %77) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %81 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %83 = "stablehlo.multiply"(%82, %80) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %84 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %86 = "stablehlo.multiply"(%85, %79) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %87 = "stablehlo.add"(%77, %86) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %88 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %90 = "stablehlo.multiply"(%89, %87) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %91 = "stablehlo.tanh"(%90) : (tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %92 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %94 = "stablehlo.subtract"(%93, %91) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %95 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %97 = "stablehlo.add"(%96, %91) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %98 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %100 = "stablehlo.multiply"(%99, %97) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %101 = "stablehlo.multiply"(%77, %100) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %102 = "sdy.sharding_constraint"(%101) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}> : (tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %103 = "sdy.sharding_constraint"(%arg7) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %104 = "stablehlo.dot_general"(%102, %103) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x32xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %105 = "stablehlo.reshape"(%104) : (tensor<8x32x8xf32>) -> tensor<8x8x4x8xf32>
    %106 = "sdy.sharding_constraint"(%105) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %107 = "stablehlo.reshape"(%106) : (tensor<8x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %108 = "sdy.sharding_constraint"(%107) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %109 = "stablehlo.transpose"(%108) <{permutation = array<i64: 2, 1, 0, 3, 4>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %110 = "sdy.sharding_constraint"(%109) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %111 = "stablehlo.reshape"(%110) : (tensor<8x1x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %112 = "stablehlo.transpose"(%111) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> : (tensor<4x2x1x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %113 = "stablehlo.reshape"(%112) : (tensor<4x1x2x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %114 = "sdy.sharding_constraint"(%113) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %115 = "stablehlo.dot_general"(%63, %114) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8x4xf32>, tensor<8x8x4x8xf32>) -> tensor<8x16x8xf32>
    %116 = "stablehlo.reshape"(%115) : (tensor<8x16x8xf32>) -> tensor<16x8x8xf32>
    %117 = "sdy.sharding_constraint"(%116) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %118 = "stablehlo.multiply"(%117, %117) : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %119 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x8xf32>
    %121 = "stablehlo.multiply"(%120, %117) : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.reduce"(%118, %122) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %206 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%206) : (tensor<f32>) -> ()
    }) : (tensor<16x8x8xf32>, tensor<f32>) -> tensor<f32>
    %124 = "stablehlo.constant"() <{value = dense<1.024000e+03> : tensor<f32>}> : () -> tensor<f32>
    %125 = "stablehlo.divide"(%123, %124) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %126 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.constant"() <{value = dense<1.024000e+03> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.divide"(%126, %127) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x8xf32>
    %130 = "stablehlo.multiply"(%129, %121) : (tensor<16x8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %131 = "sdy.sharding_constraint"(%130) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    %132 = "stablehlo.reshape"(%131) : (tensor<16x8x8xf32>) -> tensor<8x16x8xf32>
    %133 = "stablehlo.dot_general"(%132, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8xf32>, tensor<8x16x8x4xf32>) -> tensor<8x8x8x4xf32>
    %134 = "stablehlo.transpose"(%133) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<8x8x8x4xf32>) -> tensor<8x8x4x8xf32>
    %135 = "stablehlo.dot_general"(%132, %114) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8xf32>, tensor<8x8x4x8xf32>) -> tensor<8x16x8x4xf32>
    %136 = "sdy.sharding_constraint"(%134) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %137 = "stablehlo.reshape"(%136) : (tensor<8x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %138 = "stablehlo.transpose"(%137) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> : (tensor<4x1x2x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %139 = "stablehlo.reshape"(%138) : (tensor<4x2x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %140 = "sdy.sharding_constraint"(%139) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %141 = "stablehlo.transpose"(%140) <{permutation = array<i64: 2, 1, 0, 3, 4>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %142 = "sdy.sharding_constraint"(%141) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %143 = "stablehlo.reshape"(%142) : (tensor<8x1x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %144 = "sdy.sharding_constraint"(%143) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %145 = "stablehlo.reshape"(%144) : (tensor<8x8x4x8xf32>) -> tensor<8x32x8xf32>
    %146 = "stablehlo.dot_general"(%145, %102) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x8xf32>, tensor<8x32x32xf32>) -> tensor<8x8x32xf32>
    %147 = "stablehlo.transpose"(%146) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %148 = "stablehlo.dot_general"(%145, %103) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x32xf32>
    %149 = "sdy.sharding_constraint"(%147) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %150 = "sdy.sharding_constraint"(%148) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}> : (tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %151 = "stablehlo.multiply"(%77, %150) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %152 = "stablehlo.multiply"(%150, %100) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %153 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %154 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %155 = "stablehlo.multiply"(%154, %151) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %156 = "stablehlo.multiply"(%155, %94) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %157 = "stablehlo.multiply"(%156, %91) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %158 = "stablehlo.add"(%156, %157) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %159 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %160 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %161 = "stablehlo.multiply"(%160, %158) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %162 = "stablehlo.add"(%152, %161) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %163 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %165 = "stablehlo.multiply"(%164, %161) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %166 = "stablehlo.multiply"(%165, %83) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %167 = "stablehlo.add"(%162, %166) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %168 = "stablehlo.dot_general"(%167, %75) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x32xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %169 = "stablehlo.transpose"(%168) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %170 = "sdy.sharding_constraint"(%169) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}> : (tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
    %171 = "stablehlo.convert"(%135) : (tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xf32>
    %172 = "stablehlo.convert"(%60) : (tensor<8x16x8x4xi1>) -> tensor<8x16x8x4xf32>
    %173 = "stablehlo.dot_general"(%171, %172) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8x4xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8xf32>
    %174 = "sdy.sharding_constraint"(%173) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %175 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %176 = "stablehlo.multiply"(%174, %175) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %177 = "stablehlo.multiply"(%176, %34) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %178 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %179 = "stablehlo.reduce"(%177, %178) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %205 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%205) : (tensor<f32>) -> ()
    }) : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %180 = "stablehlo.reshape"(%179) : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %181 = "stablehlo.negate"(%180) : (tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
    %182 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %183 = "stablehlo.divide"(%174, %182) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %184 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %185 = "stablehlo.reduce"(%181, %184) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %204 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%204) : (tensor<f32>) -> ()
    }) : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %186 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x16xf32>) -> tensor<8x16x8xf32>
    %187 = "stablehlo.add"(%183, %186) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %188 = "stablehlo.multiply"(%187, %34) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %189 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %190 = "stablehlo.reduce"(%188, %189) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %203 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%203) : (tensor<f32>) -> ()
    }) : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8xf32>
    %191 = "stablehlo.reshape"(%190) : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %192 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %193 = "stablehlo.reduce"(%191, %192) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %202 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%202) : (tensor<f32>) -> ()
    }) : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %195 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %196 = "stablehlo.reduce"(%194, %195) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %201 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%201) : (tensor<f32>) -> ()
    }) : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %197 = "sdy.sharding_constraint"(%196) <{sharding = #sdy.sharding<@mesh, [{}]>}> : (tensor<8xf32>) -> tensor<8xf32>
    %198 = "stablehlo.dot_general"(%188, %18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x8xf32>
    %199 = "stablehlo.transpose"(%198) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %200 = "sdy.sharding_constraint"(%199) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%125, %170, %149, %197, %200) : (tensor<f32>, tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x32xi32>) -> tensor<8x32x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<8x32xi32>):
    %10 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x32xi32>) -> tensor<8x32x1xi32>
    %11 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %12 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x32x1xi32>) -> tensor<8x32x8xi32>
    %13 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<8x32x8xi32>
    %14 = "stablehlo.compare"(%12, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<8x32x8xi32>, tensor<8x32x8xi32>) -> tensor<8x32x8xi1>
    %15 = "stablehlo.convert"(%14) : (tensor<8x32x8xi1>) -> tensor<8x32x8xi32>
    "func.return"(%15) : (tensor<8x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<8x32x8xi32>):
    %9 = "func.call"(%arg4) <{callee = @cumsum_0}> : (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    "func.return"(%9) : (tensor<8x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<8x32x8xi32>):
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.reduce_window"(%arg1, %6) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [31, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 32, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %8 = "stablehlo.add"(%arg2, %arg3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%8) : (tensor<i32>) -> ()
    }) : (tensor<8x32x8xi32>, tensor<i32>) -> tensor<8x32x8xi32>
    "func.return"(%7) : (tensor<8x32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x16x8xf32>) -> tensor<8x16x8x4xi1>, res_attrs = [{}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x16x8xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x16x8xf32>) -> tensor<8x16x8x1xf32>
    %1 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x4xf32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x16x8x1xf32>) -> tensor<8x16x8x4xf32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x4xf32>) -> tensor<8x16x8x4xf32>
    %4 = "stablehlo.compare"(%2, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<8x16x8x4xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xi1>
    "func.return"(%4) : (tensor<8x16x8x4xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

