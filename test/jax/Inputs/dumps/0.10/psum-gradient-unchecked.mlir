"builtin.module"() <{sym_name = "jit_psum_gradient_unchecked"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %34:16 = "sdy.manual_computation"(%arg11, %arg12, %arg13, %arg14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg49: tensor<2x16x8xf32>, %arg50: tensor<8x8xf32>, %arg51: tensor<2x8x16xf32>, %arg52: tensor<16x8xf32>):
      %108 = "stablehlo.dot_general"(%arg52, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %109 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %110 = "stablehlo.reduce"(%108, %109) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
        %176 = "stablehlo.maximum"(%arg63, %arg64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%176) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %111 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %113 = "stablehlo.maximum"(%112, %110) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %116 = "stablehlo.subtract"(%108, %115) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %117 = "stablehlo.exponential"(%116) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %119 = "stablehlo.reduce"(%117, %118) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
        %175 = "stablehlo.add"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%175) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %122 = "stablehlo.divide"(%117, %121) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %123 = "stablehlo.multiply"(%120, %120) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %124 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %126 = "stablehlo.divide"(%125, %123) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %127:2 = "chlo.top_k"(%122) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %128 = "stablehlo.reshape"(%127#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %129 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %130 = "stablehlo.reduce"(%127#0, %129) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
        %174 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%174) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %133 = "stablehlo.divide"(%127#0, %132) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %134 = "stablehlo.multiply"(%131, %131) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %135 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %137 = "stablehlo.divide"(%136, %134) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %138 = "func.call"(%127#1) <{callee = @_one_hot}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %139 = "stablehlo.reshape"(%138) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %140 = "func.call"(%139) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %141 = "stablehlo.subtract"(%140, %139) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %142 = "stablehlo.multiply"(%141, %139) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %143 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %144 = "stablehlo.reduce"(%142, %143) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg57: tensor<i32>, %arg58: tensor<i32>):
        %173 = "stablehlo.add"(%arg57, %arg58) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%173) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %145 = "stablehlo.reshape"(%127#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %146 = "func.call"(%145) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %147 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %148 = "func.call"(%144) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %150 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %151 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %152 = "stablehlo.multiply"(%150, %151) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %153 = "stablehlo.reshape"(%152) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %154 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %155 = "stablehlo.reduce"(%153, %154) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
        %172 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%172) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %156 = "stablehlo.dot_general"(%155, %arg52) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %157 = "stablehlo.reshape"(%156) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %158 = "stablehlo.all_to_all"(%157) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %159 = "stablehlo.transpose"(%158) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %160 = "stablehlo.reshape"(%159) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %161 = "stablehlo.dot_general"(%160, %arg51) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
      %162:3 = "func.call"(%161) <{callee = @silu}> : (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
      %163 = "stablehlo.dot_general"(%162#0, %arg49) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
      %164 = "stablehlo.reshape"(%163) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
      %165 = "stablehlo.transpose"(%164) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %166 = "stablehlo.all_reduce"(%165) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
        %171 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%171) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %167 = "stablehlo.all_to_all"(%166) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %168 = "stablehlo.reshape"(%167) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %169 = "stablehlo.dot_general"(%153, %133) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      %170 = "stablehlo.dot_general"(%169, %168) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%117, %120, %126, %128, %131, %127#0, %137, %160, %162#1, %162#2, %161, %162#0, %153, %168, %169, %170) : (tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<128x8xf32>, tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x2x1xi32>, tensor<128x1xf32>, tensor<128x2xf32>, tensor<128x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<128x2x8x8xf32>, tensor<64x8x8xf32>, tensor<128x8x8xf32>, tensor<64x8xf32>)
    %35 = "stablehlo.multiply"(%34#15, %34#15) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %38 = "stablehlo.multiply"(%37, %34#15) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %107 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%107) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.divide"(%40, %41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.divide"(%43, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %47 = "stablehlo.multiply"(%46, %38) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %48 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %50 = "stablehlo.divide"(%47, %49) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %51:3 = "sdy.manual_computation"(%50, %arg14, %34#0, %34#1, %34#2, %34#3, %34#4, %34#5, %34#6, %34#7, %34#8, %34#9, %34#10, %arg11, %34#11, %34#12, %34#13, %34#14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg15: tensor<16x8xf32>, %arg16: tensor<16x8xf32>, %arg17: tensor<16x8xf32>, %arg18: tensor<16x1xf32>, %arg19: tensor<16x1xf32>, %arg20: tensor<16x2x1xi32>, %arg21: tensor<16x1xf32>, %arg22: tensor<16x2xf32>, %arg23: tensor<16x1xf32>, %arg24: tensor<2x32x8xf32>, %arg25: tensor<2x32x16xf32>, %arg26: tensor<2x32x16xf32>, %arg27: tensor<2x32x16xf32>, %arg28: tensor<2x16x8xf32>, %arg29: tensor<2x32x16xf32>, %arg30: tensor<16x2x8x8xf32>, %arg31: tensor<8x8x8xf32>, %arg32: tensor<16x8x8xf32>):
      %52 = "stablehlo.dot_general"(%arg15, %arg32) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
      %53 = "stablehlo.transpose"(%52) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
      %54 = "stablehlo.dot_general"(%arg15, %arg31) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
      %55 = "stablehlo.dot_general"(%54, %arg30) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
      %56 = "stablehlo.reshape"(%53) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %57 = "stablehlo.all_to_all"(%56) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %58 = "stablehlo.all_reduce"(%57) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
        %106 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%106) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %59 = "stablehlo.transpose"(%58) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %60 = "stablehlo.reshape"(%59) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %61 = "stablehlo.dot_general"(%60, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
      %62 = "stablehlo.transpose"(%61) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
      %63 = "stablehlo.dot_general"(%60, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
      %64 = "func.call"(%arg25, %arg26, %arg27, %63) <{callee = @silu_2}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
      %65 = "stablehlo.dot_general"(%64, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
      %66 = "stablehlo.transpose"(%65) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
      %67 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %68 = "stablehlo.multiply"(%55, %67) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %69 = "stablehlo.multiply"(%68, %arg22) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %70 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %71 = "stablehlo.reduce"(%69, %70) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
        %105 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%105) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %72 = "stablehlo.reshape"(%71) : (tensor<16xf32>) -> tensor<16x1xf32>
      %73 = "stablehlo.negate"(%72) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %74 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %75 = "stablehlo.divide"(%55, %74) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %76 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %77 = "stablehlo.reduce"(%73, %76) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
        %104 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%104) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %79 = "stablehlo.add"(%75, %78) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %80 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %82 = "stablehlo.scatter"(%81, %arg20, %79) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
        %103 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%103) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %83 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %84 = "stablehlo.multiply"(%82, %83) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %85 = "stablehlo.multiply"(%84, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %86 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %87 = "stablehlo.reduce"(%85, %86) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
        %102 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%102) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %88 = "stablehlo.reshape"(%87) : (tensor<16xf32>) -> tensor<16x1xf32>
      %89 = "stablehlo.negate"(%88) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %90 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %91 = "stablehlo.divide"(%82, %90) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %93 = "stablehlo.reduce"(%89, %92) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
        %101 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%101) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %95 = "stablehlo.add"(%91, %94) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %96 = "stablehlo.multiply"(%95, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %97 = "stablehlo.dot_general"(%96, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %98 = "stablehlo.transpose"(%97) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %99 = "stablehlo.all_reduce"(%98) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
        %100 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%100) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%62, %99, %66) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<64x8xf32>, tensor<128x8xf32>, tensor<128x1xf32>, tensor<128x1xf32>, tensor<128x2x1xi32>, tensor<128x1xf32>, tensor<128x2xf32>, tensor<128x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<8x32x8xf32>, tensor<16x32x16xf32>, tensor<128x2x8x8xf32>, tensor<64x8x8xf32>, tensor<128x8x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%42, %51#0, %51#1, %51#2) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
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

