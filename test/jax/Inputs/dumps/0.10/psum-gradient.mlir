"builtin.module"() <{sym_name = "jit_psum_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %34:16 = "sdy.manual_computation"(%arg11, %arg12, %arg13, %arg14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg47: tensor<2x16x8xf32>, %arg48: tensor<8x8xf32>, %arg49: tensor<2x8x16xf32>, %arg50: tensor<16x8xf32>):
      %103 = "stablehlo.dot_general"(%arg50, %arg48) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %104 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %105 = "stablehlo.reduce"(%103, %104) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
        %171 = "stablehlo.maximum"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%171) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %106 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %108 = "stablehlo.maximum"(%107, %105) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %111 = "stablehlo.subtract"(%103, %110) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %112 = "stablehlo.exponential"(%111) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %113 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %114 = "stablehlo.reduce"(%112, %113) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
        %170 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%170) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %117 = "stablehlo.divide"(%112, %116) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %118 = "stablehlo.multiply"(%115, %115) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %119 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %121 = "stablehlo.divide"(%120, %118) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %122:2 = "chlo.top_k"(%117) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %123 = "stablehlo.reshape"(%122#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %124 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %125 = "stablehlo.reduce"(%122#0, %124) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg57: tensor<f32>, %arg58: tensor<f32>):
        %169 = "stablehlo.add"(%arg57, %arg58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%169) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %128 = "stablehlo.divide"(%122#0, %127) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %129 = "stablehlo.multiply"(%126, %126) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %130 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %132 = "stablehlo.divide"(%131, %129) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %133 = "func.call"(%122#1) <{callee = @_one_hot}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %134 = "stablehlo.reshape"(%133) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %135 = "func.call"(%134) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %136 = "stablehlo.subtract"(%135, %134) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %137 = "stablehlo.multiply"(%136, %134) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %138 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %139 = "stablehlo.reduce"(%137, %138) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg55: tensor<i32>, %arg56: tensor<i32>):
        %168 = "stablehlo.add"(%arg55, %arg56) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%168) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %140 = "stablehlo.reshape"(%122#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %141 = "func.call"(%140) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %143 = "func.call"(%139) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %145 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %146 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %147 = "stablehlo.multiply"(%145, %146) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %148 = "stablehlo.reshape"(%147) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %149 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %150 = "stablehlo.reduce"(%148, %149) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
        %167 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%167) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %151 = "stablehlo.dot_general"(%150, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %152 = "stablehlo.reshape"(%151) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %153 = "stablehlo.all_to_all"(%152) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %154 = "stablehlo.transpose"(%153) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %155 = "stablehlo.reshape"(%154) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %156 = "stablehlo.dot_general"(%155, %arg49) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
      %157:3 = "func.call"(%156) <{callee = @silu}> : (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
      %158 = "stablehlo.dot_general"(%157#0, %arg47) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
      %159 = "stablehlo.reshape"(%158) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
      %160 = "stablehlo.transpose"(%159) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %161 = "stablehlo.all_reduce"(%160) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
        %166 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%166) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %162 = "stablehlo.all_to_all"(%161) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %163 = "stablehlo.reshape"(%162) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %164 = "stablehlo.dot_general"(%148, %128) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      %165 = "stablehlo.dot_general"(%164, %163) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%112, %115, %121, %123, %126, %122#0, %132, %155, %157#1, %157#2, %156, %157#0, %148, %163, %164, %165) : (tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>, tensor<64x8xf32>)
    %35 = "stablehlo.multiply"(%34#15, %34#15) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %38 = "stablehlo.multiply"(%37, %34#15) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %102 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%102) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.divide"(%40, %41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.divide"(%43, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %47 = "stablehlo.multiply"(%46, %38) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %48:3 = "sdy.manual_computation"(%47, %arg14, %34#0, %34#1, %34#2, %34#3, %34#4, %34#5, %34#6, %34#7, %34#8, %34#9, %34#10, %arg11, %34#11, %34#12, %34#13, %34#14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg15: tensor<16x8xf32>, %arg16: tensor<16x8xf32>, %arg17: tensor<16x8xf32>, %arg18: tensor<16x1xf32>, %arg19: tensor<16x1xf32>, %arg20: tensor<16x2x1xi32>, %arg21: tensor<16x1xf32>, %arg22: tensor<16x2xf32>, %arg23: tensor<16x1xf32>, %arg24: tensor<2x32x8xf32>, %arg25: tensor<2x32x16xf32>, %arg26: tensor<2x32x16xf32>, %arg27: tensor<2x32x16xf32>, %arg28: tensor<2x16x8xf32>, %arg29: tensor<2x32x16xf32>, %arg30: tensor<16x2x8x8xf32>, %arg31: tensor<8x8x8xf32>, %arg32: tensor<16x8x8xf32>):
      %49 = "stablehlo.dot_general"(%arg15, %arg32) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
      %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
      %51 = "stablehlo.dot_general"(%arg15, %arg31) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
      %52 = "stablehlo.dot_general"(%51, %arg30) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
      %53 = "stablehlo.reshape"(%50) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %54 = "stablehlo.all_to_all"(%53) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %56 = "stablehlo.reshape"(%55) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %57 = "stablehlo.dot_general"(%56, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
      %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
      %59 = "stablehlo.dot_general"(%56, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
      %60 = "func.call"(%arg25, %arg26, %arg27, %59) <{callee = @silu_2}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
      %61 = "stablehlo.dot_general"(%60, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
      %62 = "stablehlo.transpose"(%61) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
      %63 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %64 = "stablehlo.multiply"(%52, %63) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %65 = "stablehlo.multiply"(%64, %arg22) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %66 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %67 = "stablehlo.reduce"(%65, %66) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
        %101 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%101) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %68 = "stablehlo.reshape"(%67) : (tensor<16xf32>) -> tensor<16x1xf32>
      %69 = "stablehlo.negate"(%68) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %70 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %71 = "stablehlo.divide"(%52, %70) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %73 = "stablehlo.reduce"(%69, %72) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
        %100 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%100) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %75 = "stablehlo.add"(%71, %74) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %76 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %78 = "stablehlo.scatter"(%77, %arg20, %75) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
        %99 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%99) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %79 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %80 = "stablehlo.multiply"(%78, %79) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %81 = "stablehlo.multiply"(%80, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %82 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %83 = "stablehlo.reduce"(%81, %82) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
        %98 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%98) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %84 = "stablehlo.reshape"(%83) : (tensor<16xf32>) -> tensor<16x1xf32>
      %85 = "stablehlo.negate"(%84) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %86 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %87 = "stablehlo.divide"(%78, %86) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %88 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %89 = "stablehlo.reduce"(%85, %88) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
        %97 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%97) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %91 = "stablehlo.add"(%87, %90) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %92 = "stablehlo.multiply"(%91, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %93 = "stablehlo.dot_general"(%92, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %94 = "stablehlo.transpose"(%93) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %95 = "stablehlo.all_reduce"(%94) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
        %96 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%96) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%58, %95, %62) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<8x32x8xf32>, tensor<16x32x16xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%42, %48#0, %48#1, %48#2) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<16x2xi32>):
    %28 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %29 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %30 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %31 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %32 = "stablehlo.compare"(%30, %31) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %33 = "stablehlo.convert"(%32) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%33) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<32x8xi32>):
    %27 = "func.call"(%arg9) <{callee = @cumsum_0}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%27) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<32x8xi32>):
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %25 = "stablehlo.reduce_window"(%arg6, %24) <{base_dilations = array<i64: 1, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 32, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<i32>):
      %26 = "stablehlo.add"(%arg7, %arg8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%26) : (tensor<i32>) -> ()
    }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32x8xi32>
    "func.return"(%25) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<32xi32>):
    %17 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %18 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %22 = "stablehlo.convert"(%21) : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%22) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x32x16xf32>):
    %4 = "stablehlo.negate"(%arg4) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %5 = "stablehlo.exponential"(%4) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %8 = "stablehlo.add"(%7, %5) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %11 = "stablehlo.divide"(%10, %8) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %14 = "stablehlo.subtract"(%13, %11) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %15 = "stablehlo.multiply"(%11, %14) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %16 = "stablehlo.multiply"(%arg4, %11) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%16, %15, %11) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "silu_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x32x16xf32>, %arg1: tensor<2x32x16xf32>, %arg2: tensor<2x32x16xf32>, %arg3: tensor<2x32x16xf32>):
    %0 = "stablehlo.multiply"(%arg2, %arg3) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg1) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %2 = "stablehlo.multiply"(%0, %arg0) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%3) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

