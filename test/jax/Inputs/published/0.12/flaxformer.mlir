"builtin.module"() <{sym_name = "jit_flaxformer"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["expert"=4, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "expert", size = 4 : i64}, {name = "model", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}], function_type = (tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<16x8x8xf32>) -> tensor<16x8x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
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
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %109 = "stablehlo.maximum"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%109) : (tensor<f32>) -> ()
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
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %108 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%108) : (tensor<f32>) -> ()
    }) : (tensor<8x16x8xf32>, tensor<f32>) -> tensor<8x16xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x16x1xf32>) -> tensor<8x16x8xf32>
    %39 = "stablehlo.divide"(%34, %38) : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %40 = "sdy.sharding_constraint"(%39) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %41:2 = "chlo.top_k"(%40) <{is_stable = true, k = 2 : i64}> : (tensor<8x16x8xf32>) -> (tensor<8x16x2xf32>, tensor<8x16x2xi32>)
    %42 = "stablehlo.transpose"(%41#1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x16x2xi32>) -> tensor<8x2x16xi32>
    %43 = "stablehlo.reshape"(%42) : (tensor<8x2x16xi32>) -> tensor<8x32xi32>
    %44 = "func.call"(%43) <{callee = @_one_hot}> : (tensor<8x32xi32>) -> tensor<8x32x8xi32>
    %45 = "func.call"(%44) <{callee = @cumsum}> : (tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %46 = "stablehlo.multiply"(%45, %44) : (tensor<8x32x8xi32>, tensor<8x32x8xi32>) -> tensor<8x32x8xi32>
    %47 = "stablehlo.convert"(%46) : (tensor<8x32x8xi32>) -> tensor<8x32x8xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x8xf32>
    %50 = "stablehlo.subtract"(%47, %49) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %51 = "stablehlo.reshape"(%50) : (tensor<8x32x8xf32>) -> tensor<8x2x16x8xf32>
    %52 = "stablehlo.transpose"(%51) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %53 = "stablehlo.convert"(%52) : (tensor<8x16x2x8xf32>) -> tensor<8x16x2x8xf32>
    %54 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.reduce"(%53, %54) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %107 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%107) : (tensor<f32>) -> ()
    }) : (tensor<8x16x2x8xf32>, tensor<f32>) -> tensor<8x16x8xf32>
    %56 = "func.call"(%55) <{callee = @_one_hot_1}> : (tensor<8x16x8xf32>) -> tensor<8x16x8x4xi1>
    %57 = "stablehlo.convert"(%40) : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %58 = "stablehlo.convert"(%56) : (tensor<8x16x8x4xi1>) -> tensor<8x16x8x4xf32>
    %59 = "stablehlo.dot_general"(%57, %58) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8xf32>, tensor<8x16x8x4xf32>) -> tensor<8x16x8x4xf32>
    %60 = "stablehlo.convert"(%56) : (tensor<8x16x8x4xi1>) -> tensor<8x16x8x4xf32>
    %61 = "stablehlo.convert"(%17) : (tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
    %62 = "stablehlo.dot_general"(%60, %61) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8x4xf32>, tensor<8x16x8xf32>) -> tensor<8x8x4x8xf32>
    %63 = "sdy.sharding_constraint"(%62) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %64 = "stablehlo.reshape"(%63) : (tensor<8x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> : (tensor<4x1x2x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %66 = "stablehlo.reshape"(%65) : (tensor<4x2x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %67 = "sdy.sharding_constraint"(%66) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %68 = "stablehlo.transpose"(%67) <{permutation = array<i64: 2, 1, 0, 3, 4>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %69 = "sdy.sharding_constraint"(%68) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %70 = "stablehlo.reshape"(%69) : (tensor<8x1x8x4x8xf32>) -> tensor<8x32x8xf32>
    %71 = "sdy.sharding_constraint"(%70) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %72 = "sdy.sharding_constraint"(%arg6) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}> : (tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
    %73 = "stablehlo.dot_general"(%71, %72) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x8xf32>, tensor<8x8x32xf32>) -> tensor<8x32x32xf32>
    %74 = "stablehlo.multiply"(%73, %73) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %75 = "stablehlo.multiply"(%74, %73) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %76 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %78 = "stablehlo.multiply"(%77, %75) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %79 = "stablehlo.add"(%73, %78) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %80 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %82 = "stablehlo.multiply"(%81, %79) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %83 = "stablehlo.tanh"(%82) : (tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %84 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %86 = "stablehlo.add"(%85, %83) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %87 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x32xf32>
    %89 = "stablehlo.multiply"(%88, %86) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %90 = "stablehlo.multiply"(%73, %89) : (tensor<8x32x32xf32>, tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %91 = "sdy.sharding_constraint"(%90) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}> : (tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
    %92 = "sdy.sharding_constraint"(%arg7) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}> : (tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %93 = "stablehlo.dot_general"(%91, %92) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x32x32xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %94 = "stablehlo.reshape"(%93) : (tensor<8x32x8xf32>) -> tensor<8x8x4x8xf32>
    %95 = "sdy.sharding_constraint"(%94) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %96 = "stablehlo.reshape"(%95) : (tensor<8x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %97 = "sdy.sharding_constraint"(%96) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %98 = "stablehlo.transpose"(%97) <{permutation = array<i64: 2, 1, 0, 3, 4>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %99 = "sdy.sharding_constraint"(%98) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}, {}]>}> : (tensor<8x1x8x4x8xf32>) -> tensor<8x1x8x4x8xf32>
    %100 = "stablehlo.reshape"(%99) : (tensor<8x1x8x4x8xf32>) -> tensor<4x2x1x8x4x8xf32>
    %101 = "stablehlo.transpose"(%100) <{permutation = array<i64: 0, 2, 1, 3, 4, 5>}> : (tensor<4x2x1x8x4x8xf32>) -> tensor<4x1x2x8x4x8xf32>
    %102 = "stablehlo.reshape"(%101) : (tensor<4x1x2x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %103 = "sdy.sharding_constraint"(%102) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}, {}]>}> : (tensor<8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    %104 = "stablehlo.dot_general"(%59, %103) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x8x4xf32>, tensor<8x8x4x8xf32>) -> tensor<8x16x8xf32>
    %105 = "stablehlo.reshape"(%104) : (tensor<8x16x8xf32>) -> tensor<16x8x8xf32>
    %106 = "sdy.sharding_constraint"(%105) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}> : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    "func.return"(%106) : (tensor<16x8x8xf32>) -> ()
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

