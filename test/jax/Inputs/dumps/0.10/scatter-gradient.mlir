"builtin.module"() <{sym_name = "jit_scatter_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %34:16 = "sdy.manual_computation"(%arg11, %arg12, %arg13, %arg14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg47: tensor<2x16x8xf32>, %arg48: tensor<8x8xf32>, %arg49: tensor<2x8x16xf32>, %arg50: tensor<16x8xf32>):
      %125 = "stablehlo.dot_general"(%arg50, %arg48) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %126 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %127 = "stablehlo.reduce"(%125, %126) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
        %194 = "stablehlo.maximum"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%194) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %128 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %130 = "stablehlo.maximum"(%129, %127) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %133 = "stablehlo.subtract"(%125, %132) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %134 = "stablehlo.exponential"(%133) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %136 = "stablehlo.reduce"(%134, %135) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
        %193 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%193) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %139 = "stablehlo.divide"(%134, %138) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %140 = "stablehlo.multiply"(%137, %137) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %141 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %143 = "stablehlo.divide"(%142, %140) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %144:2 = "chlo.top_k"(%139) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %145 = "stablehlo.reshape"(%144#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %146 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %147 = "stablehlo.reduce"(%144#0, %146) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg57: tensor<f32>, %arg58: tensor<f32>):
        %192 = "stablehlo.add"(%arg57, %arg58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%192) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %150 = "stablehlo.divide"(%144#0, %149) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %151 = "stablehlo.multiply"(%148, %148) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %152 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %154 = "stablehlo.divide"(%153, %151) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %155 = "func.call"(%144#1) <{callee = @_one_hot}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %156 = "stablehlo.reshape"(%155) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %157 = "func.call"(%156) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %158 = "stablehlo.subtract"(%157, %156) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %159 = "stablehlo.multiply"(%158, %156) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %160 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %161 = "stablehlo.reduce"(%159, %160) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg55: tensor<i32>, %arg56: tensor<i32>):
        %191 = "stablehlo.add"(%arg55, %arg56) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%191) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %162 = "stablehlo.reshape"(%144#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %163 = "func.call"(%162) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %165 = "func.call"(%161) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %166 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %167 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %168 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %169 = "stablehlo.multiply"(%167, %168) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %170 = "stablehlo.reshape"(%169) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %171 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %172 = "stablehlo.reduce"(%170, %171) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
        %190 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%190) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %173 = "stablehlo.dot_general"(%172, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %174 = "stablehlo.reshape"(%173) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %175 = "stablehlo.all_to_all"(%174) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %176 = "stablehlo.transpose"(%175) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %177 = "stablehlo.reshape"(%176) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %178 = "stablehlo.dot_general"(%177, %arg49) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
      %179:3 = "func.call"(%178) <{callee = @silu}> : (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
      %180 = "stablehlo.dot_general"(%179#0, %arg47) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
      %181 = "stablehlo.reshape"(%180) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
      %182 = "stablehlo.transpose"(%181) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %183 = "stablehlo.reduce_scatter"(%182) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, scatter_dimension = 3 : i64, use_global_device_ids}> ({
      ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
        %189 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%189) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x4xf32>
      %184 = "stablehlo.all_to_all"(%183) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %185 = "stablehlo.all_gather"(%184) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %186 = "stablehlo.reshape"(%185) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %187 = "stablehlo.dot_general"(%170, %150) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      %188 = "stablehlo.dot_general"(%187, %186) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%134, %137, %143, %145, %148, %144#0, %154, %177, %179#1, %179#2, %178, %179#0, %170, %186, %187, %188) : (tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>, tensor<64x8xf32>)
    %35 = "stablehlo.multiply"(%34#15, %34#15) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %38 = "stablehlo.multiply"(%37, %34#15) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %124 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%124) : (tensor<f32>) -> ()
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
      %54 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %55 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %56 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %57 = "stablehlo.divide"(%56, %54) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %58 = "stablehlo.remainder"(%57, %55) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %59 = "stablehlo.convert"(%58) : (tensor<ui32>) -> tensor<i32>
      %60 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %61 = "stablehlo.multiply"(%59, %60) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %62 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %63 = "stablehlo.add"(%62, %61) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %64 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %65 = "stablehlo.multiply"(%63, %64) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %67 = "stablehlo.compare"(%65, %66) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %68 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %69 = "stablehlo.add"(%65, %68) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %70 = "stablehlo.select"(%67, %69, %65) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %71 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %73 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %74 = "stablehlo.dynamic_slice"(%53, %71, %72, %73, %70) <{slice_sizes = array<i64: 4, 2, 8, 4>}> : (tensor<4x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x4xf32>
      %75 = "stablehlo.all_to_all"(%74) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %76 = "stablehlo.all_gather"(%75) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %77 = "stablehlo.transpose"(%76) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %78 = "stablehlo.reshape"(%77) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %79 = "stablehlo.dot_general"(%78, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
      %80 = "stablehlo.transpose"(%79) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
      %81 = "stablehlo.dot_general"(%78, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
      %82 = "func.call"(%arg25, %arg26, %arg27, %81) <{callee = @silu_2}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
      %83 = "stablehlo.dot_general"(%82, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
      %84 = "stablehlo.transpose"(%83) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
      %85 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %86 = "stablehlo.multiply"(%52, %85) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %87 = "stablehlo.multiply"(%86, %arg22) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %88 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %89 = "stablehlo.reduce"(%87, %88) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
        %123 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%123) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %90 = "stablehlo.reshape"(%89) : (tensor<16xf32>) -> tensor<16x1xf32>
      %91 = "stablehlo.negate"(%90) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %92 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %93 = "stablehlo.divide"(%52, %92) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %95 = "stablehlo.reduce"(%91, %94) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
        %122 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%122) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %97 = "stablehlo.add"(%93, %96) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %100 = "stablehlo.scatter"(%99, %arg20, %97) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
        %121 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%121) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %101 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %102 = "stablehlo.multiply"(%100, %101) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %103 = "stablehlo.multiply"(%102, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %104 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %105 = "stablehlo.reduce"(%103, %104) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
        %120 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%120) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %106 = "stablehlo.reshape"(%105) : (tensor<16xf32>) -> tensor<16x1xf32>
      %107 = "stablehlo.negate"(%106) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %108 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %109 = "stablehlo.divide"(%100, %108) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %110 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %111 = "stablehlo.reduce"(%107, %110) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
        %119 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%119) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %113 = "stablehlo.add"(%109, %112) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %114 = "stablehlo.multiply"(%113, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %115 = "stablehlo.dot_general"(%114, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %116 = "stablehlo.transpose"(%115) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %117 = "stablehlo.all_reduce"(%116) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
        %118 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%118) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%80, %117, %84) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
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

