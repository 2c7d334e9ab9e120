"builtin.module"() <{sym_name = "jit_switch"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg71: tensor<8x32x8xf32>, %arg72: tensor<8x8xf32>, %arg73: tensor<8x8x32xf32>, %arg74: tensor<64x8xf32>):
    %217 = "sdy.manual_computation"(%arg71, %arg72, %arg73, %arg74) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg75: tensor<2x16x8xf32>, %arg76: tensor<8x8xf32>, %arg77: tensor<2x8x16xf32>, %arg78: tensor<16x8xf32>):
      %218 = "stablehlo.convert"(%arg78) : (tensor<16x8xf32>) -> tensor<16x8xbf16>
      %219 = "stablehlo.convert"(%arg75) : (tensor<2x16x8xf32>) -> tensor<2x16x8xbf16>
      %220 = "stablehlo.convert"(%arg76) : (tensor<8x8xf32>) -> tensor<8x8xbf16>
      %221 = "stablehlo.convert"(%arg77) : (tensor<2x8x16xf32>) -> tensor<2x8x16xbf16>
      %222 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %223 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
      %224 = "stablehlo.shift_right_logical"(%222, %223) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %225 = "stablehlo.convert"(%224) : (tensor<i32>) -> tensor<ui32>
      %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %227 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
      %228 = "stablehlo.and"(%222, %227) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %229 = "stablehlo.convert"(%228) : (tensor<i32>) -> tensor<ui32>
      %230 = "stablehlo.broadcast_in_dim"(%229) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
      %231 = "stablehlo.concatenate"(%226, %230) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
      %232 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %233 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
      %234 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %235 = "stablehlo.divide"(%234, %232) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %236 = "stablehlo.remainder"(%235, %233) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %237 = "stablehlo.convert"(%236) : (tensor<ui32>) -> tensor<i32>
      %238 = "stablehlo.convert"(%237) : (tensor<i32>) -> tensor<ui32>
      %239 = "func.call"(%231, %238) <{callee = @_threefry_fold_in}> : (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>
      %240 = "stablehlo.constant"() <{value = dense<9.900000e-01> : tensor<f32>}> : () -> tensor<f32>
      %241 = "stablehlo.constant"() <{value = dense<1.010000e+00> : tensor<f32>}> : () -> tensor<f32>
      %242 = "func.call"(%239, %240, %241) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<16x8xf32>
      %243 = "stablehlo.convert"(%242) : (tensor<16x8xf32>) -> tensor<16x8xbf16>
      %244 = "stablehlo.multiply"(%218, %243) : (tensor<16x8xbf16>, tensor<16x8xbf16>) -> tensor<16x8xbf16>
      %245 = "stablehlo.dot_general"(%244, %220) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xbf16>, tensor<8x8xbf16>) -> tensor<16x8xbf16>
      %246 = "stablehlo.convert"(%245) : (tensor<16x8xbf16>) -> tensor<16x8xf32>
      %247 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %248 = "stablehlo.reduce"(%246, %247) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
        %326 = "stablehlo.maximum"(%arg89, %arg90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%326) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %249 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %250 = "stablehlo.broadcast_in_dim"(%249) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %251 = "stablehlo.maximum"(%250, %248) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %252 = "stablehlo.broadcast_in_dim"(%251) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %253 = "stablehlo.broadcast_in_dim"(%252) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %254 = "stablehlo.subtract"(%246, %253) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %255 = "stablehlo.exponential"(%254) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %256 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %257 = "stablehlo.reduce"(%255, %256) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg87: tensor<f32>, %arg88: tensor<f32>):
        %325 = "stablehlo.add"(%arg87, %arg88) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%325) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %258 = "stablehlo.broadcast_in_dim"(%257) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %259 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %260 = "stablehlo.divide"(%255, %259) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %261:2 = "chlo.top_k"(%260) <{k = 1 : i64}> : (tensor<16x8xf32>) -> (tensor<16x1xf32>, tensor<16x1xi32>)
      %262 = "func.call"(%261#1) <{callee = @_one_hot}> : (tensor<16x1xi32>) -> tensor<16x1x8xi32>
      %263 = "stablehlo.transpose"(%262) <{permutation = array<i64: 1, 0, 2>}> : (tensor<16x1x8xi32>) -> tensor<1x16x8xi32>
      %264 = "stablehlo.reshape"(%263) : (tensor<1x16x8xi32>) -> tensor<16x8xi32>
      %265 = "func.call"(%264) <{callee = @cumsum}> : (tensor<16x8xi32>) -> tensor<16x8xi32>
      %266 = "stablehlo.subtract"(%265, %264) : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
      %267 = "stablehlo.multiply"(%266, %264) : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
      %268 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %269 = "stablehlo.reduce"(%267, %268) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg85: tensor<i32>, %arg86: tensor<i32>):
        %324 = "stablehlo.add"(%arg85, %arg86) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%324) : (tensor<i32>) -> ()
      }) : (tensor<16x8xi32>, tensor<i32>) -> tensor<16xi32>
      %270 = "stablehlo.reshape"(%269) : (tensor<16xi32>) -> tensor<1x16xi32>
      %271 = "stablehlo.transpose"(%270) <{permutation = array<i64: 1, 0>}> : (tensor<1x16xi32>) -> tensor<16x1xi32>
      %272 = "func.call"(%261#1) <{callee = @_one_hot_3}> : (tensor<16x1xi32>) -> tensor<16x1x8xf32>
      %273 = "stablehlo.broadcast_in_dim"(%272) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x1x8xf32>) -> tensor<16x1x8x1xf32>
      %274 = "func.call"(%271) <{callee = @_one_hot_3}> : (tensor<16x1xi32>) -> tensor<16x1x8xf32>
      %275 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<16x1x8xf32>) -> tensor<16x1x1x8xf32>
      %276 = "stablehlo.broadcast_in_dim"(%273) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x1x8x1xf32>) -> tensor<16x1x8x8xf32>
      %277 = "stablehlo.broadcast_in_dim"(%275) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x1x1x8xf32>) -> tensor<16x1x8x8xf32>
      %278 = "stablehlo.multiply"(%276, %277) : (tensor<16x1x8x8xf32>, tensor<16x1x8x8xf32>) -> tensor<16x1x8x8xf32>
      %279 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %280 = "stablehlo.reduce"(%278, %279) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg83: tensor<f32>, %arg84: tensor<f32>):
        %323 = "stablehlo.add"(%arg83, %arg84) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%323) : (tensor<f32>) -> ()
      }) : (tensor<16x1x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %281 = "stablehlo.broadcast_in_dim"(%261#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x1x1x1xf32>
      %282 = "stablehlo.broadcast_in_dim"(%281) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x1x1x1xf32>) -> tensor<16x1x8x8xf32>
      %283 = "stablehlo.multiply"(%278, %282) : (tensor<16x1x8x8xf32>, tensor<16x1x8x8xf32>) -> tensor<16x1x8x8xf32>
      %284 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %285 = "stablehlo.reduce"(%283, %284) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg81: tensor<f32>, %arg82: tensor<f32>):
        %322 = "stablehlo.add"(%arg81, %arg82) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%322) : (tensor<f32>) -> ()
      }) : (tensor<16x1x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %286 = "stablehlo.convert"(%280) : (tensor<16x8x8xf32>) -> tensor<16x8x8xbf16>
      %287 = "stablehlo.dot_general"(%286, %218) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xbf16>, tensor<16x8xbf16>) -> tensor<8x8x8xbf16>
      %288 = "stablehlo.reshape"(%287) : (tensor<8x8x8xbf16>) -> tensor<4x2x8x8xbf16>
      %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<4x2x8x8xbf16>) -> tensor<4x2x1x8x8xbf16>
      %290 = "stablehlo.all_to_all"(%289) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 2 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x1x8x8xbf16>) -> tensor<1x2x4x8x8xbf16>
      %291 = "stablehlo.reshape"(%290) : (tensor<1x2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
      %292 = "stablehlo.reshape"(%291) : (tensor<2x4x8x8xbf16>) -> tensor<2x32x8xbf16>
      %293 = "stablehlo.dot_general"(%292, %221) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xbf16>, tensor<2x8x16xbf16>) -> tensor<2x32x16xbf16>
      %294 = "stablehlo.multiply"(%293, %293) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %295 = "stablehlo.multiply"(%294, %293) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %296 = "stablehlo.constant"() <{value = dense<4.467770e-02> : tensor<bf16>}> : () -> tensor<bf16>
      %297 = "stablehlo.broadcast_in_dim"(%296) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %298 = "stablehlo.multiply"(%297, %295) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %299 = "stablehlo.add"(%293, %298) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %300 = "stablehlo.constant"() <{value = dense<7.968750e-01> : tensor<bf16>}> : () -> tensor<bf16>
      %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %302 = "stablehlo.multiply"(%301, %299) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %303 = "stablehlo.tanh"(%302) : (tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %304 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
      %305 = "stablehlo.broadcast_in_dim"(%304) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %306 = "stablehlo.add"(%305, %303) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %307 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<bf16>}> : () -> tensor<bf16>
      %308 = "stablehlo.broadcast_in_dim"(%307) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x32x16xbf16>
      %309 = "stablehlo.multiply"(%308, %306) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %310 = "stablehlo.multiply"(%293, %309) : (tensor<2x32x16xbf16>, tensor<2x32x16xbf16>) -> tensor<2x32x16xbf16>
      %311 = "stablehlo.dot_general"(%310, %219) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xbf16>, tensor<2x16x8xbf16>) -> tensor<2x32x8xbf16>
      %312 = "stablehlo.all_reduce"(%311) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg79: tensor<bf16>, %arg80: tensor<bf16>):
        %321 = "stablehlo.add"(%arg79, %arg80) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
        "stablehlo.return"(%321) : (tensor<bf16>) -> ()
      }) : (tensor<2x32x8xbf16>) -> tensor<2x32x8xbf16>
      %313 = "stablehlo.reshape"(%312) : (tensor<2x32x8xbf16>) -> tensor<2x4x8x8xbf16>
      %314 = "stablehlo.broadcast_in_dim"(%313) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x8x8xbf16>) -> tensor<1x2x4x8x8xbf16>
      %315 = "stablehlo.all_to_all"(%314) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 2 : i64}> : (tensor<1x2x4x8x8xbf16>) -> tensor<4x2x1x8x8xbf16>
      %316 = "stablehlo.reshape"(%315) : (tensor<4x2x1x8x8xbf16>) -> tensor<4x2x8x8xbf16>
      %317 = "stablehlo.reshape"(%316) : (tensor<4x2x8x8xbf16>) -> tensor<8x8x8xbf16>
      %318 = "stablehlo.convert"(%285) : (tensor<16x8x8xf32>) -> tensor<16x8x8xbf16>
      %319 = "stablehlo.dot_general"(%318, %317) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xbf16>, tensor<8x8x8xbf16>) -> tensor<16x8xbf16>
      %320 = "stablehlo.convert"(%319) : (tensor<16x8xbf16>) -> tensor<16x8xf32>
      "sdy.return"(%320) : (tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%217) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>, res_attrs = [{}], sym_name = "_threefry_fold_in", sym_visibility = "private"}> ({
  ^bb0(%arg69: tensor<2xui32>, %arg70: tensor<ui32>):
    %202 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %203 = "stablehlo.shift_right_logical"(%arg70, %202) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %204 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %205 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<ui32>}> : () -> tensor<ui32>
    %206 = "stablehlo.and"(%arg70, %205) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %208 = "stablehlo.concatenate"(%204, %207) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %209 = "stablehlo.slice"(%arg69) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %210 = "stablehlo.reshape"(%209) : (tensor<1xui32>) -> tensor<ui32>
    %211 = "stablehlo.slice"(%arg69) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %212 = "stablehlo.reshape"(%211) : (tensor<1xui32>) -> tensor<ui32>
    %213 = "stablehlo.slice"(%208) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %214 = "stablehlo.slice"(%208) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %215:2 = "func.call"(%210, %212, %213, %214) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>)
    %216 = "stablehlo.concatenate"(%215#0, %215#1) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    "func.return"(%216) : (tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg47: tensor<ui32>, %arg48: tensor<ui32>, %arg49: tensor<1xui32>, %arg50: tensor<1xui32>):
    %185 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %186 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %187 = "stablehlo.xor"(%arg47, %arg48) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %188 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %189 = "stablehlo.xor"(%187, %188) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %190 = "stablehlo.broadcast_in_dim"(%arg47) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %191 = "stablehlo.add"(%arg49, %190) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %192 = "stablehlo.broadcast_in_dim"(%arg48) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %193 = "stablehlo.add"(%arg50, %192) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %194 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %195 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %196:9 = "stablehlo.while"(%195, %194, %191, %193, %arg48, %189, %arg47, %185, %186) ({
    ^bb0(%arg60: tensor<i32>, %arg61: tensor<i32>, %arg62: tensor<1xui32>, %arg63: tensor<1xui32>, %arg64: tensor<ui32>, %arg65: tensor<ui32>, %arg66: tensor<ui32>, %arg67: tensor<4xui32>, %arg68: tensor<4xui32>):
      %200 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %201 = "stablehlo.compare"(%arg60, %200) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%201) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg51: tensor<i32>, %arg52: tensor<i32>, %arg53: tensor<1xui32>, %arg54: tensor<1xui32>, %arg55: tensor<ui32>, %arg56: tensor<ui32>, %arg57: tensor<ui32>, %arg58: tensor<4xui32>, %arg59: tensor<4xui32>):
      %197:8 = "func.call"(%arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59) <{callee = @closed_call}> : (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %198 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %199 = "stablehlo.add"(%arg51, %198) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%199, %197#0, %197#1, %197#2, %197#3, %197#4, %197#5, %197#6, %197#7) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%196#2, %196#3) : (tensor<1xui32>, tensor<1xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<i32>, %arg40: tensor<1xui32>, %arg41: tensor<1xui32>, %arg42: tensor<ui32>, %arg43: tensor<ui32>, %arg44: tensor<ui32>, %arg45: tensor<4xui32>, %arg46: tensor<4xui32>):
    %130 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %131 = "stablehlo.add"(%arg39, %130) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %132 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %133 = "stablehlo.reshape"(%132) : (tensor<1xui32>) -> tensor<ui32>
    %134 = "stablehlo.add"(%arg40, %arg41) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %135 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %136 = "stablehlo.shift_left"(%arg41, %135) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %137 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %138 = "stablehlo.subtract"(%137, %133) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %140 = "stablehlo.shift_right_logical"(%arg41, %139) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %141 = "stablehlo.or"(%136, %140) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %142 = "stablehlo.xor"(%134, %141) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %143 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %144 = "stablehlo.reshape"(%143) : (tensor<1xui32>) -> tensor<ui32>
    %145 = "stablehlo.add"(%134, %142) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %146 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %147 = "stablehlo.shift_left"(%142, %146) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %148 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %149 = "stablehlo.subtract"(%148, %144) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %151 = "stablehlo.shift_right_logical"(%142, %150) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %152 = "stablehlo.or"(%147, %151) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %153 = "stablehlo.xor"(%145, %152) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %154 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %155 = "stablehlo.reshape"(%154) : (tensor<1xui32>) -> tensor<ui32>
    %156 = "stablehlo.add"(%145, %153) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %157 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %158 = "stablehlo.shift_left"(%153, %157) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %159 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %160 = "stablehlo.subtract"(%159, %155) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %162 = "stablehlo.shift_right_logical"(%153, %161) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %163 = "stablehlo.or"(%158, %162) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %164 = "stablehlo.xor"(%156, %163) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %165 = "stablehlo.slice"(%arg45) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %166 = "stablehlo.reshape"(%165) : (tensor<1xui32>) -> tensor<ui32>
    %167 = "stablehlo.add"(%156, %164) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %168 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %169 = "stablehlo.shift_left"(%164, %168) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %170 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %171 = "stablehlo.subtract"(%170, %166) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %173 = "stablehlo.shift_right_logical"(%164, %172) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %174 = "stablehlo.or"(%169, %173) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %175 = "stablehlo.xor"(%167, %174) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %176 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %177 = "stablehlo.add"(%167, %176) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %178 = "stablehlo.broadcast_in_dim"(%arg43) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %179 = "stablehlo.add"(%175, %178) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %180 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %181 = "stablehlo.add"(%arg39, %180) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %182 = "stablehlo.convert"(%181) : (tensor<i32>) -> tensor<ui32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %184 = "stablehlo.add"(%179, %183) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    "func.return"(%131, %177, %184, %arg43, %arg44, %arg42, %arg46, %arg45) : (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<16x8xf32>, res_attrs = [{}], sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<2xui32>, %arg37: tensor<f32>, %arg38: tensor<f32>):
    %89 = "stablehlo.convert"(%arg37) : (tensor<f32>) -> tensor<f32>
    %90 = "stablehlo.convert"(%arg38) : (tensor<f32>) -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %92 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %93 = "stablehlo.slice"(%arg36) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %94 = "stablehlo.reshape"(%93) : (tensor<1xui32>) -> tensor<ui32>
    %95 = "stablehlo.slice"(%arg36) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %96 = "stablehlo.reshape"(%95) : (tensor<1xui32>) -> tensor<ui32>
    %97 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<16x8xui64>
    %98 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<16x8xui64>
    %99 = "stablehlo.constant"() <{value = dense<8> : tensor<ui64>}> : () -> tensor<ui64>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<16x8xui64>
    %101 = "stablehlo.multiply"(%100, %97) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %102 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<16x8xui64>
    %104 = "stablehlo.multiply"(%103, %98) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %105 = "stablehlo.add"(%101, %104) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %106 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<16x8xui64>
    %108 = "stablehlo.shift_right_logical"(%105, %107) : (tensor<16x8xui64>, tensor<16x8xui64>) -> tensor<16x8xui64>
    %109 = "stablehlo.convert"(%105) : (tensor<16x8xui64>) -> tensor<16x8xui32>
    %110 = "stablehlo.convert"(%108) : (tensor<16x8xui64>) -> tensor<16x8xui32>
    %111:2 = "func.call"(%94, %96, %110, %109) <{callee = @threefry2x32_0}> : (tensor<ui32>, tensor<ui32>, tensor<16x8xui32>, tensor<16x8xui32>) -> (tensor<16x8xui32>, tensor<16x8xui32>)
    %112 = "stablehlo.xor"(%111#0, %111#1) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %113 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %115 = "stablehlo.shift_right_logical"(%112, %114) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %116 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %118 = "stablehlo.or"(%115, %117) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %119 = "stablehlo.bitcast_convert"(%118) : (tensor<16x8xui32>) -> tensor<16x8xf32>
    %120 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
    %122 = "stablehlo.subtract"(%119, %121) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %123 = "stablehlo.subtract"(%92, %91) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<16x8xf32>
    %125 = "stablehlo.multiply"(%122, %124) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %126 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<16x8xf32>
    %127 = "stablehlo.add"(%125, %126) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %128 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<16x8xf32>
    %129 = "stablehlo.maximum"(%128, %127) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    "func.return"(%129) : (tensor<16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<16x8xui32>, tensor<16x8xui32>) -> (tensor<16x8xui32>, tensor<16x8xui32>), sym_name = "threefry2x32_0", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<ui32>, %arg15: tensor<ui32>, %arg16: tensor<16x8xui32>, %arg17: tensor<16x8xui32>):
    %72 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %73 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %74 = "stablehlo.xor"(%arg14, %arg15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %75 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %76 = "stablehlo.xor"(%74, %75) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %77 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %78 = "stablehlo.add"(%arg16, %77) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %79 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %80 = "stablehlo.add"(%arg17, %79) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %81 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %82 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %83:9 = "stablehlo.while"(%82, %81, %78, %80, %arg15, %76, %arg14, %72, %73) ({
    ^bb0(%arg27: tensor<i32>, %arg28: tensor<i32>, %arg29: tensor<16x8xui32>, %arg30: tensor<16x8xui32>, %arg31: tensor<ui32>, %arg32: tensor<ui32>, %arg33: tensor<ui32>, %arg34: tensor<4xui32>, %arg35: tensor<4xui32>):
      %87 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %88 = "stablehlo.compare"(%arg27, %87) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%88) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg18: tensor<i32>, %arg19: tensor<i32>, %arg20: tensor<16x8xui32>, %arg21: tensor<16x8xui32>, %arg22: tensor<ui32>, %arg23: tensor<ui32>, %arg24: tensor<ui32>, %arg25: tensor<4xui32>, %arg26: tensor<4xui32>):
      %84:8 = "func.call"(%arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26) <{callee = @closed_call_1}> : (tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %85 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %86 = "stablehlo.add"(%arg18, %85) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%86, %84#0, %84#1, %84#2, %84#3, %84#4, %84#5, %84#6, %84#7) : (tensor<i32>, tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%83#2, %83#3) : (tensor<16x8xui32>, tensor<16x8xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call_1", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<i32>, %arg7: tensor<16x8xui32>, %arg8: tensor<16x8xui32>, %arg9: tensor<ui32>, %arg10: tensor<ui32>, %arg11: tensor<ui32>, %arg12: tensor<4xui32>, %arg13: tensor<4xui32>):
    %17 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.add"(%arg6, %17) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %19 = "stablehlo.slice"(%arg12) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %20 = "stablehlo.reshape"(%19) : (tensor<1xui32>) -> tensor<ui32>
    %21 = "stablehlo.add"(%arg7, %arg8) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %22 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %23 = "stablehlo.shift_left"(%arg8, %22) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %24 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %25 = "stablehlo.subtract"(%24, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %27 = "stablehlo.shift_right_logical"(%arg8, %26) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %28 = "stablehlo.or"(%23, %27) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %29 = "stablehlo.xor"(%21, %28) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %30 = "stablehlo.slice"(%arg12) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %31 = "stablehlo.reshape"(%30) : (tensor<1xui32>) -> tensor<ui32>
    %32 = "stablehlo.add"(%21, %29) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %33 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %34 = "stablehlo.shift_left"(%29, %33) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %35 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %36 = "stablehlo.subtract"(%35, %31) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %38 = "stablehlo.shift_right_logical"(%29, %37) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %39 = "stablehlo.or"(%34, %38) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %40 = "stablehlo.xor"(%32, %39) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %41 = "stablehlo.slice"(%arg12) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1xui32>) -> tensor<ui32>
    %43 = "stablehlo.add"(%32, %40) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %44 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %45 = "stablehlo.shift_left"(%40, %44) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %46 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %47 = "stablehlo.subtract"(%46, %42) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %49 = "stablehlo.shift_right_logical"(%40, %48) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %50 = "stablehlo.or"(%45, %49) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %51 = "stablehlo.xor"(%43, %50) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %52 = "stablehlo.slice"(%arg12) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %53 = "stablehlo.reshape"(%52) : (tensor<1xui32>) -> tensor<ui32>
    %54 = "stablehlo.add"(%43, %51) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %55 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %56 = "stablehlo.shift_left"(%51, %55) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %57 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %58 = "stablehlo.subtract"(%57, %53) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %60 = "stablehlo.shift_right_logical"(%51, %59) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %61 = "stablehlo.or"(%56, %60) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %62 = "stablehlo.xor"(%54, %61) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %63 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %64 = "stablehlo.add"(%54, %63) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %65 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %66 = "stablehlo.add"(%62, %65) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %67 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %68 = "stablehlo.add"(%arg6, %67) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %69 = "stablehlo.convert"(%68) : (tensor<i32>) -> tensor<ui32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<16x8xui32>
    %71 = "stablehlo.add"(%66, %70) : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    "func.return"(%18, %64, %71, %arg10, %arg11, %arg9, %arg13, %arg12) : (tensor<i32>, tensor<16x8xui32>, tensor<16x8xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
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
    %10 = "func.call"(%arg4) <{callee = @cumsum_2}> : (tensor<16x8xi32>) -> tensor<16x8xi32>
    "func.return"(%10) : (tensor<16x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x8xi32>) -> tensor<16x8xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x1xi32>) -> tensor<16x1x8xf32>, res_attrs = [{}], sym_name = "_one_hot_3", sym_visibility = "private"}> ({
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

