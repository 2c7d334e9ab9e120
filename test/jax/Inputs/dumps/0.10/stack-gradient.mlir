"builtin.module"() <{sym_name = "jit_stack_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result['down']"}, {jax.result_info = "result['gate']"}, {jax.result_info = "result['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg121: tensor<8x32x8xf32>, %arg122: tensor<8x8xf32>, %arg123: tensor<8x8x32xf32>, %arg124: tensor<64x8xf32>):
    %290 = "stablehlo.broadcast_in_dim"(%arg121) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %291 = "stablehlo.broadcast_in_dim"(%arg121) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %292 = "stablehlo.concatenate"(%290, %291) <{dimension = 0 : i64}> : (tensor<1x8x32x8xf32>, tensor<1x8x32x8xf32>) -> tensor<2x8x32x8xf32>
    %293 = "stablehlo.broadcast_in_dim"(%arg122) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %294 = "stablehlo.broadcast_in_dim"(%arg122) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %295 = "stablehlo.concatenate"(%293, %294) <{dimension = 0 : i64}> : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<2x8x8xf32>
    %296 = "stablehlo.broadcast_in_dim"(%arg123) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %297 = "stablehlo.broadcast_in_dim"(%arg123) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %298 = "stablehlo.concatenate"(%296, %297) <{dimension = 0 : i64}> : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<2x8x8x32xf32>
    %299:4 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
      %360 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %361 = "func.call"() <{callee = @_one_hot}> : () -> tensor<1x1x8xi32>
      %362 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %363 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %364 = "stablehlo.broadcast_in_dim"(%360) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      "sdy.return"(%364, %362, %361, %363) : (tensor<1xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>) -> ()
    }) : () -> (tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>)
    %300 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
    %302 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %303:10 = "stablehlo.while"(%292, %295, %298, %299#0, %299#1, %299#2, %299#3, %302, %arg124, %301) ({
    ^bb0(%arg153: tensor<2x8x32x8xf32>, %arg154: tensor<2x8x8xf32>, %arg155: tensor<2x8x8x32xf32>, %arg156: tensor<4xf32>, %arg157: tensor<4x8xi32>, %arg158: tensor<4x1x8xi32>, %arg159: tensor<4x8xi32>, %arg160: tensor<i32>, %arg161: tensor<64x8xf32>, %arg162: tensor<2x64x8xf32>):
      %358 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %359 = "stablehlo.compare"(%arg160, %358) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%359) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg143: tensor<2x8x32x8xf32>, %arg144: tensor<2x8x8xf32>, %arg145: tensor<2x8x8x32xf32>, %arg146: tensor<4xf32>, %arg147: tensor<4x8xi32>, %arg148: tensor<4x1x8xi32>, %arg149: tensor<4x8xi32>, %arg150: tensor<i32>, %arg151: tensor<64x8xf32>, %arg152: tensor<2x64x8xf32>):
      %351 = "func.call"(%arg143, %arg150) <{callee = @dynamic_index_in_dim}> : (tensor<2x8x32x8xf32>, tensor<i32>) -> tensor<8x32x8xf32>
      %352 = "func.call"(%arg144, %arg150) <{callee = @dynamic_index_in_dim_1}> : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %353 = "func.call"(%arg145, %arg150) <{callee = @dynamic_index_in_dim_2}> : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %354:2 = "func.call"(%arg146, %arg147, %arg148, %arg149, %arg151, %351, %352, %353) <{callee = @closed_call}> : (tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>)
      %355 = "func.call"(%arg152, %354#1, %arg150) <{callee = @dynamic_update_index_in_dim}> : (tensor<2x64x8xf32>, tensor<64x8xf32>, tensor<i32>) -> tensor<2x64x8xf32>
      %356 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %357 = "stablehlo.add"(%arg150, %356) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg143, %arg144, %arg145, %arg146, %arg147, %arg148, %arg149, %357, %354#0, %355) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<i32>, tensor<64x8xf32>, tensor<2x64x8xf32>) -> ()
    }) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<i32>, tensor<64x8xf32>, tensor<2x64x8xf32>) -> (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<i32>, tensor<64x8xf32>, tensor<2x64x8xf32>)
    %304 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %305 = "stablehlo.broadcast_in_dim"(%304) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %306 = "stablehlo.multiply"(%305, %303#8) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %307 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %308 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %309 = "stablehlo.divide"(%307, %308) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %310 = "stablehlo.broadcast_in_dim"(%309) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %311 = "stablehlo.multiply"(%310, %306) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %312 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %313 = "stablehlo.broadcast_in_dim"(%312) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x8xf32>
    %314 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8xf32>
    %316 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %317 = "stablehlo.broadcast_in_dim"(%316) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %318 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %319:9 = "stablehlo.while"(%292, %295, %298, %303#9, %318, %311, %313, %315, %317) ({
    ^bb0(%arg134: tensor<2x8x32x8xf32>, %arg135: tensor<2x8x8xf32>, %arg136: tensor<2x8x8x32xf32>, %arg137: tensor<2x64x8xf32>, %arg138: tensor<i32>, %arg139: tensor<64x8xf32>, %arg140: tensor<2x8x32x8xf32>, %arg141: tensor<2x8x8xf32>, %arg142: tensor<2x8x8x32xf32>):
      %349 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %350 = "stablehlo.compare"(%arg138, %349) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%350) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg125: tensor<2x8x32x8xf32>, %arg126: tensor<2x8x8xf32>, %arg127: tensor<2x8x8x32xf32>, %arg128: tensor<2x64x8xf32>, %arg129: tensor<i32>, %arg130: tensor<64x8xf32>, %arg131: tensor<2x8x32x8xf32>, %arg132: tensor<2x8x8xf32>, %arg133: tensor<2x8x8x32xf32>):
      %335 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %336 = "stablehlo.subtract"(%335, %arg129) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %337 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %338 = "stablehlo.subtract"(%336, %337) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %339 = "func.call"(%arg125, %338) <{callee = @dynamic_index_in_dim}> : (tensor<2x8x32x8xf32>, tensor<i32>) -> tensor<8x32x8xf32>
      %340 = "func.call"(%arg126, %338) <{callee = @dynamic_index_in_dim_1}> : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %341 = "func.call"(%arg127, %338) <{callee = @dynamic_index_in_dim_2}> : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %342 = "func.call"(%arg128, %338) <{callee = @dynamic_index_in_dim_6}> : (tensor<2x64x8xf32>, tensor<i32>) -> tensor<64x8xf32>
      %343:4 = "func.call"(%arg130, %339, %340, %341, %342) <{callee = @closed_call_7}> : (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
      %344 = "func.call"(%arg131, %343#1, %338) <{callee = @dynamic_update_index_in_dim_13}> : (tensor<2x8x32x8xf32>, tensor<8x32x8xf32>, tensor<i32>) -> tensor<2x8x32x8xf32>
      %345 = "func.call"(%arg132, %343#2, %338) <{callee = @dynamic_update_index_in_dim_14}> : (tensor<2x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<2x8x8xf32>
      %346 = "func.call"(%arg133, %343#3, %338) <{callee = @dynamic_update_index_in_dim_15}> : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %347 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %348 = "stablehlo.add"(%arg129, %347) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg125, %arg126, %arg127, %arg128, %348, %343#0, %344, %345, %346) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<2x64x8xf32>, tensor<i32>, tensor<64x8xf32>, tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>) -> ()
    }) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<2x64x8xf32>, tensor<i32>, tensor<64x8xf32>, tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>) -> (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<2x64x8xf32>, tensor<i32>, tensor<64x8xf32>, tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>)
    %320 = "stablehlo.slice"(%319#8) <{limit_indices = array<i64: 1, 8, 8, 32>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %321 = "stablehlo.reshape"(%320) : (tensor<1x8x8x32xf32>) -> tensor<8x8x32xf32>
    %322 = "stablehlo.slice"(%319#8) <{limit_indices = array<i64: 2, 8, 8, 32>, start_indices = array<i64: 1, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %323 = "stablehlo.reshape"(%322) : (tensor<1x8x8x32xf32>) -> tensor<8x8x32xf32>
    %324 = "stablehlo.add"(%321, %323) : (tensor<8x8x32xf32>, tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
    %325 = "stablehlo.slice"(%319#7) <{limit_indices = array<i64: 1, 8, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
    %326 = "stablehlo.reshape"(%325) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %327 = "stablehlo.slice"(%319#7) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
    %328 = "stablehlo.reshape"(%327) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %329 = "stablehlo.add"(%326, %328) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %330 = "stablehlo.slice"(%319#6) <{limit_indices = array<i64: 1, 8, 32, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %331 = "stablehlo.reshape"(%330) : (tensor<1x8x32x8xf32>) -> tensor<8x32x8xf32>
    %332 = "stablehlo.slice"(%319#6) <{limit_indices = array<i64: 2, 8, 32, 8>, start_indices = array<i64: 1, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %333 = "stablehlo.reshape"(%332) : (tensor<1x8x32x8xf32>) -> tensor<8x32x8xf32>
    %334 = "stablehlo.add"(%331, %333) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    "func.return"(%334, %329, %324) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x1x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
    %289 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    "func.return"(%289) : (tensor<1x1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x8xi32>, res_attrs = [{}], sym_name = "_one_hot_0", sym_visibility = "private"}> ({
    %288 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    "func.return"(%288) : (tensor<1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x32x8xf32>, tensor<i32>) -> tensor<8x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg119: tensor<2x8x32x8xf32>, %arg120: tensor<i32>):
    %283 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %284 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %285 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %286 = "stablehlo.dynamic_slice"(%arg119, %arg120, %283, %284, %285) <{slice_sizes = array<i64: 1, 8, 32, 8>}> : (tensor<2x8x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32x8xf32>
    %287 = "stablehlo.reshape"(%286) : (tensor<1x8x32x8xf32>) -> tensor<8x32x8xf32>
    "func.return"(%287) : (tensor<8x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg117: tensor<2x8x8xf32>, %arg118: tensor<i32>):
    %279 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %280 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %281 = "stablehlo.dynamic_slice"(%arg117, %arg118, %279, %280) <{slice_sizes = array<i64: 1, 8, 8>}> : (tensor<2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %282 = "stablehlo.reshape"(%281) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%282) : (tensor<8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg115: tensor<2x8x8x32xf32>, %arg116: tensor<i32>):
    %274 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %275 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %276 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %277 = "stablehlo.dynamic_slice"(%arg115, %arg116, %274, %275, %276) <{slice_sizes = array<i64: 1, 8, 8, 32>}> : (tensor<2x8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x32xf32>
    %278 = "stablehlo.reshape"(%277) : (tensor<1x8x8x32xf32>) -> tensor<8x8x32xf32>
    "func.return"(%278) : (tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg87: tensor<4xf32>, %arg88: tensor<4x8xi32>, %arg89: tensor<4x1x8xi32>, %arg90: tensor<4x8xi32>, %arg91: tensor<64x8xf32>, %arg92: tensor<8x32x8xf32>, %arg93: tensor<8x8xf32>, %arg94: tensor<8x8x32xf32>):
    %212 = "sdy.manual_computation"(%arg87, %arg88, %arg89, %arg90, %arg92, %arg93, %arg94, %arg91) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg95: tensor<1xf32>, %arg96: tensor<1x8xi32>, %arg97: tensor<1x1x8xi32>, %arg98: tensor<1x8xi32>, %arg99: tensor<2x16x8xf32>, %arg100: tensor<8x8xf32>, %arg101: tensor<2x8x16xf32>, %arg102: tensor<16x8xf32>):
      %214 = "stablehlo.reshape"(%arg95) : (tensor<1xf32>) -> tensor<f32>
      %215 = "stablehlo.dot_general"(%arg102, %arg100) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %216 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %217 = "stablehlo.reduce"(%215, %216) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg113: tensor<f32>, %arg114: tensor<f32>):
        %273 = "stablehlo.maximum"(%arg113, %arg114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%273) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %218 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %219 = "stablehlo.maximum"(%218, %217) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %220 = "stablehlo.broadcast_in_dim"(%219) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %221 = "stablehlo.broadcast_in_dim"(%220) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %222 = "stablehlo.subtract"(%215, %221) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %223 = "stablehlo.exponential"(%222) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %224 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %225 = "stablehlo.reduce"(%223, %224) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg111: tensor<f32>, %arg112: tensor<f32>):
        %272 = "stablehlo.add"(%arg111, %arg112) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%272) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %227 = "stablehlo.broadcast_in_dim"(%226) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %228 = "stablehlo.divide"(%223, %227) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %229:2 = "chlo.top_k"(%228) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %230 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %231 = "stablehlo.reduce"(%229#0, %230) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg109: tensor<f32>, %arg110: tensor<f32>):
        %271 = "stablehlo.add"(%arg109, %arg110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%271) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %232 = "stablehlo.broadcast_in_dim"(%231) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %233 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %234 = "stablehlo.divide"(%229#0, %233) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %235 = "func.call"(%229#1, %arg97) <{callee = @_one_hot_3}> : (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
      %236 = "stablehlo.reshape"(%235) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %237 = "func.call"(%236) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %238 = "stablehlo.subtract"(%237, %236) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %239 = "stablehlo.multiply"(%238, %236) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %240 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %241 = "stablehlo.reduce"(%239, %240) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg107: tensor<i32>, %arg108: tensor<i32>):
        %270 = "stablehlo.add"(%arg107, %arg108) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%270) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %242 = "stablehlo.reshape"(%229#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %243 = "func.call"(%242, %arg96) <{callee = @_one_hot_5}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
      %244 = "stablehlo.broadcast_in_dim"(%243) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %245 = "func.call"(%241, %arg98) <{callee = @_one_hot_5}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
      %246 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %247 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %248 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %249 = "stablehlo.multiply"(%247, %248) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %250 = "stablehlo.reshape"(%249) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %251 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %252 = "stablehlo.reduce"(%250, %251) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg105: tensor<f32>, %arg106: tensor<f32>):
        %269 = "stablehlo.add"(%arg105, %arg106) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%269) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %253 = "stablehlo.dot_general"(%252, %arg102) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %254 = "stablehlo.reshape"(%253) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %255 = "stablehlo.all_to_all"(%254) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %256 = "stablehlo.transpose"(%255) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %257 = "stablehlo.reshape"(%256) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %258 = "stablehlo.dot_general"(%257, %arg101) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
      %259 = "func.call"(%258) <{callee = @silu}> : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
      %260 = "stablehlo.dot_general"(%259, %arg99) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
      %261 = "stablehlo.reshape"(%260) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
      %262 = "stablehlo.transpose"(%261) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %263 = "stablehlo.all_reduce"(%262) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg103: tensor<f32>, %arg104: tensor<f32>):
        %268 = "stablehlo.add"(%arg103, %arg104) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%268) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %264 = "stablehlo.all_to_all"(%263) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %265 = "stablehlo.reshape"(%264) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %266 = "stablehlo.dot_general"(%250, %234) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      %267 = "stablehlo.dot_general"(%266, %265) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%267) : (tensor<16x8xf32>) -> ()
    }) : (tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %213 = "stablehlo.add"(%arg91, %212) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%213, %arg91) : (tensor<64x8xf32>, tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_3", sym_visibility = "private"}> ({
  ^bb0(%arg85: tensor<16x2xi32>, %arg86: tensor<1x1x8xi32>):
    %207 = "stablehlo.broadcast_in_dim"(%arg85) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %209 = "stablehlo.broadcast_in_dim"(%arg86) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %210 = "stablehlo.compare"(%208, %209) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %211 = "stablehlo.convert"(%210) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%211) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg84: tensor<32x8xi32>):
    %206 = "func.call"(%arg84) <{callee = @cumsum_4}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%206) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, sym_name = "cumsum_4", sym_visibility = "private"}> ({
  ^bb0(%arg81: tensor<32x8xi32>):
    %202 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %204 = "stablehlo.reduce_window"(%arg81, %203) <{base_dilations = array<i64: 1, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 32, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg82: tensor<i32>, %arg83: tensor<i32>):
      %205 = "stablehlo.add"(%arg82, %arg83) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%205) : (tensor<i32>) -> ()
    }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32x8xi32>
    "func.return"(%204) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_5", sym_visibility = "private"}> ({
  ^bb0(%arg79: tensor<32xi32>, %arg80: tensor<1x8xi32>):
    %197 = "stablehlo.broadcast_in_dim"(%arg79) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %199 = "stablehlo.broadcast_in_dim"(%arg80) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %200 = "stablehlo.compare"(%198, %199) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %201 = "stablehlo.convert"(%200) : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%201) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg78: tensor<2x32x16xf32>):
    %188 = "stablehlo.negate"(%arg78) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %189 = "stablehlo.exponential"(%188) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %190 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %192 = "stablehlo.add"(%191, %189) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %193 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %195 = "stablehlo.divide"(%194, %192) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %196 = "stablehlo.multiply"(%arg78, %195) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%196) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x64x8xf32>, tensor<64x8xf32>, tensor<i32>) -> tensor<2x64x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg75: tensor<2x64x8xf32>, %arg76: tensor<64x8xf32>, %arg77: tensor<i32>):
    %184 = "stablehlo.broadcast_in_dim"(%arg76) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<1x64x8xf32>
    %185 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %186 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %187 = "stablehlo.dynamic_update_slice"(%arg75, %184, %arg77, %185, %186) : (tensor<2x64x8xf32>, tensor<1x64x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x8xf32>
    "func.return"(%187) : (tensor<2x64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x64x8xf32>, tensor<i32>) -> tensor<64x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg73: tensor<2x64x8xf32>, %arg74: tensor<i32>):
    %180 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %181 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %182 = "stablehlo.dynamic_slice"(%arg73, %arg74, %180, %181) <{slice_sizes = array<i64: 1, 64, 8>}> : (tensor<2x64x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x8xf32>
    %183 = "stablehlo.reshape"(%182) : (tensor<1x64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%183) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{}, {}, {}, {}], sym_name = "closed_call_7", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<64x8xf32>, %arg18: tensor<8x32x8xf32>, %arg19: tensor<8x8xf32>, %arg20: tensor<8x8x32xf32>, %arg21: tensor<64x8xf32>):
    %44:5 = "stablehlo.optimization_barrier"(%arg18, %arg19, %arg20, %arg21, %arg17) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>, tensor<64x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>, tensor<64x8xf32>)
    %45:17 = "sdy.manual_computation"(%44#0, %44#1, %44#2, %44#3) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>]>}> ({
    ^bb0(%arg57: tensor<2x16x8xf32>, %arg58: tensor<8x8xf32>, %arg59: tensor<2x8x16xf32>, %arg60: tensor<16x8xf32>):
      %112 = "stablehlo.dot_general"(%arg60, %arg58) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %113 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %114 = "stablehlo.reduce"(%112, %113) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
        %179 = "stablehlo.maximum"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%179) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %115 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %117 = "stablehlo.maximum"(%116, %114) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %120 = "stablehlo.subtract"(%112, %119) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %121 = "stablehlo.exponential"(%120) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %123 = "stablehlo.reduce"(%121, %122) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg69: tensor<f32>, %arg70: tensor<f32>):
        %178 = "stablehlo.add"(%arg69, %arg70) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%178) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %126 = "stablehlo.divide"(%121, %125) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %127 = "stablehlo.multiply"(%124, %124) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %128 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %130 = "stablehlo.divide"(%129, %127) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %131:2 = "chlo.top_k"(%126) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %132 = "stablehlo.reshape"(%131#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %133 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %134 = "stablehlo.reduce"(%131#0, %133) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
        %177 = "stablehlo.add"(%arg67, %arg68) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%177) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %137 = "stablehlo.divide"(%131#0, %136) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %138 = "stablehlo.multiply"(%135, %135) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %139 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %141 = "stablehlo.divide"(%140, %138) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %142 = "func.call"(%131#1) <{callee = @_one_hot_8}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %143 = "stablehlo.reshape"(%142) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %144 = "func.call"(%143) <{callee = @cumsum_9}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %145 = "stablehlo.subtract"(%144, %143) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %146 = "stablehlo.multiply"(%145, %143) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %147 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %148 = "stablehlo.reduce"(%146, %147) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg65: tensor<i32>, %arg66: tensor<i32>):
        %176 = "stablehlo.add"(%arg65, %arg66) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%176) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %149 = "stablehlo.reshape"(%131#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %150 = "func.call"(%149) <{callee = @_one_hot_10}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %151 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %152 = "func.call"(%148) <{callee = @_one_hot_10}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %154 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %155 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %156 = "stablehlo.multiply"(%154, %155) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %157 = "stablehlo.reshape"(%156) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %158 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %159 = "stablehlo.reduce"(%157, %158) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
        %175 = "stablehlo.add"(%arg63, %arg64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%175) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %160 = "stablehlo.dot_general"(%159, %arg60) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %161 = "stablehlo.reshape"(%160) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %162 = "stablehlo.all_to_all"(%161) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %163 = "stablehlo.transpose"(%162) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %164 = "stablehlo.reshape"(%163) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %165 = "stablehlo.dot_general"(%164, %arg59) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
      %166:3 = "func.call"(%165) <{callee = @silu_11}> : (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
      %167 = "stablehlo.dot_general"(%166#0, %arg57) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
      %168 = "stablehlo.reshape"(%167) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
      %169 = "stablehlo.transpose"(%168) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %170 = "stablehlo.all_reduce"(%169) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
        %174 = "stablehlo.add"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%174) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %171 = "stablehlo.all_to_all"(%170) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %172 = "stablehlo.reshape"(%171) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %173 = "stablehlo.dot_general"(%157, %137) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      "sdy.return"(%157, %arg58, %121, %124, %130, %132, %135, %131#0, %141, %172, %173, %159, %164, %166#1, %165, %166#2, %166#0) : (tensor<16x2x8x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>, tensor<16x8x8xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x2x8x8xf32>, tensor<32x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>, tensor<64x8x8xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>)
    %46:4 = "sdy.manual_computation"(%44#4, %45#0, %45#1, %44#3, %45#2, %45#3, %45#4, %45#5, %45#6, %45#7, %45#8, %45#9, %45#10, %45#11, %44#2, %45#12, %45#13, %45#14, %45#15, %44#0, %45#16) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg22: tensor<16x8xf32>, %arg23: tensor<16x2x8x8xf32>, %arg24: tensor<8x8xf32>, %arg25: tensor<16x8xf32>, %arg26: tensor<16x8xf32>, %arg27: tensor<16x1xf32>, %arg28: tensor<16x1xf32>, %arg29: tensor<16x2x1xi32>, %arg30: tensor<16x1xf32>, %arg31: tensor<16x2xf32>, %arg32: tensor<16x1xf32>, %arg33: tensor<8x8x8xf32>, %arg34: tensor<16x8x8xf32>, %arg35: tensor<16x8x8xf32>, %arg36: tensor<2x8x16xf32>, %arg37: tensor<2x32x8xf32>, %arg38: tensor<2x32x16xf32>, %arg39: tensor<2x32x16xf32>, %arg40: tensor<2x32x16xf32>, %arg41: tensor<2x16x8xf32>, %arg42: tensor<2x32x16xf32>):
      %48 = "stablehlo.dot_general"(%arg22, %arg34) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
      %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
      %50 = "stablehlo.dot_general"(%arg22, %arg33) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
      %51 = "stablehlo.dot_general"(%50, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
      %52 = "stablehlo.reshape"(%49) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %53 = "stablehlo.all_to_all"(%52) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %54 = "stablehlo.transpose"(%53) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %55 = "stablehlo.reshape"(%54) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %56 = "stablehlo.dot_general"(%55, %arg42) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
      %57 = "stablehlo.transpose"(%56) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
      %58 = "stablehlo.dot_general"(%55, %arg41) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
      %59 = "func.call"(%arg38, %arg39, %arg40, %58) <{callee = @silu_12}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
      %60 = "stablehlo.dot_general"(%59, %arg37) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
      %61 = "stablehlo.transpose"(%60) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
      %62 = "stablehlo.dot_general"(%59, %arg36) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x8x16xf32>) -> tensor<2x32x8xf32>
      %63 = "stablehlo.all_reduce"(%62) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
        %111 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%111) : (tensor<f32>) -> ()
      }) : (tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
      %64 = "stablehlo.reshape"(%63) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
      %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %66 = "stablehlo.all_to_all"(%65) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %67 = "stablehlo.reshape"(%66) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %68 = "stablehlo.dot_general"(%67, %arg35) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> tensor<8x16xf32>
      %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 1, 0>}> : (tensor<8x16xf32>) -> tensor<16x8xf32>
      %70 = "stablehlo.broadcast_in_dim"(%arg32) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %71 = "stablehlo.multiply"(%51, %70) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %72 = "stablehlo.multiply"(%71, %arg31) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %74 = "stablehlo.reduce"(%72, %73) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
        %110 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%110) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %75 = "stablehlo.reshape"(%74) : (tensor<16xf32>) -> tensor<16x1xf32>
      %76 = "stablehlo.negate"(%75) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %77 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %78 = "stablehlo.divide"(%51, %77) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %80 = "stablehlo.reduce"(%76, %79) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
        %109 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%109) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %82 = "stablehlo.add"(%78, %81) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %83 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %85 = "stablehlo.scatter"(%84, %arg29, %82) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
        %108 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%108) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %86 = "stablehlo.broadcast_in_dim"(%arg28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %87 = "stablehlo.multiply"(%85, %86) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %88 = "stablehlo.multiply"(%87, %arg26) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %90 = "stablehlo.reduce"(%88, %89) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
        %107 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%107) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %91 = "stablehlo.reshape"(%90) : (tensor<16xf32>) -> tensor<16x1xf32>
      %92 = "stablehlo.negate"(%91) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %93 = "stablehlo.broadcast_in_dim"(%arg27) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %94 = "stablehlo.divide"(%85, %93) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %95 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %96 = "stablehlo.reduce"(%92, %95) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
        %106 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%106) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %98 = "stablehlo.add"(%94, %97) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %99 = "stablehlo.multiply"(%98, %arg26) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %100 = "stablehlo.dot_general"(%99, %arg25) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %101 = "stablehlo.transpose"(%100) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %102 = "stablehlo.dot_general"(%99, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %103 = "stablehlo.add"(%69, %102) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %104 = "stablehlo.all_reduce"(%101) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
        %105 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%105) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%57, %104, %61, %103) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<64x2x8x8xf32>, tensor<32x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>, tensor<64x8x8xf32>, tensor<8x8x32xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<8x32x8xf32>, tensor<16x32x16xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>)
    %47 = "stablehlo.add"(%arg17, %46#3) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%47, %46#0, %46#1, %46#2) : (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_8", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<16x2xi32>):
    %38 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %39 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %40 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %41 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %42 = "stablehlo.compare"(%40, %41) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %43 = "stablehlo.convert"(%42) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%43) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum_9", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<32x8xi32>):
    %37 = "func.call"(%arg15) <{callee = @cumsum_4}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%37) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_10", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<32xi32>):
    %31 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %32 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    %33 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %34 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %35 = "stablehlo.compare"(%33, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %36 = "stablehlo.convert"(%35) : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%36) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu_11", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<2x32x16xf32>):
    %18 = "stablehlo.negate"(%arg13) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %19 = "stablehlo.exponential"(%18) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %22 = "stablehlo.add"(%21, %19) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %25 = "stablehlo.divide"(%24, %22) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %28 = "stablehlo.subtract"(%27, %25) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %29 = "stablehlo.multiply"(%25, %28) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %30 = "stablehlo.multiply"(%arg13, %25) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%30, %25, %29) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "silu_12", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x32x16xf32>, %arg10: tensor<2x32x16xf32>, %arg11: tensor<2x32x16xf32>, %arg12: tensor<2x32x16xf32>):
    %14 = "stablehlo.multiply"(%arg10, %arg12) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %15 = "stablehlo.multiply"(%arg12, %arg9) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %16 = "stablehlo.multiply"(%14, %arg11) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %17 = "stablehlo.add"(%15, %16) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%17) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x32x8xf32>, tensor<8x32x8xf32>, tensor<i32>) -> tensor<2x8x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_13", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x8x32x8xf32>, %arg7: tensor<8x32x8xf32>, %arg8: tensor<i32>):
    %9 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.dynamic_update_slice"(%arg6, %9, %arg8, %10, %11, %12) : (tensor<2x8x32x8xf32>, tensor<1x8x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x32x8xf32>
    "func.return"(%13) : (tensor<2x8x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<2x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_14", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<i32>):
    %5 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.dynamic_update_slice"(%arg3, %5, %arg5, %6, %7) : (tensor<2x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8xf32>
    "func.return"(%8) : (tensor<2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_15", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8x8x32xf32>, %arg1: tensor<8x8x32xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2, %3) : (tensor<2x8x8x32xf32>, tensor<1x8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x32xf32>
    "func.return"(%4) : (tensor<2x8x8x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

