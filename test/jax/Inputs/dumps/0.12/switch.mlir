"builtin.module"() <{sym_name = "jit_switch"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg55: tensor<8x32x8xf32>, %arg56: tensor<8x8xf32>, %arg57: tensor<8x8x32xf32>, %arg58: tensor<64x8xf32>):
    %215 = "sdy.manual_computation"(%arg55, %arg56, %arg57, %arg58) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg59: tensor<2x16x8xf32>, %arg60: tensor<8x8xf32>, %arg61: tensor<2x8x16xf32>, %arg62: tensor<16x8xf32>):
      %216 = "stablehlo.convert"(%arg62) : (tensor<16x8xf32>) -> tensor<16x8xbf16>
      %217 = "stablehlo.convert"(%arg59) : (tensor<2x16x8xf32>) -> tensor<2x16x8xbf16>
      %218 = "stablehlo.convert"(%arg60) : (tensor<8x8xf32>) -> tensor<8x8xbf16>
      %219 = "stablehlo.convert"(%arg61) : (tensor<2x8x16xf32>) -> tensor<2x8x16xbf16>
      %220 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %221 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
      %222 = "stablehlo.shift_right_logical"(%220, %221) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %223 = "stablehlo.convert"(%222) : (tensor<i32>) -> tensor<ui32>
      %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %225 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
      %226 = "stablehlo.and"(%220, %225) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %227 = "stablehlo.convert"(%226) : (tensor<i32>) -> tensor<ui32>
      %228 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %229 = "stablehlo.concatenate"(%224, %228) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
      %230 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %231 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
      %232 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %233 = "stablehlo.divide"(%232, %230) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %234 = "stablehlo.remainder"(%233, %231) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %235 = "stablehlo.convert"(%234) : (tensor<ui32>) -> tensor<i32>
      %236 = "stablehlo.convert"(%235) : (tensor<i32>) -> tensor<ui32>
      %237 = "func.call"(%229, %236) <{callee = @_threefry_fold_in}> : (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>
      %238 = "stablehlo.constant"() <{value = dense<9.900000e-01> : tensor<f32>}> : () -> tensor<f32>
      %239 = "stablehlo.constant"() <{value = dense<1.010000e+00> : tensor<f32>}> : () -> tensor<f32>
      %240 = "func.call"(%237, %238, %239) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<16x8xf32>
      %241 = "stablehlo.convert"(%240) : (tensor<16x8xf32>) -> tensor<16x8xbf16>
      %242 = "stablehlo.multiply"(%216, %241) : (tensor<16x8xbf16>, tensor<16x8xbf16>) -> tensor<16x8xbf16>
      %243 = "stablehlo.dot_general"(%242, %218) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xbf16>, tensor<8x8xbf16>) -> tensor<16x8xbf16>
      %244 = "stablehlo.convert"(%243) : (tensor<16x8xbf16>) -> tensor<16x8xf32>
      %245 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %246 = "stablehlo.reduce"(%244, %245) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg73: tensor<f32>, %arg74: tensor<f32>):
        %327 = "stablehlo.maximum"(%arg73, %arg74) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%327) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %247 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %248 = "stablehlo.broadcast_in_dim"(%247) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %249 = "stablehlo.maximum"(%248, %246) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %250 = "stablehlo.broadcast_in_dim"(%249) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %252 = "stablehlo.subtract"(%244, %251) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %253 = "stablehlo.exponential"(%252) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %254 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %255 = "stablehlo.reduce"(%253, %254) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
        %326 = "stablehlo.add"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%326) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %256 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %257 = "stablehlo.broadcast_in_dim"(%256) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %258 = "stablehlo.divide"(%253, %257) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %259:2 = "chlo.top_k"(%258) <{is_stable = true, k = 1 : i64}> : (tensor<16x8xf32>) -> (tensor<16x1xf32>, tensor<16x1xi32>)
      %260 = "func.call"(%259#1) <{callee = @_one_hot}> : (tensor<16x1xi32>) -> tensor<16x1x8xi32>
      %261 = "stablehlo.transpose"(%260) <{permutation = array<i64: 1, 0, 2>}> : (tensor<16x1x8xi32>) -> tensor<1x16x8xi32>
      %262 = "stablehlo.reshape"(%261) : (tensor<1x16x8xi32>) -> tensor<16x8xi32>
      %263 = "func.call"(%262) <{callee = @cumsum}> : (tensor<16x8xi32>) -> tensor<16x8xi32>
      %264 = "stablehlo.subtract"(%263, %262) : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
      %265 = "stablehlo.multiply"(%264, %262) : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
      %266 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %267 = "stablehlo.reduce"(%265, %266) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg69: tensor<i32>, %arg70: tensor<i32>):
        %325 = "stablehlo.add"(%arg69, %arg70) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%325) : (tensor<i32>) -> ()
      }) : (tensor<16x8xi32>, tensor<i32>) -> tensor<16xi32>
      %268 = "stablehlo.reshape"(%267) : (tensor<16xi32>) -> tensor<1x16xi32>
      %269 = "stablehlo.transpose"(%268) <{permutation = array<i64: 1, 0>}> : (tensor<1x16xi32>) -> tensor<16x1xi32>
      %270 = "func.call"(%259#1) <{callee = @_one_hot_2}> : (tensor<16x1xi32>) -> tensor<16x1x8xf32>
      %271 = "stablehlo.broadcast_in_dim"(%270) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x1x8xf32>) -> tensor<16x1x8x1xf32>
      %272 = "func.call"(%269) <{callee = @_one_hot_2}> : (tensor<16x1xi32>) -> tensor<16x1x8xf32>
      %273 = "stablehlo.broadcast_in_dim"(%272) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<16x1x8xf32>) -> tensor<16x1x1x8xf32>
      %274 = "stablehlo.broadcast_in_dim"(%271) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x1x8x1xf32>) -> tensor<16x1x8x8xf32>
      %275 = "stablehlo.broadcast_in_dim"(%273) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x1x1x8xf32>) -> tensor<16x1x8x8xf32>
      %276 = "stablehlo.multiply"(%274, %275) : (tensor<16x1x8x8xf32>, tensor<16x1x8x8xf32>) -> tensor<16x1x8x8xf32>
      %277 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %278 = "stablehlo.reduce"(%276, %277) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
        %324 = "stablehlo.add"(%arg67, %arg68) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%324) : (tensor<f32>) -> ()
      }) : (tensor<16x1x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %279 = "stablehlo.broadcast_in_dim"(%259#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x1x1x1xf32>
      %280 = "stablehlo.broadcast_in_dim"(%279) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x1x1x1xf32>) -> tensor<16x1x8x8xf32>
      %281 = "stablehlo.multiply"(%276, %280) : (tensor<16x1x8x8xf32>, tensor<16x1x8x8xf32>) -> tensor<16x1x8x8xf32>
      %282 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %283 = "stablehlo.reduce"(%281, %282) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg65: tensor<f32>, %arg66: tensor<f32>):
        %323 = "stablehlo.add"(%arg65, %arg66) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%323) : (tensor<f32>) -> ()
      }) : (tensor<16x1x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %284 = "stablehlo.convert"(%278) : (tensor<16x8x8xf32>) -> tensor<16x8x8xbf16>
      %285 = "stablehlo.dot_general"(%284, %216) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xbf16>, tensor<16x8xbf16>) -> tensor<8x8x8xbf16>
      %286 = "stablehlo.reshape"(%285) : (tensor<8x8x8xbf16>) -> tensor<4x2x8x8xbf16>
      %287 = "stablehlo.broadcast_in_dim"(%286) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<4x2x8x8xbf16>) -> tensor<4x2x1x8x8xbf16>
      %288 = "stablehlo.all_to_all"(%287) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 2 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x1x8x8xbf16>) -> tensor<1x2x4x8x8xbf16>
      %289 = "stablehlo.reshape"(%288) : (tensor<1x2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
      %290 = "stablehlo.reshape"(%289) : (tensor<2x4x8x8xbf16>) -> tensor<2x32x8xbf16>
      %291 = "stablehlo.dot_general"(%290, %219) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xbf16>, tensor<2x8x16xbf16>) -> tensor<2x32x16xbf16>
      %292 = "stablehlo.multiply"(%291, %291) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %293 = "stablehlo.multiply"(%292, %291) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %294 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
      %295 = "stablehlo.convert"(%294) : (tensor<f32>) -> tensor<bf16>
      %296 = "stablehlo.broadcast_in_dim"(%295) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %297 = "stablehlo.multiply"(%296, %293) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %298 = "stablehlo.add"(%291, %297) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %299 = "stablehlo.constant"() <{value = dense<7.968750e-01> : tensor<bf16>}> : () -> tensor<bf16>
      %300 = "stablehlo.broadcast_in_dim"(%299) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %301 = "stablehlo.multiply"(%300, %298) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %302 = "stablehlo.tanh"(%301) : (tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %303 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %304 = "stablehlo.convert"(%303) : (tensor<f32>) -> tensor<bf16>
      %305 = "stablehlo.broadcast_in_dim"(%304) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %306 = "stablehlo.add"(%305, %302) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %307 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %308 = "stablehlo.convert"(%307) : (tensor<f32>) -> tensor<bf16>
      %309 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %310 = "stablehlo.multiply"(%309, %306) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %311 = "stablehlo.multiply"(%291, %310) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %312 = "stablehlo.dot_general"(%311, %217) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xbf16>, tensor<2x16x8xbf16>) -> tensor<2x32x8xbf16>
      %313 = "stablehlo.all_reduce"(%312) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
      ^bb0(%arg63: tensor<bf16>, %arg64: tensor<bf16>):
        %322 = "stablehlo.add"(%arg63, %arg64) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
        "stablehlo.return"(%322) : (tensor<bf16>) -> ()
      }) : (tensor<2x32x8xbf16>) -> tensor<2x32x8xbf16>
      %314 = "stablehlo.reshape"(%313) : (tensor<2x32x8xbf16>) -> tensor<2x4x8x8xbf16>
      %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x8x8xbf16>) -> tensor<1x2x4x8x8xbf16>
      %316 = "stablehlo.all_to_all"(%315) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 2 : i64}> : (tensor<1x2x4x8x8xbf16>) -> tensor<4x2x1x8x8xbf16>
      %317 = "stablehlo.reshape"(%316) : (tensor<4x2x1x8x8xbf16>) -> tensor<4x2x8x8xbf16>
      %318 = "stablehlo.reshape"(%317) : (tensor<4x2x8x8xbf16>) -> tensor<8x8x8xbf16>
      %319 = "stablehlo.convert"(%283) : (tensor<16x8x8xf32>) -> tensor<16x8x8xbf16>
      %320 = "stablehlo.dot_general"(%319, %318) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xbf16>, tensor<8x8x8xbf16>) -> tensor<16x8xbf16>
      %321 = "stablehlo.convert"(%320) : (tensor<16x8xbf16>) -> tensor<16x8xf32>
      "sdy.return"(%321) : (tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%215) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>, res_attrs = [{}], sym_name = "_threefry_fold_in", sym_visibility = "private"}> ({
  ^bb0(%arg53: tensor<2xui32>, %arg54: tensor<ui32>):
    %200 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %201 = "stablehlo.shift_right_logical"(%arg54, %200) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %203 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<ui32>}> : () -> tensor<ui32>
    %204 = "stablehlo.and"(%arg54, %203) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %205 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %206 = "stablehlo.concatenate"(%202, %205) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %207 = "stablehlo.slice"(%arg53) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %208 = "stablehlo.reshape"(%207) : (tensor<1xui32>) -> tensor<ui32>
    %209 = "stablehlo.slice"(%arg53) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %210 = "stablehlo.reshape"(%209) : (tensor<1xui32>) -> tensor<ui32>
    %211 = "stablehlo.slice"(%206) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %212 = "stablehlo.slice"(%206) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %213:2 = "func.call"(%208, %210, %211, %212) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>)
    %214 = "stablehlo.concatenate"(%213#0, %213#1) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    "func.return"(%214) : (tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<ui32>, %arg32: tensor<ui32>, %arg33: tensor<1xui32>, %arg34: tensor<1xui32>):
    %129 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %130 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %131 = "stablehlo.xor"(%arg31, %arg32) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %132 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %133 = "stablehlo.xor"(%131, %132) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %134 = "stablehlo.broadcast_in_dim"(%arg31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %135 = "stablehlo.add"(%arg33, %134) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %136 = "stablehlo.broadcast_in_dim"(%arg32) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %137 = "stablehlo.add"(%arg34, %136) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %138 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %139 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %140:9 = "stablehlo.while"(%139, %138, %135, %137, %arg32, %133, %arg31, %129, %130) ({
    ^bb0(%arg44: tensor<i32>, %arg45: tensor<i32>, %arg46: tensor<1xui32>, %arg47: tensor<1xui32>, %arg48: tensor<ui32>, %arg49: tensor<ui32>, %arg50: tensor<ui32>, %arg51: tensor<4xui32>, %arg52: tensor<4xui32>):
      %198 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %199 = "stablehlo.compare"(%arg44, %198) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%199) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg35: tensor<i32>, %arg36: tensor<i32>, %arg37: tensor<1xui32>, %arg38: tensor<1xui32>, %arg39: tensor<ui32>, %arg40: tensor<ui32>, %arg41: tensor<ui32>, %arg42: tensor<4xui32>, %arg43: tensor<4xui32>):
      %141 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %142 = "stablehlo.add"(%arg36, %141) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %143 = "stablehlo.slice"(%arg42) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %144 = "stablehlo.reshape"(%143) : (tensor<1xui32>) -> tensor<ui32>
      %145 = "stablehlo.slice"(%arg42) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %146 = "stablehlo.reshape"(%145) : (tensor<1xui32>) -> tensor<ui32>
      %147 = "stablehlo.slice"(%arg42) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %148 = "stablehlo.reshape"(%147) : (tensor<1xui32>) -> tensor<ui32>
      %149 = "stablehlo.slice"(%arg42) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %150 = "stablehlo.reshape"(%149) : (tensor<1xui32>) -> tensor<ui32>
      %151 = "stablehlo.add"(%arg37, %arg38) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %152 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %153 = "stablehlo.shift_left"(%arg38, %152) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %154 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %155 = "stablehlo.subtract"(%154, %144) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %157 = "stablehlo.shift_right_logical"(%arg38, %156) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %158 = "stablehlo.or"(%153, %157) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %159 = "stablehlo.xor"(%151, %158) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %160 = "stablehlo.add"(%151, %159) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %161 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %162 = "stablehlo.shift_left"(%159, %161) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %163 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %164 = "stablehlo.subtract"(%163, %146) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %165 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %166 = "stablehlo.shift_right_logical"(%159, %165) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %167 = "stablehlo.or"(%162, %166) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %168 = "stablehlo.xor"(%160, %167) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %169 = "stablehlo.add"(%160, %168) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %170 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %171 = "stablehlo.shift_left"(%168, %170) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %172 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %173 = "stablehlo.subtract"(%172, %148) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %174 = "stablehlo.broadcast_in_dim"(%173) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %175 = "stablehlo.shift_right_logical"(%168, %174) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %176 = "stablehlo.or"(%171, %175) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %177 = "stablehlo.xor"(%169, %176) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %178 = "stablehlo.add"(%169, %177) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %179 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %180 = "stablehlo.shift_left"(%177, %179) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %181 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %182 = "stablehlo.subtract"(%181, %150) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %184 = "stablehlo.shift_right_logical"(%177, %183) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %185 = "stablehlo.or"(%180, %184) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %186 = "stablehlo.xor"(%178, %185) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %187 = "stablehlo.broadcast_in_dim"(%arg39) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %188 = "stablehlo.add"(%178, %187) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %189 = "stablehlo.broadcast_in_dim"(%arg40) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %190 = "stablehlo.add"(%186, %189) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %191 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %192 = "stablehlo.add"(%arg36, %191) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %193 = "stablehlo.convert"(%192) : (tensor<i32>) -> tensor<ui32>
      %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %195 = "stablehlo.add"(%190, %194) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
      %196 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %197 = "stablehlo.add"(%arg35, %196) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%197, %142, %188, %195, %arg40, %arg41, %arg39, %arg43, %arg42) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%140#2, %140#3) : (tensor<1xui32>, tensor<1xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<16x8xf32>, res_attrs = [{}], sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<2xui32>, %arg29: tensor<f32>, %arg30: tensor<f32>):
    %88 = "stablehlo.convert"(%arg29) : (tensor<f32>) -> tensor<f32>
    %89 = "stablehlo.convert"(%arg30) : (tensor<f32>) -> tensor<f32>
    %90 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %91 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %92 = "stablehlo.slice"(%arg28) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %93 = "stablehlo.reshape"(%92) : (tensor<1xui32>) -> tensor<ui32>
    %94 = "stablehlo.slice"(%arg28) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %95 = "stablehlo.reshape"(%94) : (tensor<1xui32>) -> tensor<ui32>
    %96 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<16x8xui64>
    %97 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<16x8xui64>
    %98 = "stablehlo.constant"() <{value = dense<8> : tensor<ui64>}> : () -> tensor<ui64>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<16x8xui64>
    %100 = "stablehlo.multiply"(%99, %96) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %101 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<16x8xui64>
    %103 = "stablehlo.multiply"(%102, %97) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %104 = "stablehlo.add"(%100, %103) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %105 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<16x8xui64>
    %107 = "stablehlo.shift_right_logical"(%104, %106) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %108 = "stablehlo.convert"(%104) : (tensor<16x8xui64>) -> tensor<16x8xui32>
    %109 = "stablehlo.convert"(%107) : (tensor<16x8xui64>) -> tensor<16x8xui32>
    %110:2 = "func.call"(%93, %95, %109, %108) <{callee = @threefry2x32_0}> : (tensor<ui32>, tensor<ui32>, tensor<16x8xui32>, tensor<16x8xui32>) -> (tensor<16x8xui32>, tensor<16x8xui32>)
    %111 = "stablehlo.xor"(%110#0, %110#1) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %112 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %114 = "stablehlo.shift_right_logical"(%111, %113) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %115 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %117 = "stablehlo.or"(%114, %116) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %118 = "stablehlo.bitcast_convert"(%117) : (tensor<16x8xui32>) -> tensor<16x8xf32>
    %119 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
    %121 = "stablehlo.subtract"(%118, %120) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %122 = "stablehlo.subtract"(%91, %90) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<16x8xf32>
    %124 = "stablehlo.multiply"(%121, %123) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %125 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<16x8xf32>
    %126 = "stablehlo.add"(%124, %125) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %127 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<16x8xf32>
    %128 = "stablehlo.maximum"(%127, %126) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    "func.return"(%128) : (tensor<16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<16x8xui32>, tensor<16x8xui32>) -> (tensor<16x8xui32>, tensor<16x8xui32>), sym_name = "threefry2x32_0", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<ui32>, %arg7: tensor<ui32>, %arg8: tensor<16x8xui32>, %arg9: tensor<16x8xui32>):
    %17 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %18 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %19 = "stablehlo.xor"(%arg6, %arg7) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %21 = "stablehlo.xor"(%19, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %22 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %23 = "stablehlo.add"(%arg8, %22) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %24 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %25 = "stablehlo.add"(%arg9, %24) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %28:9 = "stablehlo.while"(%27, %26, %23, %25, %arg7, %21, %arg6, %17, %18) ({
    ^bb0(%arg19: tensor<i32>, %arg20: tensor<i32>, %arg21: tensor<16x8xui32>, %arg22: tensor<16x8xui32>, %arg23: tensor<ui32>, %arg24: tensor<ui32>, %arg25: tensor<ui32>, %arg26: tensor<4xui32>, %arg27: tensor<4xui32>):
      %86 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %87 = "stablehlo.compare"(%arg19, %86) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%87) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<i32>, %arg12: tensor<16x8xui32>, %arg13: tensor<16x8xui32>, %arg14: tensor<ui32>, %arg15: tensor<ui32>, %arg16: tensor<ui32>, %arg17: tensor<4xui32>, %arg18: tensor<4xui32>):
      %29 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %30 = "stablehlo.add"(%arg11, %29) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %31 = "stablehlo.slice"(%arg17) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %32 = "stablehlo.reshape"(%31) : (tensor<1xui32>) -> tensor<ui32>
      %33 = "stablehlo.slice"(%arg17) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %34 = "stablehlo.reshape"(%33) : (tensor<1xui32>) -> tensor<ui32>
      %35 = "stablehlo.slice"(%arg17) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
      %37 = "stablehlo.slice"(%arg17) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
      %38 = "stablehlo.reshape"(%37) : (tensor<1xui32>) -> tensor<ui32>
      %39 = "stablehlo.add"(%arg12, %arg13) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %40 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %41 = "stablehlo.shift_left"(%arg13, %40) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %42 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %43 = "stablehlo.subtract"(%42, %32) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %45 = "stablehlo.shift_right_logical"(%arg13, %44) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %46 = "stablehlo.or"(%41, %45) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %47 = "stablehlo.xor"(%39, %46) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %48 = "stablehlo.add"(%39, %47) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %49 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %50 = "stablehlo.shift_left"(%47, %49) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %51 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %52 = "stablehlo.subtract"(%51, %34) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %54 = "stablehlo.shift_right_logical"(%47, %53) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %55 = "stablehlo.or"(%50, %54) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %56 = "stablehlo.xor"(%48, %55) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %57 = "stablehlo.add"(%48, %56) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %58 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %59 = "stablehlo.shift_left"(%56, %58) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %60 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %61 = "stablehlo.subtract"(%60, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %63 = "stablehlo.shift_right_logical"(%56, %62) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %64 = "stablehlo.or"(%59, %63) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %65 = "stablehlo.xor"(%57, %64) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %66 = "stablehlo.add"(%57, %65) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %67 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %68 = "stablehlo.shift_left"(%65, %67) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %69 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
      %70 = "stablehlo.subtract"(%69, %38) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %72 = "stablehlo.shift_right_logical"(%65, %71) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %73 = "stablehlo.or"(%68, %72) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %74 = "stablehlo.xor"(%66, %73) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %75 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %76 = "stablehlo.add"(%66, %75) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %77 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %78 = "stablehlo.add"(%74, %77) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %79 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %80 = "stablehlo.add"(%arg11, %79) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %81 = "stablehlo.convert"(%80) : (tensor<i32>) -> tensor<ui32>
      %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
      %83 = "stablehlo.add"(%78, %82) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
      %84 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %85 = "stablehlo.add"(%arg10, %84) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%85, %30, %76, %83, %arg15, %arg16, %arg14, %arg18, %arg17) : (tensor<i32>, tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%28#2, %28#3) : (tensor<16x8xui32>, tensor<16x8xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x1xi32>) -> tensor<16x1x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<16x1xi32>):
    %11 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xi32>) -> tensor<16x1x1xi32>
    %12 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %13 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x1x1xi32>) -> tensor<16x1x8xi32>
    %14 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x1x8xi32>
    %15 = "stablehlo.compare"(%13, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x1x8xi32>, tensor<16x1x8xi32>) -> tensor<16x1x8xi1>
    %16 = "stablehlo.convert"(%15) : (tensor<16x1x8xi1>) -> tensor<16x1x8xi32>
    "func.return"(%16) : (tensor<16x1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x8xi32>) -> tensor<16x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<16x8xi32>):
    %10 = "func.call"(%arg4) <{callee = @cumsum_1}> : (tensor<16x8xi32>) -> tensor<16x8xi32>
    "func.return"(%10) : (tensor<16x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x8xi32>) -> tensor<16x8xi32>, sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<16x8xi32>):
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.reduce_window"(%arg1, %7) <{base_dilations = array<i64: 1, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 16, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %9 = "stablehlo.add"(%arg2, %arg3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%9) : (tensor<i32>) -> ()
    }) : (tensor<16x8xi32>, tensor<i32>) -> tensor<16x8xi32>
    "func.return"(%8) : (tensor<16x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x1xi32>) -> tensor<16x1x8xf32>, res_attrs = [{}], sym_name = "_one_hot_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x1xi32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xi32>) -> tensor<16x1x1xi32>
    %1 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x1x1xi32>) -> tensor<16x1x8xi32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x1x8xi32>
    %4 = "stablehlo.compare"(%2, %3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x1x8xi32>, tensor<16x1x8xi32>) -> tensor<16x1x8xi1>
    %5 = "stablehlo.convert"(%4) : (tensor<16x1x8xi1>) -> tensor<16x1x8xf32>
    "func.return"(%5) : (tensor<16x1x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

