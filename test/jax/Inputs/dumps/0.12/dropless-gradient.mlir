"builtin.module"() <{sym_name = "jit_dropless_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg56: tensor<8x32x8xf32>, %arg57: tensor<8x8xf32>, %arg58: tensor<8x8x32xf32>, %arg59: tensor<64x8xf32>):
    %105:25 = "sdy.manual_computation"(%arg56, %arg57, %arg58, %arg59) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>}> ({
    ^bb0(%arg105: tensor<2x16x8xf32>, %arg106: tensor<8x8xf32>, %arg107: tensor<2x8x16xf32>, %arg108: tensor<16x8xf32>):
      %271 = "stablehlo.dot_general"(%arg108, %arg106) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %272 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %273 = "stablehlo.reduce"(%271, %272) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg135: tensor<f32>, %arg136: tensor<f32>):
        %616 = "stablehlo.maximum"(%arg135, %arg136) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%616) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %274 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %275 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %276 = "stablehlo.maximum"(%275, %273) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %277 = "stablehlo.broadcast_in_dim"(%276) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %278 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %279 = "stablehlo.subtract"(%271, %278) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %280 = "stablehlo.exponential"(%279) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %281 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %282 = "stablehlo.reduce"(%280, %281) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg133: tensor<f32>, %arg134: tensor<f32>):
        %615 = "stablehlo.add"(%arg133, %arg134) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%615) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %283 = "stablehlo.broadcast_in_dim"(%282) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %284 = "stablehlo.broadcast_in_dim"(%283) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %285 = "stablehlo.divide"(%280, %284) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %286 = "stablehlo.multiply"(%283, %283) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %287 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %288 = "stablehlo.broadcast_in_dim"(%287) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %289 = "stablehlo.divide"(%288, %286) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %290:2 = "chlo.top_k"(%285) <{is_stable = true, k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %291 = "stablehlo.reshape"(%290#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %292 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %293 = "stablehlo.reduce"(%290#0, %292) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg131: tensor<f32>, %arg132: tensor<f32>):
        %614 = "stablehlo.add"(%arg131, %arg132) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%614) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %294 = "stablehlo.broadcast_in_dim"(%293) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %295 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %296 = "stablehlo.divide"(%290#0, %295) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %297 = "stablehlo.multiply"(%294, %294) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %298 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %300 = "stablehlo.divide"(%299, %297) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %301 = "stablehlo.reshape"(%290#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %302 = "func.call"(%301) <{callee = @argsort}> : (tensor<32xi32>) -> tensor<32xi32>
      %303 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %304 = "func.call"(%302, %303) <{callee = @floor_divide}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %305 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %306 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %307 = "stablehlo.compare"(%304, %306) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %308 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
      %309 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %310 = "stablehlo.add"(%304, %309) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %311 = "stablehlo.select"(%307, %310, %304) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %312 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %313 = "stablehlo.gather"(%arg108, %312) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<32x1xi32>) -> tensor<32x8xf32>
      %314 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %316 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %317 = "func.call"(%301, %316) <{callee = @clip}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %318 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %319 = "stablehlo.convert"(%318) : (tensor<i32>) -> tensor<i32>
      %320 = "stablehlo.broadcast_in_dim"(%319) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %321 = "stablehlo.compare"(%317, %320) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %322 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %323 = "stablehlo.broadcast_in_dim"(%322) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %324 = "stablehlo.add"(%317, %323) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %325 = "stablehlo.select"(%321, %324, %317) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %326 = "stablehlo.broadcast_in_dim"(%325) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %327 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %328 = "stablehlo.broadcast_in_dim"(%327) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %329 = "stablehlo.scatter"(%315, %326, %328) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg129: tensor<i32>, %arg130: tensor<i32>):
        %613 = "stablehlo.add"(%arg129, %arg130) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%613) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<8xi32>
      %330 = "stablehlo.reshape"(%329) : (tensor<8xi32>) -> tensor<4x2xi32>
      %331 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %332 = "stablehlo.reduce"(%330, %331) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg127: tensor<i32>, %arg128: tensor<i32>):
        %612 = "stablehlo.add"(%arg127, %arg128) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%612) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4xi32>
      %333 = "stablehlo.broadcast_in_dim"(%332) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
      %334 = "stablehlo.all_gather"(%333) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> : (tensor<1x4xi32>) -> tensor<4x4xi32>
      %335 = "stablehlo.broadcast_in_dim"(%329) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1x8xi32>
      %336 = "stablehlo.all_gather"(%335) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> : (tensor<1x8xi32>) -> tensor<4x8xi32>
      %337 = "stablehlo.reshape"(%336) : (tensor<4x8xi32>) -> tensor<4x4x2xi32>
      %338 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %339 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
      %340 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %341 = "stablehlo.divide"(%340, %338) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %342 = "stablehlo.remainder"(%341, %339) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %343 = "stablehlo.convert"(%342) : (tensor<ui32>) -> tensor<i32>
      %344 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %345 = "stablehlo.broadcast_in_dim"(%344) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %346 = "func.call"(%332) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %347 = "stablehlo.subtract"(%346, %332) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %348 = "func.call"(%334) <{callee = @cumsum_1}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %349 = "stablehlo.subtract"(%348, %334) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %350 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %351 = "stablehlo.convert"(%350) : (tensor<i32>) -> tensor<i32>
      %352 = "stablehlo.compare"(%343, %351) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %353 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %354 = "stablehlo.add"(%343, %353) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %355 = "stablehlo.select"(%352, %354, %343) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %356 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %357 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %358 = "stablehlo.compare"(%356, %357) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %359 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %360 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %361 = "stablehlo.add"(%359, %360) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %362 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %363 = "stablehlo.select"(%358, %361, %362) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %364 = "stablehlo.dynamic_slice"(%349, %355, %363) <{slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<1x4xi32>
      %365 = "stablehlo.reshape"(%364) : (tensor<1x4xi32>) -> tensor<4xi32>
      %366 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %367 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %368 = "stablehlo.compare"(%366, %367) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %369 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %370 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %371 = "stablehlo.add"(%369, %370) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %372 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %373 = "stablehlo.select"(%368, %371, %372) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %374 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %375 = "stablehlo.convert"(%374) : (tensor<i32>) -> tensor<i32>
      %376 = "stablehlo.compare"(%343, %375) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %377 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %378 = "stablehlo.add"(%343, %377) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %379 = "stablehlo.select"(%376, %378, %343) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %380 = "stablehlo.dynamic_slice"(%334, %373, %379) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %381 = "stablehlo.reshape"(%380) : (tensor<4x1xi32>) -> tensor<4xi32>
      %382 = "stablehlo.custom_call"(%313, %345, %347, %332, %365, %381) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<32x8xf32>, tensor<64x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<64x8xf32>
      %383 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %384 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %385 = "stablehlo.compare"(%383, %384) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %386 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %387 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %388 = "stablehlo.add"(%386, %387) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %389 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %390 = "stablehlo.select"(%385, %388, %389) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %391 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %392 = "stablehlo.convert"(%391) : (tensor<i32>) -> tensor<i32>
      %393 = "stablehlo.compare"(%343, %392) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %394 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %395 = "stablehlo.add"(%343, %394) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %396 = "stablehlo.select"(%393, %395, %343) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %397 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %398 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %399 = "stablehlo.compare"(%397, %398) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %400 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %401 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %402 = "stablehlo.add"(%400, %401) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %403 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %404 = "stablehlo.select"(%399, %402, %403) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %405 = "stablehlo.dynamic_slice"(%337, %390, %396, %404) <{slice_sizes = array<i64: 4, 1, 2>}> : (tensor<4x4x2xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x2xi32>
      %406 = "stablehlo.reshape"(%405) : (tensor<4x1x2xi32>) -> tensor<4x2xi32>
      %407 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
      %408 = "stablehlo.reshape"(%407) : (tensor<2xi32>) -> tensor<1x2xi32>
      %409 = "stablehlo.broadcast_in_dim"(%408) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xi32>) -> tensor<4x2xi32>
      %410 = "stablehlo.reshape"(%409) : (tensor<4x2xi32>) -> tensor<8xi32>
      %411 = "stablehlo.reshape"(%406) : (tensor<4x2xi32>) -> tensor<8xi32>
      %412 = "func.call"(%411) <{callee = @_roll_static}> : (tensor<8xi32>) -> tensor<8xi32>
      %413 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %414 = "stablehlo.broadcast_in_dim"(%413) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
      %415 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %416 = "stablehlo.scatter"(%412, %414, %415) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg125: tensor<i32>, %arg126: tensor<i32>):
        "stablehlo.return"(%arg126) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<1xi32>, tensor<i32>) -> tensor<8xi32>
      %417 = "func.call"(%416) <{callee = @cumsum_3}> : (tensor<8xi32>) -> tensor<8xi32>
      %418 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %419 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %420 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %421 = "stablehlo.convert"(%420) : (tensor<i32>) -> tensor<i32>
      %422 = "stablehlo.broadcast_in_dim"(%421) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %423 = "stablehlo.compare"(%417, %422) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
      %424 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %425 = "stablehlo.broadcast_in_dim"(%424) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %426 = "stablehlo.add"(%417, %425) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %427 = "stablehlo.select"(%423, %426, %417) : (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %428 = "stablehlo.broadcast_in_dim"(%427) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
      %429 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %430 = "stablehlo.broadcast_in_dim"(%429) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %431 = "stablehlo.scatter"(%419, %428, %430) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg123: tensor<i32>, %arg124: tensor<i32>):
        %611 = "stablehlo.add"(%arg123, %arg124) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%611) : (tensor<i32>) -> ()
      }) : (tensor<64xi32>, tensor<8x1xi32>, tensor<8xi32>) -> tensor<64xi32>
      %432 = "func.call"(%431) <{callee = @cumsum_5}> : (tensor<64xi32>) -> tensor<64xi32>
      %433 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %434 = "stablehlo.convert"(%433) : (tensor<i32>) -> tensor<i32>
      %435 = "stablehlo.broadcast_in_dim"(%434) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %436 = "stablehlo.subtract"(%432, %435) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %437 = "func.call"(%410, %436) <{callee = @_take}> : (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>
      %438 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xi32>
      %439 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %440 = "stablehlo.reduce"(%406, %439) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg121: tensor<i32>, %arg122: tensor<i32>):
        %610 = "stablehlo.add"(%arg121, %arg122) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%610) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<i32>
      %441 = "stablehlo.broadcast_in_dim"(%440) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %442 = "stablehlo.compare"(%438, %441) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %443 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %444 = "func.call"(%442, %437, %443) <{callee = @_where_8}> : (tensor<64xi1>, tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
      %445 = "func.call"(%444) <{callee = @argsort_9}> : (tensor<64xi32>) -> tensor<64xi32>
      %446 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %447 = "stablehlo.reduce"(%406, %446) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg119: tensor<i32>, %arg120: tensor<i32>):
        %609 = "stablehlo.add"(%arg119, %arg120) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%609) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<2xi32>
      %448 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %449 = "stablehlo.broadcast_in_dim"(%448) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %450 = "stablehlo.compare"(%445, %449) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %451 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %452 = "stablehlo.broadcast_in_dim"(%451) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %453 = "stablehlo.add"(%445, %452) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %454 = "stablehlo.select"(%450, %453, %445) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %455 = "stablehlo.broadcast_in_dim"(%454) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %456 = "stablehlo.gather"(%382, %455) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<64x1xi32>) -> tensor<64x8xf32>
      %457 = "stablehlo.broadcast_in_dim"(%456) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %458 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %459 = "func.call"(%447) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %460 = "stablehlo.subtract"(%459, %447) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %461 = "stablehlo.broadcast_in_dim"(%459) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %462 = "stablehlo.broadcast_in_dim"(%460) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %463 = "stablehlo.compare"(%462, %458) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %464 = "stablehlo.compare"(%458, %461) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %465 = "stablehlo.and"(%463, %464) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %466 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %467 = "stablehlo.broadcast_in_dim"(%466) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %468 = "stablehlo.select"(%465, %457, %467) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %469 = "stablehlo.dot_general"(%468, %arg107) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x8x16xf32>) -> tensor<64x16xf32>
      %470:3 = "func.call"(%469) <{callee = @silu}> : (tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
      %471 = "stablehlo.broadcast_in_dim"(%470#0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %472 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %473 = "func.call"(%447) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %474 = "stablehlo.subtract"(%473, %447) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %475 = "stablehlo.broadcast_in_dim"(%473) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %476 = "stablehlo.broadcast_in_dim"(%474) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %477 = "stablehlo.compare"(%476, %472) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %478 = "stablehlo.compare"(%472, %475) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %479 = "stablehlo.and"(%477, %478) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %480 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %481 = "stablehlo.broadcast_in_dim"(%480) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %482 = "stablehlo.select"(%479, %471, %481) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %483 = "stablehlo.dot_general"(%482, %arg105) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<2x16x8xf32>) -> tensor<64x8xf32>
      %484 = "stablehlo.all_reduce"(%483) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
      ^bb0(%arg117: tensor<f32>, %arg118: tensor<f32>):
        %608 = "stablehlo.add"(%arg117, %arg118) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%608) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>) -> tensor<64x8xf32>
      %485 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %486 = "stablehlo.broadcast_in_dim"(%485) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %487 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %488 = "stablehlo.broadcast_in_dim"(%487) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %489 = "stablehlo.compare"(%445, %488) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %490 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %491 = "stablehlo.broadcast_in_dim"(%490) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %492 = "stablehlo.add"(%445, %491) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %493 = "stablehlo.select"(%489, %492, %445) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %494 = "stablehlo.broadcast_in_dim"(%493) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %495 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xui32>
      %496 = "stablehlo.reshape"(%495) : (tensor<64xui32>) -> tensor<64x1xui32>
      %497 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %498 = "stablehlo.broadcast_in_dim"(%497) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<64x8xui32>
      %499 = "stablehlo.broadcast_in_dim"(%496) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<64x1xui32>) -> tensor<64x8xui32>
      %500 = "stablehlo.add"(%499, %498) : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xui32>
      %501 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %502 = "stablehlo.broadcast_in_dim"(%501) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<64x8xui32>
      %503 = "stablehlo.scatter"(%502, %494, %500) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg115: tensor<ui32>, %arg116: tensor<ui32>):
        "stablehlo.return"(%arg116) : (tensor<ui32>) -> ()
      }) : (tensor<64x8xui32>, tensor<64x1xi32>, tensor<64x8xui32>) -> tensor<64x8xui32>
      %504 = "stablehlo.gather"(%503, %494) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xui32>, tensor<64x1xi32>) -> tensor<64x8xui32>
      %505 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %506 = "stablehlo.broadcast_in_dim"(%505) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<64x8xui32>
      %507 = "stablehlo.compare"(%503, %506) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xi1>
      %508 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %509 = "stablehlo.broadcast_in_dim"(%508) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %510 = "stablehlo.select"(%507, %486, %509) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %511 = "stablehlo.compare"(%500, %504) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xi1>
      %512 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %513 = "stablehlo.broadcast_in_dim"(%512) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %514 = "stablehlo.select"(%511, %484, %513) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %515 = "stablehlo.compare"(%500, %504) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xi1>
      %516 = "stablehlo.scatter"(%510, %494, %514) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg113: tensor<f32>, %arg114: tensor<f32>):
        %607 = "stablehlo.add"(%arg113, %arg114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%607) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>, tensor<64x1xi32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %517 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %518 = "stablehlo.broadcast_in_dim"(%517) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %519 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %520 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %521 = "stablehlo.compare"(%519, %520) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %522 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %523 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %524 = "stablehlo.add"(%522, %523) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %525 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %526 = "stablehlo.select"(%521, %524, %525) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %527 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %528 = "stablehlo.convert"(%527) : (tensor<i32>) -> tensor<i32>
      %529 = "stablehlo.compare"(%343, %528) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %530 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %531 = "stablehlo.add"(%343, %530) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %532 = "stablehlo.select"(%529, %531, %343) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %533 = "stablehlo.dynamic_slice"(%334, %526, %532) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %534 = "stablehlo.reshape"(%533) : (tensor<4x1xi32>) -> tensor<4xi32>
      %535 = "func.call"(%534) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %536 = "stablehlo.subtract"(%535, %534) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %537 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %538 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %539 = "stablehlo.compare"(%537, %538) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %540 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %541 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %542 = "stablehlo.add"(%540, %541) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %543 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %544 = "stablehlo.select"(%539, %542, %543) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %545 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %546 = "stablehlo.convert"(%545) : (tensor<i32>) -> tensor<i32>
      %547 = "stablehlo.compare"(%343, %546) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %548 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %549 = "stablehlo.add"(%343, %548) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %550 = "stablehlo.select"(%547, %549, %343) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %551 = "stablehlo.dynamic_slice"(%334, %544, %550) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %552 = "stablehlo.reshape"(%551) : (tensor<4x1xi32>) -> tensor<4xi32>
      %553 = "func.call"(%334) <{callee = @cumsum_11}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %554 = "stablehlo.subtract"(%553, %334) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %555 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %556 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %557 = "stablehlo.compare"(%555, %556) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %558 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %559 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %560 = "stablehlo.add"(%558, %559) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %561 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %562 = "stablehlo.select"(%557, %560, %561) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %563 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %564 = "stablehlo.convert"(%563) : (tensor<i32>) -> tensor<i32>
      %565 = "stablehlo.compare"(%343, %564) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %566 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %567 = "stablehlo.add"(%343, %566) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %568 = "stablehlo.select"(%565, %567, %343) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %569 = "stablehlo.dynamic_slice"(%554, %562, %568) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %570 = "stablehlo.reshape"(%569) : (tensor<4x1xi32>) -> tensor<4xi32>
      %571 = "stablehlo.custom_call"(%516, %518, %536, %552, %570, %332) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<64x8xf32>, tensor<32x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<32x8xf32>
      %572 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %573 = "stablehlo.broadcast_in_dim"(%572) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %574 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %575 = "stablehlo.broadcast_in_dim"(%574) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %576 = "stablehlo.compare"(%302, %575) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %577 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
      %578 = "stablehlo.broadcast_in_dim"(%577) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %579 = "stablehlo.add"(%302, %578) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %580 = "stablehlo.select"(%576, %579, %302) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %581 = "stablehlo.broadcast_in_dim"(%580) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %582 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xui32>
      %583 = "stablehlo.reshape"(%582) : (tensor<32xui32>) -> tensor<32x1xui32>
      %584 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %585 = "stablehlo.broadcast_in_dim"(%584) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<32x8xui32>
      %586 = "stablehlo.broadcast_in_dim"(%583) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xui32>) -> tensor<32x8xui32>
      %587 = "stablehlo.add"(%586, %585) : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xui32>
      %588 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %589 = "stablehlo.broadcast_in_dim"(%588) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<32x8xui32>
      %590 = "stablehlo.scatter"(%589, %581, %587) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg111: tensor<ui32>, %arg112: tensor<ui32>):
        "stablehlo.return"(%arg112) : (tensor<ui32>) -> ()
      }) : (tensor<32x8xui32>, tensor<32x1xi32>, tensor<32x8xui32>) -> tensor<32x8xui32>
      %591 = "stablehlo.gather"(%590, %581) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xui32>, tensor<32x1xi32>) -> tensor<32x8xui32>
      %592 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %593 = "stablehlo.broadcast_in_dim"(%592) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<32x8xui32>
      %594 = "stablehlo.compare"(%590, %593) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xi1>
      %595 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %596 = "stablehlo.broadcast_in_dim"(%595) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %597 = "stablehlo.select"(%594, %573, %596) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %598 = "stablehlo.compare"(%587, %591) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xi1>
      %599 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %600 = "stablehlo.broadcast_in_dim"(%599) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %601 = "stablehlo.select"(%598, %571, %600) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %602 = "stablehlo.compare"(%587, %591) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xi1>
      %603 = "stablehlo.scatter"(%597, %581, %601) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg109: tensor<f32>, %arg110: tensor<f32>):
        %606 = "stablehlo.add"(%arg109, %arg110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%606) : (tensor<f32>) -> ()
      }) : (tensor<32x8xf32>, tensor<32x1xi32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %604 = "stablehlo.reshape"(%603) : (tensor<32x8xf32>) -> tensor<16x2x8xf32>
      %605 = "stablehlo.dot_general"(%604, %296) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8xf32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      "sdy.return"(%605, %280, %283, %289, %291, %294, %290#0, %300, %456, %447, %470#1, %470#2, %469, %447, %470#0, %515, %494, %536, %552, %570, %332, %602, %581, %296, %604) : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<64x8xf32>, tensor<2xi32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<2xi32>, tensor<64x16xf32>, tensor<64x8xi1>, tensor<64x1xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<32x8xi1>, tensor<32x1xi32>, tensor<16x2xf32>, tensor<16x2x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<512x8xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<256x8xi1>, tensor<256x1xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<128x8xi1>, tensor<128x1xi32>, tensor<64x2xf32>, tensor<64x2x8xf32>)
    %106 = "stablehlo.multiply"(%105#0, %105#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %107 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %109 = "stablehlo.multiply"(%108, %105#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %110 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.reduce"(%106, %110) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg103: tensor<f32>, %arg104: tensor<f32>):
      %270 = "stablehlo.add"(%arg103, %arg104) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%270) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %112 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.divide"(%111, %112) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %114 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.divide"(%114, %115) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %118 = "stablehlo.multiply"(%117, %109) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %119:3 = "sdy.manual_computation"(%118, %arg59, %105#1, %105#2, %105#3, %105#4, %105#5, %105#6, %105#7, %105#8, %105#9, %105#10, %105#11, %105#12, %arg56, %105#13, %105#14, %105#15, %105#16, %105#17, %105#18, %105#19, %105#20, %105#21, %105#22, %105#23, %105#24) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg60: tensor<16x8xf32>, %arg61: tensor<16x8xf32>, %arg62: tensor<16x8xf32>, %arg63: tensor<16x1xf32>, %arg64: tensor<16x1xf32>, %arg65: tensor<16x2x1xi32>, %arg66: tensor<16x1xf32>, %arg67: tensor<16x2xf32>, %arg68: tensor<16x1xf32>, %arg69: tensor<64x8xf32>, %arg70: tensor<2xi32>, %arg71: tensor<64x16xf32>, %arg72: tensor<64x16xf32>, %arg73: tensor<64x16xf32>, %arg74: tensor<2x16x8xf32>, %arg75: tensor<2xi32>, %arg76: tensor<64x16xf32>, %arg77: tensor<64x8xi1>, %arg78: tensor<64x1xi32>, %arg79: tensor<4xi32>, %arg80: tensor<4xi32>, %arg81: tensor<4xi32>, %arg82: tensor<4xi32>, %arg83: tensor<32x8xi1>, %arg84: tensor<32x1xi32>, %arg85: tensor<16x2xf32>, %arg86: tensor<16x2x8xf32>):
      %120 = "stablehlo.dot_general"(%arg60, %arg86) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x2x8xf32>) -> tensor<16x2xf32>
      %121 = "stablehlo.dot_general"(%arg60, %arg85) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x2xf32>) -> tensor<16x8x2xf32>
      %122 = "stablehlo.transpose"(%121) <{permutation = array<i64: 0, 2, 1>}> : (tensor<16x8x2xf32>) -> tensor<16x2x8xf32>
      %123 = "stablehlo.reshape"(%122) : (tensor<16x2x8xf32>) -> tensor<32x8xf32>
      %124 = "stablehlo.constant"() <{value = dense<31> : tensor<1xi32>}> : () -> tensor<1xi32>
      %125 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32x1xi32>
      %127 = "stablehlo.compare"(%arg84, %126) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
      %128 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
      %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<32x1xi32>
      %130 = "stablehlo.compare"(%arg84, %129) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
      %131 = "stablehlo.and"(%127, %130) : (tensor<32x1xi1>, tensor<32x1xi1>) -> tensor<32x1xi1>
      %132 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      %133 = "stablehlo.reduce"(%131, %132) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg101: tensor<i1>, %arg102: tensor<i1>):
        %269 = "stablehlo.and"(%arg101, %arg102) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%269) : (tensor<i1>) -> ()
      }) : (tensor<32x1xi1>, tensor<i1>) -> tensor<32xi1>
      %134 = "stablehlo.gather"(%123, %arg84) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<32x1xi32>) -> tensor<32x8xf32>
      %135 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi1>) -> tensor<32x8xi1>
      %136 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %138 = "stablehlo.select"(%135, %134, %137) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %139 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %141 = "stablehlo.select"(%arg83, %138, %140) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %142 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %144 = "stablehlo.all_to_all"(%arg81) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4xi32>) -> tensor<4xi32>
      %145 = "stablehlo.all_to_all"(%arg79) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4xi32>) -> tensor<4xi32>
      %146 = "stablehlo.custom_call"(%141, %143, %144, %arg82, %145, %arg80) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<32x8xf32>, tensor<64x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<64x8xf32>
      %147 = "stablehlo.constant"() <{value = dense<63> : tensor<1xi32>}> : () -> tensor<1xi32>
      %148 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64x1xi32>
      %150 = "stablehlo.compare"(%arg78, %149) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
      %151 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
      %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<64x1xi32>
      %153 = "stablehlo.compare"(%arg78, %152) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
      %154 = "stablehlo.and"(%150, %153) : (tensor<64x1xi1>, tensor<64x1xi1>) -> tensor<64x1xi1>
      %155 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      %156 = "stablehlo.reduce"(%154, %155) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg99: tensor<i1>, %arg100: tensor<i1>):
        %268 = "stablehlo.and"(%arg99, %arg100) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%268) : (tensor<i1>) -> ()
      }) : (tensor<64x1xi1>, tensor<i1>) -> tensor<64xi1>
      %157 = "stablehlo.gather"(%146, %arg78) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<64x1xi32>) -> tensor<64x8xf32>
      %158 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi1>) -> tensor<64x8xi1>
      %159 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %160 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %161 = "stablehlo.select"(%158, %157, %160) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %162 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %164 = "stablehlo.select"(%arg77, %161, %163) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %165 = "stablehlo.broadcast_in_dim"(%arg76) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %166 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %167 = "func.call"(%arg75) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %168 = "stablehlo.subtract"(%167, %arg75) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %169 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %170 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %171 = "stablehlo.compare"(%170, %166) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %172 = "stablehlo.compare"(%166, %169) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %173 = "stablehlo.and"(%171, %172) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %174 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %176 = "stablehlo.select"(%173, %165, %175) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %177 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %178 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %179 = "func.call"(%arg75) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %180 = "stablehlo.subtract"(%179, %arg75) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %181 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %182 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %183 = "stablehlo.compare"(%182, %178) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %184 = "stablehlo.compare"(%178, %181) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %185 = "stablehlo.and"(%183, %184) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %186 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %188 = "stablehlo.select"(%185, %177, %187) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %189 = "stablehlo.dot_general"(%176, %188) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<2x64x8xf32>) -> tensor<2x16x8xf32>
      %190 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %191 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %192 = "func.call"(%arg75) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %193 = "stablehlo.subtract"(%192, %arg75) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %194 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %195 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %196 = "stablehlo.compare"(%195, %191) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %197 = "stablehlo.compare"(%191, %194) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %198 = "stablehlo.and"(%196, %197) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %199 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %200 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %201 = "stablehlo.select"(%198, %190, %200) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %202 = "stablehlo.dot_general"(%201, %arg74) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [2, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x16x8xf32>) -> tensor<64x16xf32>
      %203 = "func.call"(%arg71, %arg72, %arg73, %202) <{callee = @silu_13}> : (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
      %204 = "stablehlo.broadcast_in_dim"(%arg69) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %205 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %206 = "func.call"(%arg70) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %207 = "stablehlo.subtract"(%206, %arg70) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %208 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %209 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %210 = "stablehlo.compare"(%209, %205) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %211 = "stablehlo.compare"(%205, %208) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %212 = "stablehlo.and"(%210, %211) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %213 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %214 = "stablehlo.broadcast_in_dim"(%213) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %215 = "stablehlo.select"(%212, %204, %214) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %216 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %217 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %218 = "func.call"(%arg70) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %219 = "stablehlo.subtract"(%218, %arg70) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %220 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %221 = "stablehlo.broadcast_in_dim"(%219) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %222 = "stablehlo.compare"(%221, %217) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %223 = "stablehlo.compare"(%217, %220) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %224 = "stablehlo.and"(%222, %223) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %225 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %227 = "stablehlo.select"(%224, %216, %226) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %228 = "stablehlo.dot_general"(%215, %227) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x64x16xf32>) -> tensor<2x8x16xf32>
      %229 = "stablehlo.broadcast_in_dim"(%arg68) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %230 = "stablehlo.multiply"(%120, %229) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %231 = "stablehlo.multiply"(%230, %arg67) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %232 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %233 = "stablehlo.reduce"(%231, %232) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg97: tensor<f32>, %arg98: tensor<f32>):
        %267 = "stablehlo.add"(%arg97, %arg98) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%267) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %234 = "stablehlo.reshape"(%233) : (tensor<16xf32>) -> tensor<16x1xf32>
      %235 = "stablehlo.negate"(%234) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %236 = "stablehlo.broadcast_in_dim"(%arg66) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %237 = "stablehlo.divide"(%120, %236) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %238 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %239 = "stablehlo.reduce"(%235, %238) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg95: tensor<f32>, %arg96: tensor<f32>):
        %266 = "stablehlo.add"(%arg95, %arg96) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%266) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %240 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %241 = "stablehlo.add"(%237, %240) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %242 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %244 = "stablehlo.scatter"(%243, %arg65, %241) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg93: tensor<f32>, %arg94: tensor<f32>):
        %265 = "stablehlo.add"(%arg93, %arg94) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%265) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %245 = "stablehlo.broadcast_in_dim"(%arg64) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %246 = "stablehlo.multiply"(%244, %245) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %247 = "stablehlo.multiply"(%246, %arg62) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %248 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %249 = "stablehlo.reduce"(%247, %248) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg91: tensor<f32>, %arg92: tensor<f32>):
        %264 = "stablehlo.add"(%arg91, %arg92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%264) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %250 = "stablehlo.reshape"(%249) : (tensor<16xf32>) -> tensor<16x1xf32>
      %251 = "stablehlo.negate"(%250) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %252 = "stablehlo.broadcast_in_dim"(%arg63) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %253 = "stablehlo.divide"(%244, %252) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %254 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %255 = "stablehlo.reduce"(%251, %254) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
        %263 = "stablehlo.add"(%arg89, %arg90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%263) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %256 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %257 = "stablehlo.add"(%253, %256) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %258 = "stablehlo.multiply"(%257, %arg62) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %259 = "stablehlo.dot_general"(%258, %arg61) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %260 = "stablehlo.transpose"(%259) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %261 = "stablehlo.all_reduce"(%260) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> ({
      ^bb0(%arg87: tensor<f32>, %arg88: tensor<f32>):
        %262 = "stablehlo.add"(%arg87, %arg88) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%262) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%189, %261, %228) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<512x8xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<8x32x8xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<256x8xi1>, tensor<256x1xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<128x8xi1>, tensor<128x1xi32>, tensor<64x2xf32>, tensor<64x2x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%113, %119#0, %119#1, %119#2) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg51: tensor<32xi32>):
    %102 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %103:2 = "stablehlo.sort"(%arg51, %102) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg52: tensor<i32>, %arg53: tensor<i32>, %arg54: tensor<i32>, %arg55: tensor<i32>):
      %104 = "stablehlo.compare"(%arg52, %arg53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%104) : (tensor<i1>) -> ()
    }) : (tensor<32xi32>, tensor<32xi32>) -> (tensor<32xi32>, tensor<32xi32>)
    "func.return"(%103#1) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg49: tensor<32xi32>, %arg50: tensor<i32>):
    %85 = "stablehlo.convert"(%arg50) : (tensor<i32>) -> tensor<i32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %87 = "stablehlo.divide"(%arg49, %86) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %88 = "stablehlo.sign"(%arg49) : (tensor<32xi32>) -> tensor<32xi32>
    %89 = "stablehlo.sign"(%85) : (tensor<i32>) -> tensor<i32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %91 = "stablehlo.compare"(%88, %90) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %92 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %93 = "stablehlo.remainder"(%arg49, %92) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %94 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %96 = "stablehlo.compare"(%93, %95) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %97 = "stablehlo.and"(%91, %96) : (tensor<32xi1>, tensor<32xi1>) -> tensor<32xi1>
    %98 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %100 = "stablehlo.subtract"(%87, %99) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %101 = "func.call"(%97, %100, %87) <{callee = @_where}> : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%101) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<32xi1>, %arg47: tensor<32xi32>, %arg48: tensor<32xi32>):
    %84 = "stablehlo.select"(%arg46, %arg47, %arg48) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%84) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg44: tensor<32xi32>, %arg45: tensor<i32>):
    %81 = "stablehlo.convert"(%arg45) : (tensor<i32>) -> tensor<i32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %83 = "stablehlo.maximum"(%82, %arg44) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%83) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xi32>) -> tensor<4xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg43: tensor<4xi32>):
    %80 = "func.call"(%arg43) <{callee = @cumsum_0}> : (tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%80) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>) -> tensor<4xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<4xi32>):
    %76 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %78 = "stablehlo.reduce_window"(%arg40, %77) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg41: tensor<i32>, %arg42: tensor<i32>):
      %79 = "stablehlo.add"(%arg41, %arg42) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%79) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%78) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, res_attrs = [{}], sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<4x4xi32>):
    %75 = "func.call"(%arg39) <{callee = @cumsum_2}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
    "func.return"(%75) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<4x4xi32>):
    %71 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %73 = "stablehlo.reduce_window"(%arg36, %72) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg37: tensor<i32>, %arg38: tensor<i32>):
      %74 = "stablehlo.add"(%arg37, %arg38) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%74) : (tensor<i32>) -> ()
    }) : (tensor<4x4xi32>, tensor<i32>) -> tensor<4x4xi32>
    "func.return"(%73) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "_roll_static", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<8xi32>):
    %68 = "stablehlo.slice"(%arg35) <{limit_indices = array<i64: 8>, start_indices = array<i64: 7>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1xi32>
    %69 = "stablehlo.slice"(%arg35) <{limit_indices = array<i64: 7>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<7xi32>
    %70 = "stablehlo.concatenate"(%68, %69) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    "func.return"(%70) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "cumsum_3", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<8xi32>):
    %67 = "func.call"(%arg34) <{callee = @cumsum_4}> : (tensor<8xi32>) -> tensor<8xi32>
    "func.return"(%67) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8xi32>) -> tensor<8xi32>, sym_name = "cumsum_4", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<8xi32>):
    %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %65 = "stablehlo.reduce_window"(%arg31, %64) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg32: tensor<i32>, %arg33: tensor<i32>):
      %66 = "stablehlo.add"(%arg32, %arg33) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%66) : (tensor<i32>) -> ()
    }) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    "func.return"(%65) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "cumsum_5", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<64xi32>):
    %62 = "func.call"(%arg30) <{callee = @cumsum_6}> : (tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%62) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<64xi32>) -> tensor<64xi32>, sym_name = "cumsum_6", sym_visibility = "private"}> ({
  ^bb0(%arg27: tensor<64xi32>):
    %58 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %60 = "stablehlo.reduce_window"(%arg27, %59) <{base_dilations = array<i64: 1>, padding = dense<[[63, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 64>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg28: tensor<i32>, %arg29: tensor<i32>):
      %61 = "stablehlo.add"(%arg28, %arg29) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%61) : (tensor<i32>) -> ()
    }) : (tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
    "func.return"(%60) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<8xi32>, %arg24: tensor<64xi32>):
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.convert"(%33) : (tensor<i32>) -> tensor<i32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %36 = "stablehlo.compare"(%arg24, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %37 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.convert"(%37) : (tensor<i32>) -> tensor<i32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %40 = "stablehlo.add"(%arg24, %39) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %41 = "func.call"(%36, %40, %arg24) <{callee = @_where_7}> : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %43 = "stablehlo.constant"() <{value = dense<7> : tensor<1xi32>}> : () -> tensor<1xi32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64x1xi32>
    %46 = "stablehlo.compare"(%42, %45) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %47 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<64x1xi32>
    %49 = "stablehlo.compare"(%42, %48) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %50 = "stablehlo.and"(%46, %49) : (tensor<64x1xi1>, tensor<64x1xi1>) -> tensor<64x1xi1>
    %51 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %52 = "stablehlo.reduce"(%50, %51) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg25: tensor<i1>, %arg26: tensor<i1>):
      %57 = "stablehlo.and"(%arg25, %arg26) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%57) : (tensor<i1>) -> ()
    }) : (tensor<64x1xi1>, tensor<i1>) -> tensor<64xi1>
    %53 = "stablehlo.gather"(%arg23, %42) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<8xi32>, tensor<64x1xi32>) -> tensor<64xi32>
    %54 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %56 = "stablehlo.select"(%52, %53, %55) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%56) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_where_7", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<64xi1>, %arg21: tensor<64xi32>, %arg22: tensor<64xi32>):
    %32 = "stablehlo.select"(%arg20, %arg21, %arg22) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%32) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<64xi1>, tensor<64xi32>, tensor<i32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_where_8", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<64xi1>, %arg18: tensor<64xi32>, %arg19: tensor<i32>):
    %29 = "stablehlo.convert"(%arg19) : (tensor<i32>) -> tensor<i32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %31 = "stablehlo.select"(%arg17, %arg18, %30) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%31) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "argsort_9", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<64xi32>):
    %26 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xi32>
    %27:2 = "stablehlo.sort"(%arg12, %26) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<i32>, %arg14: tensor<i32>, %arg15: tensor<i32>, %arg16: tensor<i32>):
      %28 = "stablehlo.compare"(%arg13, %arg14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%28) : (tensor<i1>) -> ()
    }) : (tensor<64xi32>, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>)
    "func.return"(%27#1) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, sym_name = "cumsum_10", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2xi32>):
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %24 = "stablehlo.reduce_window"(%arg9, %23) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<i32>):
      %25 = "stablehlo.add"(%arg10, %arg11) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%25) : (tensor<i32>) -> ()
    }) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%24) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<64x16xf32>):
    %9 = "stablehlo.negate"(%arg8) : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %10 = "stablehlo.exponential"(%9) : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16xf32>
    %13 = "stablehlo.add"(%12, %10) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %14 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16xf32>
    %16 = "stablehlo.divide"(%15, %13) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %17 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16xf32>
    %19 = "stablehlo.subtract"(%18, %16) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %20 = "stablehlo.multiply"(%16, %19) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %21 = "stablehlo.multiply"(%arg8, %16) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    "func.return"(%21, %20, %16) : (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, res_attrs = [{}], sym_name = "cumsum_11", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<4x4xi32>):
    %8 = "func.call"(%arg7) <{callee = @cumsum_12}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
    "func.return"(%8) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, sym_name = "cumsum_12", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x4xi32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.reduce_window"(%arg4, %5) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      %7 = "stablehlo.add"(%arg5, %arg6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%7) : (tensor<i32>) -> ()
    }) : (tensor<4x4xi32>, tensor<i32>) -> tensor<4x4xi32>
    "func.return"(%6) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>, res_attrs = [{}], sym_name = "silu_13", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<64x16xf32>, %arg3: tensor<64x16xf32>):
    %0 = "stablehlo.multiply"(%arg2, %arg3) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg1) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %2 = "stablehlo.multiply"(%0, %arg0) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    "func.return"(%3) : (tensor<64x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

