"builtin.module"() <{sym_name = "jit_gated_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %34:22 = "sdy.manual_computation"(%arg11, %arg12, %arg13, %arg14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg62: tensor<2x16x8xf32>, %arg63: tensor<8x8xf32>, %arg64: tensor<2x8x16xf32>, %arg65: tensor<16x8xf32>):
      %160 = "stablehlo.dot_general"(%arg65, %arg63) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %161 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %162 = "stablehlo.reduce"(%160, %161) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
        %245 = "stablehlo.maximum"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%245) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %163 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %165 = "stablehlo.maximum"(%164, %162) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %166 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %168 = "stablehlo.subtract"(%160, %167) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %169 = "stablehlo.exponential"(%168) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %170 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %171 = "stablehlo.reduce"(%169, %170) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
        %244 = "stablehlo.add"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%244) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %174 = "stablehlo.divide"(%169, %173) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %175 = "stablehlo.multiply"(%172, %172) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %176 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %178 = "stablehlo.divide"(%177, %175) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %179:2 = "chlo.top_k"(%174) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %180 = "stablehlo.reshape"(%179#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %181 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %182 = "stablehlo.reduce"(%179#0, %181) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg74: tensor<f32>, %arg75: tensor<f32>):
        %243 = "stablehlo.add"(%arg74, %arg75) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%243) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %185 = "stablehlo.divide"(%179#0, %184) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %186 = "stablehlo.multiply"(%183, %183) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %187 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %188 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %189 = "stablehlo.divide"(%188, %186) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %190 = "func.call"(%179#1) <{callee = @_one_hot}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %191 = "stablehlo.reshape"(%190) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %192 = "func.call"(%191) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %193 = "stablehlo.subtract"(%192, %191) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %194 = "stablehlo.multiply"(%193, %191) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %195 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %196 = "stablehlo.reduce"(%194, %195) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg72: tensor<i32>, %arg73: tensor<i32>):
        %242 = "stablehlo.add"(%arg72, %arg73) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%242) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %197 = "stablehlo.reshape"(%179#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %198 = "func.call"(%197) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %200 = "func.call"(%196) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %201 = "stablehlo.broadcast_in_dim"(%200) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %202 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %203 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %204 = "stablehlo.multiply"(%202, %203) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %205 = "stablehlo.reshape"(%204) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %206 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %207 = "stablehlo.reduce"(%205, %206) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg70: tensor<f32>, %arg71: tensor<f32>):
        %241 = "stablehlo.add"(%arg70, %arg71) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%241) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %208 = "stablehlo.dot_general"(%207, %arg65) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %209 = "stablehlo.reshape"(%208) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %210 = "stablehlo.all_to_all"(%209) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %211 = "stablehlo.slice"(%arg64) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
      %212 = "stablehlo.slice"(%arg64) <{limit_indices = array<i64: 2, 8, 16>, start_indices = array<i64: 0, 0, 8>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
      %213 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %214 = "stablehlo.reduce"(%arg63, %213) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg68: tensor<f32>, %arg69: tensor<f32>):
        %240 = "stablehlo.add"(%arg68, %arg69) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%240) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
      %215 = "stablehlo.slice"(%212) <{limit_indices = array<i64: 2, 1, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x1x8xf32>
      %216 = "stablehlo.reshape"(%215) : (tensor<2x1x8xf32>) -> tensor<2x8xf32>
      %217 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
      %218 = "stablehlo.multiply"(%217, %216) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
      %219 = "stablehlo.dot_general"(%211, %210) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %220 = "stablehlo.transpose"(%219) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x8x4x8xf32>) -> tensor<4x2x8x8xf32>
      %221 = "stablehlo.dot_general"(%212, %210) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %222 = "stablehlo.transpose"(%221) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x8x4x8xf32>) -> tensor<4x2x8x8xf32>
      %223 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
      %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x1x8xf32>) -> tensor<1x2x1x8xf32>
      %225 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x1x8xf32>) -> tensor<4x2x8x8xf32>
      %226 = "stablehlo.add"(%222, %225) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %227 = "stablehlo.slice"(%arg62) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x8xf32>
      %228:3 = "func.call"(%220) <{callee = @silu}> : (tensor<4x2x8x8xf32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>)
      %229 = "stablehlo.multiply"(%228#0, %226) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %230 = "stablehlo.dot_general"(%227, %229) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %231 = "stablehlo.transpose"(%230) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x8x4x8xf32>) -> tensor<4x2x8x8xf32>
      %232 = "stablehlo.reduce_scatter"(%231) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, scatter_dimension = 3 : i64, use_global_device_ids}> ({
      ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
        %239 = "stablehlo.add"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%239) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x4xf32>
      %233 = "stablehlo.all_to_all"(%232) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %234 = "stablehlo.all_gather"(%233) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %235 = "stablehlo.reshape"(%234) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %236 = "stablehlo.dot_general"(%205, %185) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      %237 = "stablehlo.dot_general"(%236, %235) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      %238 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      "sdy.return"(%169, %172, %178, %180, %183, %179#0, %189, %216, %238, %210, %210, %228#1, %228#2, %220, %226, %228#0, %229, %227, %205, %235, %236, %237) : (tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<2x8xf32>, tensor<1xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<2x8x8xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x8xf32>, tensor<8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<16x8x8xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>, tensor<64x8xf32>)
    %35 = "stablehlo.multiply"(%34#21, %34#21) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %38 = "stablehlo.multiply"(%37, %34#21) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
      %159 = "stablehlo.add"(%arg60, %arg61) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%159) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.divide"(%40, %41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.divide"(%43, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %47 = "stablehlo.multiply"(%46, %38) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %48:3 = "sdy.manual_computation"(%47, %arg14, %34#0, %34#1, %34#2, %34#3, %34#4, %34#5, %34#6, %34#7, %34#8, %34#9, %34#10, %34#11, %34#12, %34#13, %34#14, %34#15, %34#16, %34#17, %34#18, %34#19, %34#20) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg15: tensor<16x8xf32>, %arg16: tensor<16x8xf32>, %arg17: tensor<16x8xf32>, %arg18: tensor<16x1xf32>, %arg19: tensor<16x1xf32>, %arg20: tensor<16x2x1xi32>, %arg21: tensor<16x1xf32>, %arg22: tensor<16x2xf32>, %arg23: tensor<16x1xf32>, %arg24: tensor<2x8xf32>, %arg25: tensor<1xf32>, %arg26: tensor<4x2x8x8xf32>, %arg27: tensor<4x2x8x8xf32>, %arg28: tensor<4x2x8x8xf32>, %arg29: tensor<4x2x8x8xf32>, %arg30: tensor<4x2x8x8xf32>, %arg31: tensor<4x2x8x8xf32>, %arg32: tensor<4x2x8x8xf32>, %arg33: tensor<4x2x8x8xf32>, %arg34: tensor<2x8x8xf32>, %arg35: tensor<16x2x8x8xf32>, %arg36: tensor<8x8x8xf32>, %arg37: tensor<16x8x8xf32>):
      %49 = "stablehlo.reshape"(%arg25) : (tensor<1xf32>) -> tensor<f32>
      %50 = "stablehlo.dot_general"(%arg15, %arg37) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
      %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
      %52 = "stablehlo.dot_general"(%arg15, %arg36) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
      %53 = "stablehlo.dot_general"(%52, %arg35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
      %54 = "stablehlo.reshape"(%51) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %55 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %56 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %57 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %58 = "stablehlo.divide"(%57, %55) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %59 = "stablehlo.remainder"(%58, %56) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %60 = "stablehlo.convert"(%59) : (tensor<ui32>) -> tensor<i32>
      %61 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %62 = "stablehlo.multiply"(%60, %61) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %64 = "stablehlo.add"(%63, %62) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %65 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %66 = "stablehlo.multiply"(%64, %65) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %68 = "stablehlo.compare"(%66, %67) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %69 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %70 = "stablehlo.add"(%66, %69) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %71 = "stablehlo.select"(%68, %70, %66) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %73 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %75 = "stablehlo.dynamic_slice"(%54, %72, %73, %74, %71) <{slice_sizes = array<i64: 4, 2, 8, 4>}> : (tensor<4x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x4xf32>
      %76 = "stablehlo.all_to_all"(%75) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %77 = "stablehlo.all_gather"(%76) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %78 = "stablehlo.transpose"(%77) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %79 = "stablehlo.dot_general"(%78, %arg34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x8xf32>, tensor<2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %80 = "stablehlo.transpose"(%79) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %81 = "stablehlo.dot_general"(%78, %arg33) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x8x8xf32>
      %82 = "stablehlo.transpose"(%81) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
      %83 = "stablehlo.multiply"(%arg32, %80) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %84 = "stablehlo.multiply"(%80, %arg31) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %85 = "func.call"(%arg28, %arg29, %arg30, %84) <{callee = @silu_2}> : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %86 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %87 = "stablehlo.pad"(%82, %86) <{edge_padding_high = array<i64: 0, 8, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x16x8xf32>
      %88 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %89 = "stablehlo.reduce"(%83, %88) <{dimensions = array<i64: 0, 2>}> ({
      ^bb0(%arg58: tensor<f32>, %arg59: tensor<f32>):
        %158 = "stablehlo.add"(%arg58, %arg59) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%158) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<2x8xf32>
      %90 = "stablehlo.reshape"(%89) : (tensor<2x8xf32>) -> tensor<1x2x1x8xf32>
      %91 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %92 = "stablehlo.reduce"(%90, %91) <{dimensions = array<i64: 0, 2>}> ({
      ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
        %157 = "stablehlo.add"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%157) : (tensor<f32>) -> ()
      }) : (tensor<1x2x1x8xf32>, tensor<f32>) -> tensor<2x8xf32>
      %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
      %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %95 = "stablehlo.reduce"(%93, %94) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg54: tensor<f32>, %arg55: tensor<f32>):
        %156 = "stablehlo.add"(%arg54, %arg55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%156) : (tensor<f32>) -> ()
      }) : (tensor<2x1x8xf32>, tensor<f32>) -> tensor<2x8xf32>
      %96 = "stablehlo.transpose"(%83) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %97 = "stablehlo.dot_general"(%96, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x8x8xf32>
      %98 = "stablehlo.transpose"(%97) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
      %99 = "stablehlo.transpose"(%85) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %100 = "stablehlo.dot_general"(%99, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x8x8xf32>
      %101 = "stablehlo.transpose"(%100) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
      %102 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
      %103 = "stablehlo.multiply"(%102, %95) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
      %104 = "stablehlo.multiply"(%95, %arg24) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
      %105 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %106 = "stablehlo.reduce"(%104, %105) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg52: tensor<f32>, %arg53: tensor<f32>):
        %155 = "stablehlo.add"(%arg52, %arg53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%155) : (tensor<f32>) -> ()
      }) : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
      %107 = "stablehlo.all_reduce"(%106) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
        %154 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%154) : (tensor<f32>) -> ()
      }) : (tensor<f32>) -> tensor<f32>
      %108 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
      %109 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %110 = "stablehlo.pad"(%108, %109) <{edge_padding_high = array<i64: 0, 7, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<2x1x8xf32>, tensor<f32>) -> tensor<2x8x8xf32>
      %111 = "stablehlo.add"(%98, %110) : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
      %112 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32>
      %113 = "stablehlo.concatenate"(%101, %111) <{dimension = 2 : i64}> : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
      %114 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %115 = "stablehlo.multiply"(%53, %114) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %116 = "stablehlo.multiply"(%115, %arg22) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %117 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %118 = "stablehlo.reduce"(%116, %117) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
        %153 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%153) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %119 = "stablehlo.reshape"(%118) : (tensor<16xf32>) -> tensor<16x1xf32>
      %120 = "stablehlo.negate"(%119) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %121 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %122 = "stablehlo.divide"(%53, %121) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %123 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %124 = "stablehlo.reduce"(%120, %123) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
        %152 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%152) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %126 = "stablehlo.add"(%122, %125) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %127 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %129 = "stablehlo.scatter"(%128, %arg20, %126) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
        %151 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%151) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %130 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %131 = "stablehlo.multiply"(%129, %130) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %132 = "stablehlo.multiply"(%131, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %133 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %134 = "stablehlo.reduce"(%132, %133) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
        %150 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%150) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %135 = "stablehlo.reshape"(%134) : (tensor<16xf32>) -> tensor<16x1xf32>
      %136 = "stablehlo.negate"(%135) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %137 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %138 = "stablehlo.divide"(%129, %137) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %139 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %140 = "stablehlo.reduce"(%136, %139) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
        %149 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%149) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %142 = "stablehlo.add"(%138, %141) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %143 = "stablehlo.multiply"(%142, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %144 = "stablehlo.dot_general"(%143, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %145 = "stablehlo.transpose"(%144) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %146 = "stablehlo.all_reduce"(%145) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
        %148 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%148) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %147 = "stablehlo.add"(%112, %146) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%87, %147, %113) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x8xf32>, tensor<8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x8xf32>, tensor<16x8x8xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x2x8x8xf32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>), res_attrs = [{}, {}, {}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x2x8x8xf32>):
    %4 = "stablehlo.negate"(%arg4) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %5 = "stablehlo.exponential"(%4) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %8 = "stablehlo.add"(%7, %5) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %11 = "stablehlo.divide"(%10, %8) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %14 = "stablehlo.subtract"(%13, %11) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %15 = "stablehlo.multiply"(%11, %14) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %16 = "stablehlo.multiply"(%arg4, %11) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    "func.return"(%16, %15, %11) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>, res_attrs = [{}], sym_name = "silu_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x2x8x8xf32>, %arg1: tensor<4x2x8x8xf32>, %arg2: tensor<4x2x8x8xf32>, %arg3: tensor<4x2x8x8xf32>):
    %0 = "stablehlo.multiply"(%arg2, %arg3) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg1) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %2 = "stablehlo.multiply"(%0, %arg0) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    "func.return"(%3) : (tensor<4x2x8x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

