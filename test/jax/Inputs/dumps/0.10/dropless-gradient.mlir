"builtin.module"() <{sym_name = "jit_dropless_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg56: tensor<8x32x8xf32>, %arg57: tensor<8x8xf32>, %arg58: tensor<8x8x32xf32>, %arg59: tensor<64x8xf32>):
    %103:25 = "sdy.manual_computation"(%arg56, %arg57, %arg58, %arg59) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg105: tensor<2x16x8xf32>, %arg106: tensor<8x8xf32>, %arg107: tensor<2x8x16xf32>, %arg108: tensor<16x8xf32>):
      %289 = "stablehlo.dot_general"(%arg108, %arg106) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %290 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %291 = "stablehlo.reduce"(%289, %290) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg135: tensor<f32>, %arg136: tensor<f32>):
        %633 = "stablehlo.maximum"(%arg135, %arg136) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%633) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %292 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %293 = "stablehlo.broadcast_in_dim"(%292) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %294 = "stablehlo.maximum"(%293, %291) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %295 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %296 = "stablehlo.broadcast_in_dim"(%295) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %297 = "stablehlo.subtract"(%289, %296) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %298 = "stablehlo.exponential"(%297) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %299 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %300 = "stablehlo.reduce"(%298, %299) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg133: tensor<f32>, %arg134: tensor<f32>):
        %632 = "stablehlo.add"(%arg133, %arg134) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%632) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %302 = "stablehlo.broadcast_in_dim"(%301) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %303 = "stablehlo.divide"(%298, %302) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %304 = "stablehlo.multiply"(%301, %301) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %305 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %306 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %307 = "stablehlo.divide"(%306, %304) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %308:2 = "chlo.top_k"(%303) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %309 = "stablehlo.reshape"(%308#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %310 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %311 = "stablehlo.reduce"(%308#0, %310) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg131: tensor<f32>, %arg132: tensor<f32>):
        %631 = "stablehlo.add"(%arg131, %arg132) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%631) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %312 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %313 = "stablehlo.broadcast_in_dim"(%312) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %314 = "stablehlo.divide"(%308#0, %313) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %315 = "stablehlo.multiply"(%312, %312) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %316 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %317 = "stablehlo.broadcast_in_dim"(%316) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %318 = "stablehlo.divide"(%317, %315) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %319 = "stablehlo.reshape"(%308#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %320 = "func.call"(%319) <{callee = @argsort}> : (tensor<32xi32>) -> tensor<32xi32>
      %321 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %322 = "func.call"(%320, %321) <{callee = @floor_divide}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %323 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %324 = "stablehlo.broadcast_in_dim"(%323) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %325 = "stablehlo.compare"(%322, %324) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %326 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
      %327 = "stablehlo.broadcast_in_dim"(%326) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %328 = "stablehlo.add"(%322, %327) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %329 = "stablehlo.select"(%325, %328, %322) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %330 = "stablehlo.broadcast_in_dim"(%329) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %331 = "stablehlo.gather"(%arg108, %330) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<32x1xi32>) -> tensor<32x8xf32>
      %332 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %333 = "stablehlo.broadcast_in_dim"(%332) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %334 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %335 = "func.call"(%319, %334) <{callee = @clip}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %336 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %337 = "stablehlo.broadcast_in_dim"(%336) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %338 = "stablehlo.compare"(%335, %337) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %339 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %340 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %341 = "stablehlo.add"(%335, %340) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %342 = "stablehlo.select"(%338, %341, %335) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %343 = "stablehlo.broadcast_in_dim"(%342) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %344 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %345 = "stablehlo.broadcast_in_dim"(%344) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %346 = "stablehlo.scatter"(%333, %343, %345) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg129: tensor<i32>, %arg130: tensor<i32>):
        %630 = "stablehlo.add"(%arg129, %arg130) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%630) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<8xi32>
      %347 = "stablehlo.reshape"(%346) : (tensor<8xi32>) -> tensor<4x2xi32>
      %348 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %349 = "stablehlo.reduce"(%347, %348) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg127: tensor<i32>, %arg128: tensor<i32>):
        %629 = "stablehlo.add"(%arg127, %arg128) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%629) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4xi32>
      %350 = "stablehlo.broadcast_in_dim"(%349) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
      %351 = "stablehlo.all_gather"(%350) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<1x4xi32>) -> tensor<4x4xi32>
      %352 = "stablehlo.broadcast_in_dim"(%346) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1x8xi32>
      %353 = "stablehlo.all_gather"(%352) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<1x8xi32>) -> tensor<4x8xi32>
      %354 = "stablehlo.reshape"(%353) : (tensor<4x8xi32>) -> tensor<4x4x2xi32>
      %355 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %356 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
      %357 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %358 = "stablehlo.divide"(%357, %355) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %359 = "stablehlo.remainder"(%358, %356) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %360 = "stablehlo.convert"(%359) : (tensor<ui32>) -> tensor<i32>
      %361 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %362 = "stablehlo.broadcast_in_dim"(%361) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %363 = "func.call"(%349) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %364 = "stablehlo.subtract"(%363, %349) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %365 = "func.call"(%351) <{callee = @cumsum_1}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %366 = "stablehlo.subtract"(%365, %351) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %367 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %368 = "stablehlo.compare"(%360, %367) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %369 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %370 = "stablehlo.add"(%360, %369) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %371 = "stablehlo.select"(%368, %370, %360) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %372 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %373 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %374 = "stablehlo.compare"(%372, %373) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %375 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %376 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %377 = "stablehlo.add"(%375, %376) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %378 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %379 = "stablehlo.select"(%374, %377, %378) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %380 = "stablehlo.dynamic_slice"(%366, %371, %379) <{slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<1x4xi32>
      %381 = "stablehlo.reshape"(%380) : (tensor<1x4xi32>) -> tensor<4xi32>
      %382 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %383 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %384 = "stablehlo.compare"(%382, %383) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %385 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %386 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %387 = "stablehlo.add"(%385, %386) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %388 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %389 = "stablehlo.select"(%384, %387, %388) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %390 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %391 = "stablehlo.compare"(%360, %390) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %392 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %393 = "stablehlo.add"(%360, %392) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %394 = "stablehlo.select"(%391, %393, %360) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %395 = "stablehlo.dynamic_slice"(%351, %389, %394) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %396 = "stablehlo.reshape"(%395) : (tensor<4x1xi32>) -> tensor<4xi32>
      %397 = "stablehlo.custom_call"(%331, %362, %364, %349, %381, %396) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<32x8xf32>, tensor<64x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<64x8xf32>
      %398 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %399 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %400 = "stablehlo.compare"(%398, %399) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %401 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %402 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %403 = "stablehlo.add"(%401, %402) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %404 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %405 = "stablehlo.select"(%400, %403, %404) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %406 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %407 = "stablehlo.compare"(%360, %406) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %408 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %409 = "stablehlo.add"(%360, %408) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %410 = "stablehlo.select"(%407, %409, %360) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %411 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %412 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %413 = "stablehlo.compare"(%411, %412) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %414 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %415 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %416 = "stablehlo.add"(%414, %415) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %417 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %418 = "stablehlo.select"(%413, %416, %417) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %419 = "stablehlo.dynamic_slice"(%354, %405, %410, %418) <{slice_sizes = array<i64: 4, 1, 2>}> : (tensor<4x4x2xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x2xi32>
      %420 = "stablehlo.reshape"(%419) : (tensor<4x1x2xi32>) -> tensor<4x2xi32>
      %421 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
      %422 = "stablehlo.reshape"(%421) : (tensor<2xi32>) -> tensor<1x2xi32>
      %423 = "stablehlo.broadcast_in_dim"(%422) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xi32>) -> tensor<4x2xi32>
      %424 = "stablehlo.reshape"(%423) : (tensor<4x2xi32>) -> tensor<8xi32>
      %425 = "stablehlo.reshape"(%420) : (tensor<4x2xi32>) -> tensor<8xi32>
      %426 = "func.call"(%425) <{callee = @_roll_static}> : (tensor<8xi32>) -> tensor<8xi32>
      %427 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %428 = "stablehlo.broadcast_in_dim"(%427) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
      %429 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %430 = "stablehlo.scatter"(%426, %428, %429) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg125: tensor<i32>, %arg126: tensor<i32>):
        "stablehlo.return"(%arg126) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<1xi32>, tensor<i32>) -> tensor<8xi32>
      %431 = "func.call"(%430) <{callee = @cumsum_3}> : (tensor<8xi32>) -> tensor<8xi32>
      %432 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %433 = "stablehlo.broadcast_in_dim"(%432) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %434 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %435 = "stablehlo.broadcast_in_dim"(%434) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %436 = "stablehlo.compare"(%431, %435) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
      %437 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %438 = "stablehlo.broadcast_in_dim"(%437) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %439 = "stablehlo.add"(%431, %438) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %440 = "stablehlo.select"(%436, %439, %431) : (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %441 = "stablehlo.broadcast_in_dim"(%440) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
      %442 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %443 = "stablehlo.broadcast_in_dim"(%442) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %444 = "stablehlo.scatter"(%433, %441, %443) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg123: tensor<i32>, %arg124: tensor<i32>):
        %628 = "stablehlo.add"(%arg123, %arg124) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%628) : (tensor<i32>) -> ()
      }) : (tensor<64xi32>, tensor<8x1xi32>, tensor<8xi32>) -> tensor<64xi32>
      %445 = "func.call"(%444) <{callee = @cumsum_5}> : (tensor<64xi32>) -> tensor<64xi32>
      %446 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %447 = "stablehlo.broadcast_in_dim"(%446) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %448 = "stablehlo.subtract"(%445, %447) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %449 = "func.call"(%424, %448) <{callee = @_take}> : (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>
      %450 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xi32>
      %451 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %452 = "stablehlo.reduce"(%420, %451) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg121: tensor<i32>, %arg122: tensor<i32>):
        %627 = "stablehlo.add"(%arg121, %arg122) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%627) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<i32>
      %453 = "stablehlo.broadcast_in_dim"(%452) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %454 = "stablehlo.compare"(%450, %453) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %455 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %456 = "func.call"(%454, %449, %455) <{callee = @_where_8}> : (tensor<64xi1>, tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
      %457 = "func.call"(%456) <{callee = @argsort_9}> : (tensor<64xi32>) -> tensor<64xi32>
      %458 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %459 = "stablehlo.reduce"(%420, %458) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg119: tensor<i32>, %arg120: tensor<i32>):
        %626 = "stablehlo.add"(%arg119, %arg120) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%626) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<2xi32>
      %460 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %461 = "stablehlo.broadcast_in_dim"(%460) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %462 = "stablehlo.compare"(%457, %461) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %463 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %464 = "stablehlo.broadcast_in_dim"(%463) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %465 = "stablehlo.add"(%457, %464) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %466 = "stablehlo.select"(%462, %465, %457) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %467 = "stablehlo.broadcast_in_dim"(%466) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %468 = "stablehlo.gather"(%397, %467) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<64x1xi32>) -> tensor<64x8xf32>
      %469 = "stablehlo.broadcast_in_dim"(%468) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %470 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %471 = "func.call"(%459) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %472 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %473 = "stablehlo.broadcast_in_dim"(%472) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %474 = "stablehlo.slice"(%473) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %475 = "stablehlo.slice"(%471) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %476 = "stablehlo.concatenate"(%474, %475) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %477 = "stablehlo.broadcast_in_dim"(%471) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %478 = "stablehlo.broadcast_in_dim"(%476) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %479 = "stablehlo.compare"(%478, %470) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %480 = "stablehlo.compare"(%470, %477) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %481 = "stablehlo.and"(%479, %480) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %482 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %483 = "stablehlo.broadcast_in_dim"(%482) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %484 = "stablehlo.select"(%481, %469, %483) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %485 = "stablehlo.dot_general"(%484, %arg107) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x8x16xf32>) -> tensor<64x16xf32>
      %486:3 = "func.call"(%485) <{callee = @silu}> : (tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
      %487 = "stablehlo.broadcast_in_dim"(%486#0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %488 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %489 = "func.call"(%459) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %490 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %491 = "stablehlo.broadcast_in_dim"(%490) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %492 = "stablehlo.slice"(%491) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %493 = "stablehlo.slice"(%489) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %494 = "stablehlo.concatenate"(%492, %493) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %495 = "stablehlo.broadcast_in_dim"(%489) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %496 = "stablehlo.broadcast_in_dim"(%494) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %497 = "stablehlo.compare"(%496, %488) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %498 = "stablehlo.compare"(%488, %495) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %499 = "stablehlo.and"(%497, %498) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %500 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %501 = "stablehlo.broadcast_in_dim"(%500) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %502 = "stablehlo.select"(%499, %487, %501) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %503 = "stablehlo.dot_general"(%502, %arg105) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<2x16x8xf32>) -> tensor<64x8xf32>
      %504 = "stablehlo.all_reduce"(%503) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg117: tensor<f32>, %arg118: tensor<f32>):
        %625 = "stablehlo.add"(%arg117, %arg118) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%625) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>) -> tensor<64x8xf32>
      %505 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %506 = "stablehlo.broadcast_in_dim"(%505) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %507 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %508 = "stablehlo.broadcast_in_dim"(%507) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %509 = "stablehlo.compare"(%457, %508) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %510 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %511 = "stablehlo.broadcast_in_dim"(%510) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %512 = "stablehlo.add"(%457, %511) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %513 = "stablehlo.select"(%509, %512, %457) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %514 = "stablehlo.broadcast_in_dim"(%513) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %515 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xui32>
      %516 = "stablehlo.reshape"(%515) : (tensor<64xui32>) -> tensor<64x1xui32>
      %517 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %518 = "stablehlo.broadcast_in_dim"(%517) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<64x8xui32>
      %519 = "stablehlo.broadcast_in_dim"(%516) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<64x1xui32>) -> tensor<64x8xui32>
      %520 = "stablehlo.add"(%519, %518) : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xui32>
      %521 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %522 = "stablehlo.broadcast_in_dim"(%521) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<64x8xui32>
      %523 = "stablehlo.scatter"(%522, %514, %520) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg115: tensor<ui32>, %arg116: tensor<ui32>):
        "stablehlo.return"(%arg116) : (tensor<ui32>) -> ()
      }) : (tensor<64x8xui32>, tensor<64x1xi32>, tensor<64x8xui32>) -> tensor<64x8xui32>
      %524 = "stablehlo.gather"(%523, %514) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xui32>, tensor<64x1xi32>) -> tensor<64x8xui32>
      %525 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %526 = "stablehlo.broadcast_in_dim"(%525) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<64x8xui32>
      %527 = "stablehlo.compare"(%523, %526) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xi1>
      %528 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %529 = "stablehlo.broadcast_in_dim"(%528) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %530 = "stablehlo.select"(%527, %506, %529) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %531 = "stablehlo.compare"(%520, %524) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xi1>
      %532 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %533 = "stablehlo.broadcast_in_dim"(%532) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %534 = "stablehlo.select"(%531, %504, %533) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %535 = "stablehlo.compare"(%520, %524) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x8xui32>, tensor<64x8xui32>) -> tensor<64x8xi1>
      %536 = "stablehlo.scatter"(%530, %514, %534) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg113: tensor<f32>, %arg114: tensor<f32>):
        %624 = "stablehlo.add"(%arg113, %arg114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%624) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>, tensor<64x1xi32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %537 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %538 = "stablehlo.broadcast_in_dim"(%537) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %539 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %540 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %541 = "stablehlo.compare"(%539, %540) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %542 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %543 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %544 = "stablehlo.add"(%542, %543) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %545 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %546 = "stablehlo.select"(%541, %544, %545) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %547 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %548 = "stablehlo.compare"(%360, %547) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %549 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %550 = "stablehlo.add"(%360, %549) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %551 = "stablehlo.select"(%548, %550, %360) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %552 = "stablehlo.dynamic_slice"(%351, %546, %551) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %553 = "stablehlo.reshape"(%552) : (tensor<4x1xi32>) -> tensor<4xi32>
      %554 = "func.call"(%553) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %555 = "stablehlo.subtract"(%554, %553) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %556 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %557 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %558 = "stablehlo.compare"(%556, %557) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %559 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %560 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %561 = "stablehlo.add"(%559, %560) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %562 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %563 = "stablehlo.select"(%558, %561, %562) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %564 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %565 = "stablehlo.compare"(%360, %564) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %566 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %567 = "stablehlo.add"(%360, %566) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %568 = "stablehlo.select"(%565, %567, %360) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %569 = "stablehlo.dynamic_slice"(%351, %563, %568) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %570 = "stablehlo.reshape"(%569) : (tensor<4x1xi32>) -> tensor<4xi32>
      %571 = "func.call"(%351) <{callee = @cumsum_11}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %572 = "stablehlo.subtract"(%571, %351) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %573 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %574 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %575 = "stablehlo.compare"(%573, %574) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %576 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %577 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %578 = "stablehlo.add"(%576, %577) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %579 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %580 = "stablehlo.select"(%575, %578, %579) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %581 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %582 = "stablehlo.compare"(%360, %581) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %583 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %584 = "stablehlo.add"(%360, %583) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %585 = "stablehlo.select"(%582, %584, %360) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %586 = "stablehlo.dynamic_slice"(%572, %580, %585) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %587 = "stablehlo.reshape"(%586) : (tensor<4x1xi32>) -> tensor<4xi32>
      %588 = "stablehlo.custom_call"(%536, %538, %555, %570, %587, %349) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<64x8xf32>, tensor<32x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<32x8xf32>
      %589 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %590 = "stablehlo.broadcast_in_dim"(%589) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %591 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %592 = "stablehlo.broadcast_in_dim"(%591) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %593 = "stablehlo.compare"(%320, %592) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %594 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
      %595 = "stablehlo.broadcast_in_dim"(%594) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %596 = "stablehlo.add"(%320, %595) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %597 = "stablehlo.select"(%593, %596, %320) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %598 = "stablehlo.broadcast_in_dim"(%597) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %599 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xui32>
      %600 = "stablehlo.reshape"(%599) : (tensor<32xui32>) -> tensor<32x1xui32>
      %601 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %602 = "stablehlo.broadcast_in_dim"(%601) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<32x8xui32>
      %603 = "stablehlo.broadcast_in_dim"(%600) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xui32>) -> tensor<32x8xui32>
      %604 = "stablehlo.add"(%603, %602) : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xui32>
      %605 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %606 = "stablehlo.broadcast_in_dim"(%605) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<32x8xui32>
      %607 = "stablehlo.scatter"(%606, %598, %604) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg111: tensor<ui32>, %arg112: tensor<ui32>):
        "stablehlo.return"(%arg112) : (tensor<ui32>) -> ()
      }) : (tensor<32x8xui32>, tensor<32x1xi32>, tensor<32x8xui32>) -> tensor<32x8xui32>
      %608 = "stablehlo.gather"(%607, %598) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xui32>, tensor<32x1xi32>) -> tensor<32x8xui32>
      %609 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
      %610 = "stablehlo.broadcast_in_dim"(%609) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<32x8xui32>
      %611 = "stablehlo.compare"(%607, %610) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xi1>
      %612 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %613 = "stablehlo.broadcast_in_dim"(%612) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %614 = "stablehlo.select"(%611, %590, %613) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %615 = "stablehlo.compare"(%604, %608) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xi1>
      %616 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %617 = "stablehlo.broadcast_in_dim"(%616) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %618 = "stablehlo.select"(%615, %588, %617) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %619 = "stablehlo.compare"(%604, %608) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xui32>, tensor<32x8xui32>) -> tensor<32x8xi1>
      %620 = "stablehlo.scatter"(%614, %598, %618) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg109: tensor<f32>, %arg110: tensor<f32>):
        %623 = "stablehlo.add"(%arg109, %arg110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%623) : (tensor<f32>) -> ()
      }) : (tensor<32x8xf32>, tensor<32x1xi32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %621 = "stablehlo.reshape"(%620) : (tensor<32x8xf32>) -> tensor<16x2x8xf32>
      %622 = "stablehlo.dot_general"(%621, %314) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8xf32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      "sdy.return"(%298, %301, %307, %309, %312, %308#0, %318, %468, %459, %486#1, %486#2, %485, %459, %486#0, %535, %514, %555, %570, %587, %349, %619, %598, %314, %621, %622) : (tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<64x8xf32>, tensor<2xi32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<2xi32>, tensor<64x16xf32>, tensor<64x8xi1>, tensor<64x1xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<32x8xi1>, tensor<32x1xi32>, tensor<16x2xf32>, tensor<16x2x8xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<512x8xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<256x8xi1>, tensor<256x1xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<128x8xi1>, tensor<128x1xi32>, tensor<64x2xf32>, tensor<64x2x8xf32>, tensor<64x8xf32>)
    %104 = "stablehlo.multiply"(%103#24, %103#24) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %105 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %107 = "stablehlo.multiply"(%106, %103#24) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.reduce"(%104, %108) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg103: tensor<f32>, %arg104: tensor<f32>):
      %288 = "stablehlo.add"(%arg103, %arg104) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%288) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %110 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.divide"(%109, %110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %112 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %114 = "stablehlo.divide"(%112, %113) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %116 = "stablehlo.multiply"(%115, %107) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %117:3 = "sdy.manual_computation"(%116, %arg59, %103#0, %103#1, %103#2, %103#3, %103#4, %103#5, %103#6, %103#7, %103#8, %103#9, %103#10, %103#11, %arg56, %103#12, %103#13, %103#14, %103#15, %103#16, %103#17, %103#18, %103#19, %103#20, %103#21, %103#22, %103#23) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg60: tensor<16x8xf32>, %arg61: tensor<16x8xf32>, %arg62: tensor<16x8xf32>, %arg63: tensor<16x1xf32>, %arg64: tensor<16x1xf32>, %arg65: tensor<16x2x1xi32>, %arg66: tensor<16x1xf32>, %arg67: tensor<16x2xf32>, %arg68: tensor<16x1xf32>, %arg69: tensor<64x8xf32>, %arg70: tensor<2xi32>, %arg71: tensor<64x16xf32>, %arg72: tensor<64x16xf32>, %arg73: tensor<64x16xf32>, %arg74: tensor<2x16x8xf32>, %arg75: tensor<2xi32>, %arg76: tensor<64x16xf32>, %arg77: tensor<64x8xi1>, %arg78: tensor<64x1xi32>, %arg79: tensor<4xi32>, %arg80: tensor<4xi32>, %arg81: tensor<4xi32>, %arg82: tensor<4xi32>, %arg83: tensor<32x8xi1>, %arg84: tensor<32x1xi32>, %arg85: tensor<16x2xf32>, %arg86: tensor<16x2x8xf32>):
      %118 = "stablehlo.dot_general"(%arg60, %arg86) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x2x8xf32>) -> tensor<16x2xf32>
      %119 = "stablehlo.dot_general"(%arg60, %arg85) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x2xf32>) -> tensor<16x8x2xf32>
      %120 = "stablehlo.transpose"(%119) <{permutation = array<i64: 0, 2, 1>}> : (tensor<16x8x2xf32>) -> tensor<16x2x8xf32>
      %121 = "stablehlo.reshape"(%120) : (tensor<16x2x8xf32>) -> tensor<32x8xf32>
      %122 = "stablehlo.constant"() <{value = dense<31> : tensor<1xi32>}> : () -> tensor<1xi32>
      %123 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32x1xi32>
      %125 = "stablehlo.compare"(%arg84, %124) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
      %126 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
      %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<32x1xi32>
      %128 = "stablehlo.compare"(%arg84, %127) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
      %129 = "stablehlo.and"(%125, %128) : (tensor<32x1xi1>, tensor<32x1xi1>) -> tensor<32x1xi1>
      %130 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      %131 = "stablehlo.reduce"(%129, %130) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg101: tensor<i1>, %arg102: tensor<i1>):
        %287 = "stablehlo.and"(%arg101, %arg102) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%287) : (tensor<i1>) -> ()
      }) : (tensor<32x1xi1>, tensor<i1>) -> tensor<32xi1>
      %132 = "stablehlo.gather"(%121, %arg84) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<32x1xi32>) -> tensor<32x8xf32>
      %133 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi1>) -> tensor<32x8xi1>
      %134 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %136 = "stablehlo.select"(%133, %132, %135) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %137 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %139 = "stablehlo.select"(%arg83, %136, %138) : (tensor<32x8xi1>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %140 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %142 = "stablehlo.all_to_all"(%arg81) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4xi32>) -> tensor<4xi32>
      %143 = "stablehlo.all_to_all"(%arg79) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4xi32>) -> tensor<4xi32>
      %144 = "stablehlo.custom_call"(%139, %141, %142, %arg82, %143, %arg80) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<32x8xf32>, tensor<64x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<64x8xf32>
      %145 = "stablehlo.constant"() <{value = dense<63> : tensor<1xi32>}> : () -> tensor<1xi32>
      %146 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %147 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64x1xi32>
      %148 = "stablehlo.compare"(%arg78, %147) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
      %149 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
      %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<64x1xi32>
      %151 = "stablehlo.compare"(%arg78, %150) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
      %152 = "stablehlo.and"(%148, %151) : (tensor<64x1xi1>, tensor<64x1xi1>) -> tensor<64x1xi1>
      %153 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
      %154 = "stablehlo.reduce"(%152, %153) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg99: tensor<i1>, %arg100: tensor<i1>):
        %286 = "stablehlo.and"(%arg99, %arg100) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%286) : (tensor<i1>) -> ()
      }) : (tensor<64x1xi1>, tensor<i1>) -> tensor<64xi1>
      %155 = "stablehlo.gather"(%144, %arg78) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<64x1xi32>) -> tensor<64x8xf32>
      %156 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi1>) -> tensor<64x8xi1>
      %157 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %158 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %159 = "stablehlo.select"(%156, %155, %158) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %160 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %162 = "stablehlo.select"(%arg77, %159, %161) : (tensor<64x8xi1>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %163 = "stablehlo.broadcast_in_dim"(%arg76) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %164 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %165 = "func.call"(%arg75) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %166 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %168 = "stablehlo.slice"(%167) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %169 = "stablehlo.slice"(%165) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %170 = "stablehlo.concatenate"(%168, %169) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %171 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %172 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %173 = "stablehlo.compare"(%172, %164) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %174 = "stablehlo.compare"(%164, %171) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %175 = "stablehlo.and"(%173, %174) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %176 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %178 = "stablehlo.select"(%175, %163, %177) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %179 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %180 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %181 = "func.call"(%arg75) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %182 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %184 = "stablehlo.slice"(%183) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %185 = "stablehlo.slice"(%181) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %186 = "stablehlo.concatenate"(%184, %185) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %187 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %188 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %189 = "stablehlo.compare"(%188, %180) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %190 = "stablehlo.compare"(%180, %187) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %191 = "stablehlo.and"(%189, %190) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %192 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %194 = "stablehlo.select"(%191, %179, %193) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %195 = "stablehlo.dot_general"(%178, %194) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<2x64x8xf32>) -> tensor<2x16x8xf32>
      %196 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %197 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %198 = "func.call"(%arg75) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %199 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %200 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %201 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %202 = "stablehlo.slice"(%198) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %203 = "stablehlo.concatenate"(%201, %202) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %204 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %205 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %206 = "stablehlo.compare"(%205, %197) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %207 = "stablehlo.compare"(%197, %204) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %208 = "stablehlo.and"(%206, %207) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %209 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %211 = "stablehlo.select"(%208, %196, %210) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %212 = "stablehlo.dot_general"(%211, %arg74) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [2, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x16x8xf32>) -> tensor<64x16xf32>
      %213 = "func.call"(%arg71, %arg72, %arg73, %212) <{callee = @silu_13}> : (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
      %214 = "stablehlo.broadcast_in_dim"(%arg69) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %215 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %216 = "func.call"(%arg70) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %217 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %218 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %219 = "stablehlo.slice"(%218) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %220 = "stablehlo.slice"(%216) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %221 = "stablehlo.concatenate"(%219, %220) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %222 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %223 = "stablehlo.broadcast_in_dim"(%221) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %224 = "stablehlo.compare"(%223, %215) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %225 = "stablehlo.compare"(%215, %222) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %226 = "stablehlo.and"(%224, %225) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %227 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %228 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %229 = "stablehlo.select"(%226, %214, %228) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %230 = "stablehlo.broadcast_in_dim"(%213) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %231 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %232 = "func.call"(%arg70) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %233 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %235 = "stablehlo.slice"(%234) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %236 = "stablehlo.slice"(%232) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %237 = "stablehlo.concatenate"(%235, %236) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %238 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %239 = "stablehlo.broadcast_in_dim"(%237) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %240 = "stablehlo.compare"(%239, %231) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %241 = "stablehlo.compare"(%231, %238) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %242 = "stablehlo.and"(%240, %241) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %243 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %244 = "stablehlo.broadcast_in_dim"(%243) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %245 = "stablehlo.select"(%242, %230, %244) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %246 = "stablehlo.dot_general"(%229, %245) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x64x16xf32>) -> tensor<2x8x16xf32>
      %247 = "stablehlo.broadcast_in_dim"(%arg68) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %248 = "stablehlo.multiply"(%118, %247) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %249 = "stablehlo.multiply"(%248, %arg67) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %250 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %251 = "stablehlo.reduce"(%249, %250) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg97: tensor<f32>, %arg98: tensor<f32>):
        %285 = "stablehlo.add"(%arg97, %arg98) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%285) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %252 = "stablehlo.reshape"(%251) : (tensor<16xf32>) -> tensor<16x1xf32>
      %253 = "stablehlo.negate"(%252) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %254 = "stablehlo.broadcast_in_dim"(%arg66) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %255 = "stablehlo.divide"(%118, %254) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %256 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %257 = "stablehlo.reduce"(%253, %256) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg95: tensor<f32>, %arg96: tensor<f32>):
        %284 = "stablehlo.add"(%arg95, %arg96) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%284) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %258 = "stablehlo.broadcast_in_dim"(%257) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %259 = "stablehlo.add"(%255, %258) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %260 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %261 = "stablehlo.broadcast_in_dim"(%260) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %262 = "stablehlo.scatter"(%261, %arg65, %259) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg93: tensor<f32>, %arg94: tensor<f32>):
        %283 = "stablehlo.add"(%arg93, %arg94) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%283) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %263 = "stablehlo.broadcast_in_dim"(%arg64) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %264 = "stablehlo.multiply"(%262, %263) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %265 = "stablehlo.multiply"(%264, %arg62) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %266 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %267 = "stablehlo.reduce"(%265, %266) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg91: tensor<f32>, %arg92: tensor<f32>):
        %282 = "stablehlo.add"(%arg91, %arg92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%282) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %268 = "stablehlo.reshape"(%267) : (tensor<16xf32>) -> tensor<16x1xf32>
      %269 = "stablehlo.negate"(%268) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %270 = "stablehlo.broadcast_in_dim"(%arg63) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %271 = "stablehlo.divide"(%262, %270) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %272 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %273 = "stablehlo.reduce"(%269, %272) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
        %281 = "stablehlo.add"(%arg89, %arg90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%281) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %274 = "stablehlo.broadcast_in_dim"(%273) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %275 = "stablehlo.add"(%271, %274) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %276 = "stablehlo.multiply"(%275, %arg62) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %277 = "stablehlo.dot_general"(%276, %arg61) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %278 = "stablehlo.transpose"(%277) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %279 = "stablehlo.all_reduce"(%278) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg87: tensor<f32>, %arg88: tensor<f32>):
        %280 = "stablehlo.add"(%arg87, %arg88) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%280) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%195, %279, %246) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<512x8xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x16xf32>, tensor<8x32x8xf32>, tensor<16xi32>, tensor<512x16xf32>, tensor<256x8xi1>, tensor<256x1xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<16xi32>, tensor<128x8xi1>, tensor<128x1xi32>, tensor<64x2xf32>, tensor<64x2x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%111, %117#0, %117#1, %117#2) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg51: tensor<32xi32>):
    %100 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %101:2 = "stablehlo.sort"(%arg51, %100) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg52: tensor<i32>, %arg53: tensor<i32>, %arg54: tensor<i32>, %arg55: tensor<i32>):
      %102 = "stablehlo.compare"(%arg52, %arg53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%102) : (tensor<i1>) -> ()
    }) : (tensor<32xi32>, tensor<32xi32>) -> (tensor<32xi32>, tensor<32xi32>)
    "func.return"(%101#1) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg49: tensor<32xi32>, %arg50: tensor<i32>):
    %83 = "stablehlo.convert"(%arg50) : (tensor<i32>) -> tensor<i32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %85 = "stablehlo.divide"(%arg49, %84) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %86 = "stablehlo.sign"(%arg49) : (tensor<32xi32>) -> tensor<32xi32>
    %87 = "stablehlo.sign"(%83) : (tensor<i32>) -> tensor<i32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %89 = "stablehlo.compare"(%86, %88) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %90 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %91 = "stablehlo.remainder"(%arg49, %90) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %92 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %94 = "stablehlo.compare"(%91, %93) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %95 = "stablehlo.and"(%89, %94) : (tensor<32xi1>, tensor<32xi1>) -> tensor<32xi1>
    %96 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %98 = "stablehlo.subtract"(%85, %97) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %99 = "func.call"(%95, %98, %85) <{callee = @_where}> : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%99) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<32xi1>, %arg47: tensor<32xi32>, %arg48: tensor<32xi32>):
    %82 = "stablehlo.select"(%arg46, %arg47, %arg48) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%82) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg44: tensor<32xi32>, %arg45: tensor<i32>):
    %79 = "stablehlo.convert"(%arg45) : (tensor<i32>) -> tensor<i32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %81 = "stablehlo.maximum"(%80, %arg44) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%81) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xi32>) -> tensor<4xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg43: tensor<4xi32>):
    %78 = "func.call"(%arg43) <{callee = @cumsum_0}> : (tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%78) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>) -> tensor<4xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<4xi32>):
    %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %76 = "stablehlo.reduce_window"(%arg40, %75) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg41: tensor<i32>, %arg42: tensor<i32>):
      %77 = "stablehlo.add"(%arg41, %arg42) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%77) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%76) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, res_attrs = [{}], sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<4x4xi32>):
    %73 = "func.call"(%arg39) <{callee = @cumsum_2}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
    "func.return"(%73) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<4x4xi32>):
    %69 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %71 = "stablehlo.reduce_window"(%arg36, %70) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg37: tensor<i32>, %arg38: tensor<i32>):
      %72 = "stablehlo.add"(%arg37, %arg38) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%72) : (tensor<i32>) -> ()
    }) : (tensor<4x4xi32>, tensor<i32>) -> tensor<4x4xi32>
    "func.return"(%71) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "_roll_static", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<8xi32>):
    %66 = "stablehlo.slice"(%arg35) <{limit_indices = array<i64: 8>, start_indices = array<i64: 7>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1xi32>
    %67 = "stablehlo.slice"(%arg35) <{limit_indices = array<i64: 7>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<7xi32>
    %68 = "stablehlo.concatenate"(%66, %67) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    "func.return"(%68) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "cumsum_3", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<8xi32>):
    %65 = "func.call"(%arg34) <{callee = @cumsum_4}> : (tensor<8xi32>) -> tensor<8xi32>
    "func.return"(%65) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8xi32>) -> tensor<8xi32>, sym_name = "cumsum_4", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<8xi32>):
    %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %63 = "stablehlo.reduce_window"(%arg31, %62) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg32: tensor<i32>, %arg33: tensor<i32>):
      %64 = "stablehlo.add"(%arg32, %arg33) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%64) : (tensor<i32>) -> ()
    }) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    "func.return"(%63) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "cumsum_5", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<64xi32>):
    %60 = "func.call"(%arg30) <{callee = @cumsum_6}> : (tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%60) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<64xi32>) -> tensor<64xi32>, sym_name = "cumsum_6", sym_visibility = "private"}> ({
  ^bb0(%arg27: tensor<64xi32>):
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %58 = "stablehlo.reduce_window"(%arg27, %57) <{base_dilations = array<i64: 1>, padding = dense<[[63, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 64>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg28: tensor<i32>, %arg29: tensor<i32>):
      %59 = "stablehlo.add"(%arg28, %arg29) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%59) : (tensor<i32>) -> ()
    }) : (tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
    "func.return"(%58) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<8xi32>, %arg24: tensor<64xi32>):
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %35 = "stablehlo.compare"(%arg24, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %36 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %38 = "stablehlo.add"(%arg24, %37) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %39 = "func.call"(%35, %38, %arg24) <{callee = @_where_7}> : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %41 = "stablehlo.constant"() <{value = dense<7> : tensor<1xi32>}> : () -> tensor<1xi32>
    %42 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64x1xi32>
    %44 = "stablehlo.compare"(%40, %43) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %45 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<64x1xi32>
    %47 = "stablehlo.compare"(%40, %46) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %48 = "stablehlo.and"(%44, %47) : (tensor<64x1xi1>, tensor<64x1xi1>) -> tensor<64x1xi1>
    %49 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %50 = "stablehlo.reduce"(%48, %49) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg25: tensor<i1>, %arg26: tensor<i1>):
      %55 = "stablehlo.and"(%arg25, %arg26) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%55) : (tensor<i1>) -> ()
    }) : (tensor<64x1xi1>, tensor<i1>) -> tensor<64xi1>
    %51 = "stablehlo.gather"(%arg23, %40) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<8xi32>, tensor<64x1xi32>) -> tensor<64xi32>
    %52 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %54 = "stablehlo.select"(%50, %51, %53) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%54) : (tensor<64xi32>) -> ()
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

