"builtin.module"() <{sym_name = "jit_loop_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg118: tensor<8x32x8xf32>, %arg119: tensor<8x8xf32>, %arg120: tensor<8x8x32xf32>, %arg121: tensor<64x8xf32>):
    %280:19 = "sdy.manual_computation"(%arg118, %arg119, %arg120, %arg121) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg195: tensor<2x16x8xf32>, %arg196: tensor<8x8xf32>, %arg197: tensor<2x8x16xf32>, %arg198: tensor<16x8xf32>):
      %330 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %331 = "func.call"() <{callee = @_one_hot}> : () -> tensor<1x1x8xi32>
      %332 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %333 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %334 = "func.call"() <{callee = @silu}> : () -> tensor<f32>
      %335 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %336 = "stablehlo.broadcast_in_dim"(%335) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8xf32>
      %337 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %338 = "stablehlo.broadcast_in_dim"(%337) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8xf32>
      %339 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %340 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %341 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %342 = "stablehlo.broadcast_in_dim"(%341) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %343 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %344 = "stablehlo.broadcast_in_dim"(%343) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x16x2x1xi32>
      %345 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %346 = "stablehlo.broadcast_in_dim"(%345) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %347 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %348 = "stablehlo.broadcast_in_dim"(%347) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x2xf32>
      %349 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %350 = "stablehlo.broadcast_in_dim"(%349) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %351 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %352 = "stablehlo.broadcast_in_dim"(%351) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8x8xf32>
      %353 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %354 = "stablehlo.broadcast_in_dim"(%353) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x8xf32>
      %355 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %356 = "stablehlo.broadcast_in_dim"(%355) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %357 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %358 = "stablehlo.broadcast_in_dim"(%357) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %359 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %360 = "stablehlo.broadcast_in_dim"(%359) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %361 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %362 = "stablehlo.broadcast_in_dim"(%361) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %363 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %364 = "stablehlo.broadcast_in_dim"(%363) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x2x8x8xf32>
      %365 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %366 = "stablehlo.broadcast_in_dim"(%365) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8x8xf32>
      %367 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %368 = "stablehlo.broadcast_in_dim"(%367) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8x8xf32>
      %369 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %370:27 = "stablehlo.while"(%330, %arg196, %332, %331, %333, %arg197, %334, %arg195, %369, %arg198, %336, %338, %340, %342, %344, %346, %348, %350, %352, %354, %356, %358, %360, %362, %364, %366, %368) ({
      ^bb0(%arg226: tensor<f32>, %arg227: tensor<8x8xf32>, %arg228: tensor<1x8xi32>, %arg229: tensor<1x1x8xi32>, %arg230: tensor<1x8xi32>, %arg231: tensor<2x8x16xf32>, %arg232: tensor<f32>, %arg233: tensor<2x16x8xf32>, %arg234: tensor<i32>, %arg235: tensor<16x8xf32>, %arg236: tensor<2x16x8xf32>, %arg237: tensor<2x16x8xf32>, %arg238: tensor<2x16x1xf32>, %arg239: tensor<2x16x1xf32>, %arg240: tensor<2x16x2x1xi32>, %arg241: tensor<2x16x1xf32>, %arg242: tensor<2x16x2xf32>, %arg243: tensor<2x16x1xf32>, %arg244: tensor<2x16x8x8xf32>, %arg245: tensor<2x2x32x8xf32>, %arg246: tensor<2x2x32x16xf32>, %arg247: tensor<2x2x32x16xf32>, %arg248: tensor<2x2x32x16xf32>, %arg249: tensor<2x2x32x16xf32>, %arg250: tensor<2x16x2x8x8xf32>, %arg251: tensor<2x8x8x8xf32>, %arg252: tensor<2x16x8x8xf32>):
        %391 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
        %392 = "stablehlo.compare"(%arg234, %391) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%392) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg199: tensor<f32>, %arg200: tensor<8x8xf32>, %arg201: tensor<1x8xi32>, %arg202: tensor<1x1x8xi32>, %arg203: tensor<1x8xi32>, %arg204: tensor<2x8x16xf32>, %arg205: tensor<f32>, %arg206: tensor<2x16x8xf32>, %arg207: tensor<i32>, %arg208: tensor<16x8xf32>, %arg209: tensor<2x16x8xf32>, %arg210: tensor<2x16x8xf32>, %arg211: tensor<2x16x1xf32>, %arg212: tensor<2x16x1xf32>, %arg213: tensor<2x16x2x1xi32>, %arg214: tensor<2x16x1xf32>, %arg215: tensor<2x16x2xf32>, %arg216: tensor<2x16x1xf32>, %arg217: tensor<2x16x8x8xf32>, %arg218: tensor<2x2x32x8xf32>, %arg219: tensor<2x2x32x16xf32>, %arg220: tensor<2x2x32x16xf32>, %arg221: tensor<2x2x32x16xf32>, %arg222: tensor<2x2x32x16xf32>, %arg223: tensor<2x16x2x8x8xf32>, %arg224: tensor<2x8x8x8xf32>, %arg225: tensor<2x16x8x8xf32>):
        %371:18 = "func.call"(%arg199, %arg200, %arg201, %arg202, %arg203, %arg204, %arg205, %arg206, %arg208) <{callee = @closed_call}> : (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<16x8x8xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>)
        %372 = "func.call"(%arg209, %371#1, %arg207) <{callee = @dynamic_update_index_in_dim}> : (tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<2x16x8xf32>
        %373 = "func.call"(%arg210, %371#2, %arg207) <{callee = @dynamic_update_index_in_dim}> : (tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<2x16x8xf32>
        %374 = "func.call"(%arg211, %371#3, %arg207) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %375 = "func.call"(%arg212, %371#4, %arg207) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %376 = "func.call"(%arg213, %371#5, %arg207) <{callee = @dynamic_update_index_in_dim_6}> : (tensor<2x16x2x1xi32>, tensor<16x2x1xi32>, tensor<i32>) -> tensor<2x16x2x1xi32>
        %377 = "func.call"(%arg214, %371#6, %arg207) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %378 = "func.call"(%arg215, %371#7, %arg207) <{callee = @dynamic_update_index_in_dim_7}> : (tensor<2x16x2xf32>, tensor<16x2xf32>, tensor<i32>) -> tensor<2x16x2xf32>
        %379 = "func.call"(%arg216, %371#8, %arg207) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %380 = "func.call"(%arg217, %371#9, %arg207) <{callee = @dynamic_update_index_in_dim_8}> : (tensor<2x16x8x8xf32>, tensor<16x8x8xf32>, tensor<i32>) -> tensor<2x16x8x8xf32>
        %381 = "func.call"(%arg218, %371#10, %arg207) <{callee = @dynamic_update_index_in_dim_9}> : (tensor<2x2x32x8xf32>, tensor<2x32x8xf32>, tensor<i32>) -> tensor<2x2x32x8xf32>
        %382 = "func.call"(%arg219, %371#11, %arg207) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %383 = "func.call"(%arg220, %371#12, %arg207) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %384 = "func.call"(%arg221, %371#13, %arg207) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %385 = "func.call"(%arg222, %371#14, %arg207) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %386 = "func.call"(%arg223, %371#15, %arg207) <{callee = @dynamic_update_index_in_dim_11}> : (tensor<2x16x2x8x8xf32>, tensor<16x2x8x8xf32>, tensor<i32>) -> tensor<2x16x2x8x8xf32>
        %387 = "func.call"(%arg224, %371#16, %arg207) <{callee = @dynamic_update_index_in_dim_12}> : (tensor<2x8x8x8xf32>, tensor<8x8x8xf32>, tensor<i32>) -> tensor<2x8x8x8xf32>
        %388 = "func.call"(%arg225, %371#17, %arg207) <{callee = @dynamic_update_index_in_dim_8}> : (tensor<2x16x8x8xf32>, tensor<16x8x8xf32>, tensor<i32>) -> tensor<2x16x8x8xf32>
        %389 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %390 = "stablehlo.add"(%arg207, %389) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%arg199, %arg200, %arg201, %arg202, %arg203, %arg204, %arg205, %arg206, %390, %371#0, %372, %373, %374, %375, %376, %377, %378, %379, %380, %381, %382, %383, %384, %385, %386, %387, %388) : (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<i32>, tensor<16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>) -> ()
      }) : (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<i32>, tensor<16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<i32>, tensor<16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>)
      "sdy.return"(%arg196, %370#10, %370#11, %370#12, %370#13, %370#14, %370#15, %370#16, %370#17, %370#18, %370#19, %370#20, %370#21, %370#22, %370#23, %370#24, %370#25, %370#26, %370#9) : (tensor<8x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<32x8xf32>, tensor<8x16x8xf32>, tensor<8x16x8xf32>, tensor<8x16x1xf32>, tensor<8x16x1xf32>, tensor<8x16x2x1xi32>, tensor<8x16x1xf32>, tensor<8x16x2xf32>, tensor<8x16x1xf32>, tensor<8x16x8x8xf32>, tensor<16x2x32x8xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<8x16x2x8x8xf32>, tensor<8x8x8x8xf32>, tensor<8x16x8x8xf32>, tensor<64x8xf32>)
    %281 = "stablehlo.multiply"(%280#18, %280#18) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %282 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %283 = "stablehlo.broadcast_in_dim"(%282) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %284 = "stablehlo.multiply"(%283, %280#18) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %285 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %286 = "stablehlo.reduce"(%281, %285) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg193: tensor<f32>, %arg194: tensor<f32>):
      %329 = "stablehlo.add"(%arg193, %arg194) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%329) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %287 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %288 = "stablehlo.divide"(%286, %287) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %289 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %290 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %291 = "stablehlo.divide"(%289, %290) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %292 = "stablehlo.broadcast_in_dim"(%291) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %293 = "stablehlo.multiply"(%292, %284) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %294:3 = "sdy.manual_computation"(%293, %280#0, %arg120, %arg118, %280#1, %280#2, %280#3, %280#4, %280#5, %280#6, %280#7, %280#8, %280#9, %280#10, %280#11, %280#12, %280#13, %280#14, %280#15, %280#16, %280#17) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg122: tensor<16x8xf32>, %arg123: tensor<8x8xf32>, %arg124: tensor<2x8x16xf32>, %arg125: tensor<2x16x8xf32>, %arg126: tensor<2x16x8xf32>, %arg127: tensor<2x16x8xf32>, %arg128: tensor<2x16x1xf32>, %arg129: tensor<2x16x1xf32>, %arg130: tensor<2x16x2x1xi32>, %arg131: tensor<2x16x1xf32>, %arg132: tensor<2x16x2xf32>, %arg133: tensor<2x16x1xf32>, %arg134: tensor<2x16x8x8xf32>, %arg135: tensor<2x2x32x8xf32>, %arg136: tensor<2x2x32x16xf32>, %arg137: tensor<2x2x32x16xf32>, %arg138: tensor<2x2x32x16xf32>, %arg139: tensor<2x2x32x16xf32>, %arg140: tensor<2x16x2x8x8xf32>, %arg141: tensor<2x8x8x8xf32>, %arg142: tensor<2x16x8x8xf32>):
      %295 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %296 = "stablehlo.broadcast_in_dim"(%295) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32>
      %297 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %298 = "stablehlo.broadcast_in_dim"(%297) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
      %299 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %300 = "stablehlo.broadcast_in_dim"(%299) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8xf32>
      %301 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %302:25 = "stablehlo.while"(%arg126, %arg127, %arg128, %arg129, %arg130, %arg131, %arg132, %arg133, %arg134, %arg135, %arg136, %arg137, %arg138, %arg139, %arg140, %arg141, %arg142, %arg123, %arg124, %arg125, %301, %296, %298, %300, %arg122) ({
      ^bb0(%arg168: tensor<2x16x8xf32>, %arg169: tensor<2x16x8xf32>, %arg170: tensor<2x16x1xf32>, %arg171: tensor<2x16x1xf32>, %arg172: tensor<2x16x2x1xi32>, %arg173: tensor<2x16x1xf32>, %arg174: tensor<2x16x2xf32>, %arg175: tensor<2x16x1xf32>, %arg176: tensor<2x16x8x8xf32>, %arg177: tensor<2x2x32x8xf32>, %arg178: tensor<2x2x32x16xf32>, %arg179: tensor<2x2x32x16xf32>, %arg180: tensor<2x2x32x16xf32>, %arg181: tensor<2x2x32x16xf32>, %arg182: tensor<2x16x2x8x8xf32>, %arg183: tensor<2x8x8x8xf32>, %arg184: tensor<2x16x8x8xf32>, %arg185: tensor<8x8xf32>, %arg186: tensor<2x8x16xf32>, %arg187: tensor<2x16x8xf32>, %arg188: tensor<i32>, %arg189: tensor<8x8xf32>, %arg190: tensor<2x8x16xf32>, %arg191: tensor<2x16x8xf32>, %arg192: tensor<16x8xf32>):
        %327 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
        %328 = "stablehlo.compare"(%arg188, %327) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%328) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg143: tensor<2x16x8xf32>, %arg144: tensor<2x16x8xf32>, %arg145: tensor<2x16x1xf32>, %arg146: tensor<2x16x1xf32>, %arg147: tensor<2x16x2x1xi32>, %arg148: tensor<2x16x1xf32>, %arg149: tensor<2x16x2xf32>, %arg150: tensor<2x16x1xf32>, %arg151: tensor<2x16x8x8xf32>, %arg152: tensor<2x2x32x8xf32>, %arg153: tensor<2x2x32x16xf32>, %arg154: tensor<2x2x32x16xf32>, %arg155: tensor<2x2x32x16xf32>, %arg156: tensor<2x2x32x16xf32>, %arg157: tensor<2x16x2x8x8xf32>, %arg158: tensor<2x8x8x8xf32>, %arg159: tensor<2x16x8x8xf32>, %arg160: tensor<8x8xf32>, %arg161: tensor<2x8x16xf32>, %arg162: tensor<2x16x8xf32>, %arg163: tensor<i32>, %arg164: tensor<8x8xf32>, %arg165: tensor<2x8x16xf32>, %arg166: tensor<2x16x8xf32>, %arg167: tensor<16x8xf32>):
        %303 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
        %304 = "stablehlo.subtract"(%303, %arg163) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %305 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %306 = "stablehlo.subtract"(%304, %305) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %307 = "func.call"(%arg143, %306) <{callee = @dynamic_index_in_dim}> : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
        %308 = "func.call"(%arg144, %306) <{callee = @dynamic_index_in_dim}> : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
        %309 = "func.call"(%arg145, %306) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %310 = "func.call"(%arg146, %306) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %311 = "func.call"(%arg147, %306) <{callee = @dynamic_index_in_dim_14}> : (tensor<2x16x2x1xi32>, tensor<i32>) -> tensor<16x2x1xi32>
        %312 = "func.call"(%arg148, %306) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %313 = "func.call"(%arg149, %306) <{callee = @dynamic_index_in_dim_15}> : (tensor<2x16x2xf32>, tensor<i32>) -> tensor<16x2xf32>
        %314 = "func.call"(%arg150, %306) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %315 = "func.call"(%arg151, %306) <{callee = @dynamic_index_in_dim_16}> : (tensor<2x16x8x8xf32>, tensor<i32>) -> tensor<16x8x8xf32>
        %316 = "func.call"(%arg152, %306) <{callee = @dynamic_index_in_dim_17}> : (tensor<2x2x32x8xf32>, tensor<i32>) -> tensor<2x32x8xf32>
        %317 = "func.call"(%arg153, %306) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %318 = "func.call"(%arg154, %306) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %319 = "func.call"(%arg155, %306) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %320 = "func.call"(%arg156, %306) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %321 = "func.call"(%arg157, %306) <{callee = @dynamic_index_in_dim_19}> : (tensor<2x16x2x8x8xf32>, tensor<i32>) -> tensor<16x2x8x8xf32>
        %322 = "func.call"(%arg158, %306) <{callee = @dynamic_index_in_dim_20}> : (tensor<2x8x8x8xf32>, tensor<i32>) -> tensor<8x8x8xf32>
        %323 = "func.call"(%arg159, %306) <{callee = @dynamic_index_in_dim_16}> : (tensor<2x16x8x8xf32>, tensor<i32>) -> tensor<16x8x8xf32>
        %324:4 = "func.call"(%arg160, %arg161, %arg162, %arg164, %arg165, %arg166, %arg167, %307, %308, %309, %310, %311, %312, %313, %314, %315, %316, %317, %318, %319, %320, %321, %322, %323) <{callee = @closed_call_21}> : (tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<16x8x8xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> (tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>)
        %325 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %326 = "stablehlo.add"(%arg163, %325) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%arg143, %arg144, %arg145, %arg146, %arg147, %arg148, %arg149, %arg150, %arg151, %arg152, %arg153, %arg154, %arg155, %arg156, %arg157, %arg158, %arg159, %arg160, %arg161, %arg162, %326, %324#0, %324#1, %324#2, %324#3) : (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>) -> ()
      }) : (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>) -> (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>)
      "sdy.return"(%302#23, %302#21, %302#22) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<32x8xf32>, tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8x16x8xf32>, tensor<8x16x8xf32>, tensor<8x16x1xf32>, tensor<8x16x1xf32>, tensor<8x16x2x1xi32>, tensor<8x16x1xf32>, tensor<8x16x2xf32>, tensor<8x16x1xf32>, tensor<8x16x8x8xf32>, tensor<16x2x32x8xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<8x16x2x8x8xf32>, tensor<8x8x8x8xf32>, tensor<8x16x8x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%288, %294#0, %294#1, %294#2) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x1x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
    %279 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    "func.return"(%279) : (tensor<1x1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x8xi32>, res_attrs = [{}], sym_name = "_one_hot_0", sym_visibility = "private"}> ({
    %278 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    "func.return"(%278) : (tensor<1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<f32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
    %277 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    "func.return"(%277) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<16x8x8xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg97: tensor<f32>, %arg98: tensor<8x8xf32>, %arg99: tensor<1x8xi32>, %arg100: tensor<1x1x8xi32>, %arg101: tensor<1x8xi32>, %arg102: tensor<2x8x16xf32>, %arg103: tensor<f32>, %arg104: tensor<2x16x8xf32>, %arg105: tensor<16x8xf32>):
    %207 = "stablehlo.dot_general"(%arg105, %arg98) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %208 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %209 = "stablehlo.reduce"(%207, %208) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg116: tensor<f32>, %arg117: tensor<f32>):
      %276 = "stablehlo.maximum"(%arg116, %arg117) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%276) : (tensor<f32>) -> ()
    }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %210 = "stablehlo.broadcast_in_dim"(%arg97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %211 = "stablehlo.maximum"(%210, %209) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %212 = "stablehlo.broadcast_in_dim"(%211) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %214 = "stablehlo.subtract"(%207, %213) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %215 = "stablehlo.exponential"(%214) : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %216 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %217 = "stablehlo.reduce"(%215, %216) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg114: tensor<f32>, %arg115: tensor<f32>):
      %275 = "stablehlo.add"(%arg114, %arg115) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%275) : (tensor<f32>) -> ()
    }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %218 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %219 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %220 = "stablehlo.divide"(%215, %219) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %221 = "stablehlo.multiply"(%218, %218) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %222 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %224 = "stablehlo.divide"(%223, %221) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %225:2 = "chlo.top_k"(%220) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
    %226 = "stablehlo.reshape"(%225#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %227 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %228 = "stablehlo.reduce"(%225#0, %227) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg112: tensor<f32>, %arg113: tensor<f32>):
      %274 = "stablehlo.add"(%arg112, %arg113) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
    %229 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %230 = "stablehlo.broadcast_in_dim"(%229) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
    %231 = "stablehlo.divide"(%225#0, %230) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %232 = "stablehlo.multiply"(%229, %229) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %233 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %235 = "stablehlo.divide"(%234, %232) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %236 = "func.call"(%225#1, %arg100) <{callee = @_one_hot_1}> : (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %237 = "stablehlo.reshape"(%236) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
    %238 = "func.call"(%237) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    %239 = "stablehlo.subtract"(%238, %237) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
    %240 = "stablehlo.multiply"(%239, %237) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
    %241 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %242 = "stablehlo.reduce"(%240, %241) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg110: tensor<i32>, %arg111: tensor<i32>):
      %273 = "stablehlo.add"(%arg110, %arg111) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%273) : (tensor<i32>) -> ()
    }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
    %243 = "stablehlo.reshape"(%225#1) : (tensor<16x2xi32>) -> tensor<32xi32>
    %244 = "func.call"(%243, %arg99) <{callee = @_one_hot_3}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
    %245 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
    %246 = "func.call"(%242, %arg101) <{callee = @_one_hot_3}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
    %247 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
    %248 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
    %249 = "stablehlo.broadcast_in_dim"(%247) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
    %250 = "stablehlo.multiply"(%248, %249) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
    %251 = "stablehlo.reshape"(%250) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
    %252 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %253 = "stablehlo.reduce"(%251, %252) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg108: tensor<f32>, %arg109: tensor<f32>):
      %272 = "stablehlo.add"(%arg108, %arg109) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%272) : (tensor<f32>) -> ()
    }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
    %254 = "stablehlo.dot_general"(%253, %arg105) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
    %255 = "stablehlo.reshape"(%254) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
    %256 = "stablehlo.all_to_all"(%255) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %257 = "stablehlo.transpose"(%256) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
    %258 = "stablehlo.reshape"(%257) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
    %259 = "stablehlo.dot_general"(%258, %arg102) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
    %260:3 = "func.call"(%259, %arg103) <{callee = @silu_4}> : (tensor<2x32x16xf32>, tensor<f32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
    %261 = "stablehlo.dot_general"(%260#0, %arg104) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
    %262 = "stablehlo.reshape"(%261) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
    %263 = "stablehlo.transpose"(%262) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
    %264 = "stablehlo.reduce_scatter"(%263) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, scatter_dimension = 3 : i64, use_global_device_ids}> ({
    ^bb0(%arg106: tensor<f32>, %arg107: tensor<f32>):
      %271 = "stablehlo.add"(%arg106, %arg107) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%271) : (tensor<f32>) -> ()
    }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x4xf32>
    %265 = "stablehlo.all_to_all"(%264) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
    %266 = "stablehlo.all_gather"(%265) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
    %267 = "stablehlo.reshape"(%266) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
    %268 = "stablehlo.dot_general"(%251, %231) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
    %269 = "stablehlo.dot_general"(%268, %267) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
    %270 = "stablehlo.add"(%arg105, %269) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    "func.return"(%270, %arg105, %215, %218, %224, %226, %229, %225#0, %235, %253, %258, %260#1, %260#2, %259, %260#0, %251, %267, %268) : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<16x8x8xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg95: tensor<16x2xi32>, %arg96: tensor<1x1x8xi32>):
    %202 = "stablehlo.broadcast_in_dim"(%arg95) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %204 = "stablehlo.broadcast_in_dim"(%arg96) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %205 = "stablehlo.compare"(%203, %204) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %206 = "stablehlo.convert"(%205) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%206) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg94: tensor<32x8xi32>):
    %201 = "func.call"(%arg94) <{callee = @cumsum_2}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%201) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg91: tensor<32x8xi32>):
    %197 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %199 = "stablehlo.reduce_window"(%arg91, %198) <{base_dilations = array<i64: 1, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 32, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg92: tensor<i32>, %arg93: tensor<i32>):
      %200 = "stablehlo.add"(%arg92, %arg93) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%200) : (tensor<i32>) -> ()
    }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32x8xi32>
    "func.return"(%199) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_3", sym_visibility = "private"}> ({
  ^bb0(%arg89: tensor<32xi32>, %arg90: tensor<1x8xi32>):
    %192 = "stablehlo.broadcast_in_dim"(%arg89) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %194 = "stablehlo.broadcast_in_dim"(%arg90) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %195 = "stablehlo.compare"(%193, %194) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %196 = "stablehlo.convert"(%195) : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%196) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x32x16xf32>, tensor<f32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu_4", sym_visibility = "private"}> ({
  ^bb0(%arg87: tensor<2x32x16xf32>, %arg88: tensor<f32>):
    %180 = "stablehlo.negate"(%arg87) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %181 = "stablehlo.exponential"(%180) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %182 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %184 = "stablehlo.add"(%183, %181) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %185 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %186 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %187 = "stablehlo.divide"(%186, %184) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %188 = "stablehlo.broadcast_in_dim"(%arg88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %189 = "stablehlo.subtract"(%188, %187) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %190 = "stablehlo.multiply"(%187, %189) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %191 = "stablehlo.multiply"(%arg87, %187) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%191, %190, %187) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<2x16x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg84: tensor<2x16x8xf32>, %arg85: tensor<16x8xf32>, %arg86: tensor<i32>):
    %176 = "stablehlo.broadcast_in_dim"(%arg85) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x8xf32>) -> tensor<1x16x8xf32>
    %177 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %178 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %179 = "stablehlo.dynamic_update_slice"(%arg84, %176, %arg86, %177, %178) : (tensor<2x16x8xf32>, tensor<1x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x8xf32>
    "func.return"(%179) : (tensor<2x16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg81: tensor<2x16x1xf32>, %arg82: tensor<16x1xf32>, %arg83: tensor<i32>):
    %172 = "stablehlo.broadcast_in_dim"(%arg82) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x1xf32>) -> tensor<1x16x1xf32>
    %173 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %174 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %175 = "stablehlo.dynamic_update_slice"(%arg81, %172, %arg83, %173, %174) : (tensor<2x16x1xf32>, tensor<1x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x1xf32>
    "func.return"(%175) : (tensor<2x16x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x2x1xi32>, tensor<16x2x1xi32>, tensor<i32>) -> tensor<2x16x2x1xi32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg78: tensor<2x16x2x1xi32>, %arg79: tensor<16x2x1xi32>, %arg80: tensor<i32>):
    %167 = "stablehlo.broadcast_in_dim"(%arg79) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<16x2x1xi32>) -> tensor<1x16x2x1xi32>
    %168 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %169 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %170 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %171 = "stablehlo.dynamic_update_slice"(%arg78, %167, %arg80, %168, %169, %170) : (tensor<2x16x2x1xi32>, tensor<1x16x2x1xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x2x1xi32>
    "func.return"(%171) : (tensor<2x16x2x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x2xf32>, tensor<16x2xf32>, tensor<i32>) -> tensor<2x16x2xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_7", sym_visibility = "private"}> ({
  ^bb0(%arg75: tensor<2x16x2xf32>, %arg76: tensor<16x2xf32>, %arg77: tensor<i32>):
    %163 = "stablehlo.broadcast_in_dim"(%arg76) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x2xf32>) -> tensor<1x16x2xf32>
    %164 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %165 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %166 = "stablehlo.dynamic_update_slice"(%arg75, %163, %arg77, %164, %165) : (tensor<2x16x2xf32>, tensor<1x16x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x2xf32>
    "func.return"(%166) : (tensor<2x16x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x8x8xf32>, tensor<16x8x8xf32>, tensor<i32>) -> tensor<2x16x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_8", sym_visibility = "private"}> ({
  ^bb0(%arg72: tensor<2x16x8x8xf32>, %arg73: tensor<16x8x8xf32>, %arg74: tensor<i32>):
    %158 = "stablehlo.broadcast_in_dim"(%arg73) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<16x8x8xf32>) -> tensor<1x16x8x8xf32>
    %159 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %160 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %161 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %162 = "stablehlo.dynamic_update_slice"(%arg72, %158, %arg74, %159, %160, %161) : (tensor<2x16x8x8xf32>, tensor<1x16x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x8x8xf32>
    "func.return"(%162) : (tensor<2x16x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x32x8xf32>, tensor<2x32x8xf32>, tensor<i32>) -> tensor<2x2x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_9", sym_visibility = "private"}> ({
  ^bb0(%arg69: tensor<2x2x32x8xf32>, %arg70: tensor<2x32x8xf32>, %arg71: tensor<i32>):
    %153 = "stablehlo.broadcast_in_dim"(%arg70) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x32x8xf32>) -> tensor<1x2x32x8xf32>
    %154 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %155 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %156 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %157 = "stablehlo.dynamic_update_slice"(%arg69, %153, %arg71, %154, %155, %156) : (tensor<2x2x32x8xf32>, tensor<1x2x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x32x8xf32>
    "func.return"(%157) : (tensor<2x2x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_10", sym_visibility = "private"}> ({
  ^bb0(%arg66: tensor<2x2x32x16xf32>, %arg67: tensor<2x32x16xf32>, %arg68: tensor<i32>):
    %148 = "stablehlo.broadcast_in_dim"(%arg67) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x32x16xf32>) -> tensor<1x2x32x16xf32>
    %149 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %150 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %151 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %152 = "stablehlo.dynamic_update_slice"(%arg66, %148, %arg68, %149, %150, %151) : (tensor<2x2x32x16xf32>, tensor<1x2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x32x16xf32>
    "func.return"(%152) : (tensor<2x2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x2x8x8xf32>, tensor<16x2x8x8xf32>, tensor<i32>) -> tensor<2x16x2x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_11", sym_visibility = "private"}> ({
  ^bb0(%arg63: tensor<2x16x2x8x8xf32>, %arg64: tensor<16x2x8x8xf32>, %arg65: tensor<i32>):
    %142 = "stablehlo.broadcast_in_dim"(%arg64) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<16x2x8x8xf32>) -> tensor<1x16x2x8x8xf32>
    %143 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %144 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %145 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %146 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %147 = "stablehlo.dynamic_update_slice"(%arg63, %142, %arg65, %143, %144, %145, %146) : (tensor<2x16x2x8x8xf32>, tensor<1x16x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x2x8x8xf32>
    "func.return"(%147) : (tensor<2x16x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x8x8xf32>, tensor<8x8x8xf32>, tensor<i32>) -> tensor<2x8x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_12", sym_visibility = "private"}> ({
  ^bb0(%arg60: tensor<2x8x8x8xf32>, %arg61: tensor<8x8x8xf32>, %arg62: tensor<i32>):
    %137 = "stablehlo.broadcast_in_dim"(%arg61) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x8xf32>) -> tensor<1x8x8x8xf32>
    %138 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %139 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %140 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %141 = "stablehlo.dynamic_update_slice"(%arg60, %137, %arg62, %138, %139, %140) : (tensor<2x8x8x8xf32>, tensor<1x8x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x8xf32>
    "func.return"(%141) : (tensor<2x8x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg58: tensor<2x16x8xf32>, %arg59: tensor<i32>):
    %133 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %134 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %135 = "stablehlo.dynamic_slice"(%arg58, %arg59, %133, %134) <{slice_sizes = array<i64: 1, 16, 8>}> : (tensor<2x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %136 = "stablehlo.reshape"(%135) : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
    "func.return"(%136) : (tensor<16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_13", sym_visibility = "private"}> ({
  ^bb0(%arg56: tensor<2x16x1xf32>, %arg57: tensor<i32>):
    %129 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %130 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %131 = "stablehlo.dynamic_slice"(%arg56, %arg57, %129, %130) <{slice_sizes = array<i64: 1, 16, 1>}> : (tensor<2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x1xf32>
    %132 = "stablehlo.reshape"(%131) : (tensor<1x16x1xf32>) -> tensor<16x1xf32>
    "func.return"(%132) : (tensor<16x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x2x1xi32>, tensor<i32>) -> tensor<16x2x1xi32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_14", sym_visibility = "private"}> ({
  ^bb0(%arg54: tensor<2x16x2x1xi32>, %arg55: tensor<i32>):
    %124 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %125 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %126 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %127 = "stablehlo.dynamic_slice"(%arg54, %arg55, %124, %125, %126) <{slice_sizes = array<i64: 1, 16, 2, 1>}> : (tensor<2x16x2x1xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x1xi32>
    %128 = "stablehlo.reshape"(%127) : (tensor<1x16x2x1xi32>) -> tensor<16x2x1xi32>
    "func.return"(%128) : (tensor<16x2x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x2xf32>, tensor<i32>) -> tensor<16x2xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_15", sym_visibility = "private"}> ({
  ^bb0(%arg52: tensor<2x16x2xf32>, %arg53: tensor<i32>):
    %120 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %121 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %122 = "stablehlo.dynamic_slice"(%arg52, %arg53, %120, %121) <{slice_sizes = array<i64: 1, 16, 2>}> : (tensor<2x16x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2xf32>
    %123 = "stablehlo.reshape"(%122) : (tensor<1x16x2xf32>) -> tensor<16x2xf32>
    "func.return"(%123) : (tensor<16x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x8x8xf32>, tensor<i32>) -> tensor<16x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_16", sym_visibility = "private"}> ({
  ^bb0(%arg50: tensor<2x16x8x8xf32>, %arg51: tensor<i32>):
    %115 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %116 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %117 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %118 = "stablehlo.dynamic_slice"(%arg50, %arg51, %115, %116, %117) <{slice_sizes = array<i64: 1, 16, 8, 8>}> : (tensor<2x16x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8x8xf32>
    %119 = "stablehlo.reshape"(%118) : (tensor<1x16x8x8xf32>) -> tensor<16x8x8xf32>
    "func.return"(%119) : (tensor<16x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x2x32x8xf32>, tensor<i32>) -> tensor<2x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_17", sym_visibility = "private"}> ({
  ^bb0(%arg48: tensor<2x2x32x8xf32>, %arg49: tensor<i32>):
    %110 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %111 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %112 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %113 = "stablehlo.dynamic_slice"(%arg48, %arg49, %110, %111, %112) <{slice_sizes = array<i64: 1, 2, 32, 8>}> : (tensor<2x2x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32x8xf32>
    %114 = "stablehlo.reshape"(%113) : (tensor<1x2x32x8xf32>) -> tensor<2x32x8xf32>
    "func.return"(%114) : (tensor<2x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_18", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<2x2x32x16xf32>, %arg47: tensor<i32>):
    %105 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %106 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %107 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %108 = "stablehlo.dynamic_slice"(%arg46, %arg47, %105, %106, %107) <{slice_sizes = array<i64: 1, 2, 32, 16>}> : (tensor<2x2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32x16xf32>
    %109 = "stablehlo.reshape"(%108) : (tensor<1x2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%109) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x2x8x8xf32>, tensor<i32>) -> tensor<16x2x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_19", sym_visibility = "private"}> ({
  ^bb0(%arg44: tensor<2x16x2x8x8xf32>, %arg45: tensor<i32>):
    %99 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %100 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %101 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %102 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %103 = "stablehlo.dynamic_slice"(%arg44, %arg45, %99, %100, %101, %102) <{slice_sizes = array<i64: 1, 16, 2, 8, 8>}> : (tensor<2x16x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8x8xf32>
    %104 = "stablehlo.reshape"(%103) : (tensor<1x16x2x8x8xf32>) -> tensor<16x2x8x8xf32>
    "func.return"(%104) : (tensor<16x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x8x8xf32>, tensor<i32>) -> tensor<8x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_20", sym_visibility = "private"}> ({
  ^bb0(%arg42: tensor<2x8x8x8xf32>, %arg43: tensor<i32>):
    %94 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %95 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %96 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %97 = "stablehlo.dynamic_slice"(%arg42, %arg43, %94, %95, %96) <{slice_sizes = array<i64: 1, 8, 8, 8>}> : (tensor<2x8x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x8xf32>
    %98 = "stablehlo.reshape"(%97) : (tensor<1x8x8x8xf32>) -> tensor<8x8x8xf32>
    "func.return"(%98) : (tensor<8x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<16x8x8xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> (tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>), res_attrs = [{}, {}, {}, {}], sym_name = "closed_call_21", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<8x8xf32>, %arg5: tensor<2x8x16xf32>, %arg6: tensor<2x16x8xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<2x8x16xf32>, %arg9: tensor<2x16x8xf32>, %arg10: tensor<16x8xf32>, %arg11: tensor<16x8xf32>, %arg12: tensor<16x8xf32>, %arg13: tensor<16x1xf32>, %arg14: tensor<16x1xf32>, %arg15: tensor<16x2x1xi32>, %arg16: tensor<16x1xf32>, %arg17: tensor<16x2xf32>, %arg18: tensor<16x1xf32>, %arg19: tensor<16x8x8xf32>, %arg20: tensor<2x32x8xf32>, %arg21: tensor<2x32x16xf32>, %arg22: tensor<2x32x16xf32>, %arg23: tensor<2x32x16xf32>, %arg24: tensor<2x32x16xf32>, %arg25: tensor<16x2x8x8xf32>, %arg26: tensor<8x8x8xf32>, %arg27: tensor<16x8x8xf32>):
    %4 = "stablehlo.dot_general"(%arg10, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
    %5 = "stablehlo.transpose"(%4) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %6 = "stablehlo.dot_general"(%arg10, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
    %7 = "stablehlo.dot_general"(%6, %arg25) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
    %8 = "stablehlo.reshape"(%5) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %10 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
    %11 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %12 = "stablehlo.divide"(%11, %9) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %13 = "stablehlo.remainder"(%12, %10) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %14 = "stablehlo.convert"(%13) : (tensor<ui32>) -> tensor<i32>
    %15 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.multiply"(%14, %15) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.add"(%17, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %19 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.multiply"(%18, %19) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.compare"(%20, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %23 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.add"(%20, %23) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "stablehlo.select"(%22, %24, %20) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.dynamic_slice"(%8, %26, %27, %28, %25) <{slice_sizes = array<i64: 4, 2, 8, 4>}> : (tensor<4x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x4xf32>
    %30 = "stablehlo.all_to_all"(%29) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
    %31 = "stablehlo.all_gather"(%30) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
    %34 = "stablehlo.dot_general"(%33, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
    %35 = "stablehlo.transpose"(%34) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
    %36 = "stablehlo.add"(%arg9, %35) : (tensor<2x16x8xf32>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
    %37 = "stablehlo.dot_general"(%33, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
    %38 = "func.call"(%arg21, %arg22, %arg23, %37) <{callee = @silu_22}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %39 = "stablehlo.dot_general"(%38, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
    %40 = "stablehlo.transpose"(%39) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
    %41 = "stablehlo.add"(%arg8, %40) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %42 = "stablehlo.dot_general"(%38, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x8x16xf32>) -> tensor<2x32x8xf32>
    %43 = "stablehlo.all_reduce"(%42) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %93 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%93) : (tensor<f32>) -> ()
    }) : (tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %44 = "stablehlo.reshape"(%43) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
    %46 = "stablehlo.all_to_all"(%45) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
    %48 = "stablehlo.dot_general"(%47, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> tensor<8x16xf32>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 1, 0>}> : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %50 = "stablehlo.add"(%arg10, %49) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %51 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
    %52 = "stablehlo.multiply"(%7, %51) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %53 = "stablehlo.multiply"(%52, %arg17) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %54 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.reduce"(%53, %54) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %92 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%92) : (tensor<f32>) -> ()
    }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<16xf32>) -> tensor<16x1xf32>
    %57 = "stablehlo.negate"(%56) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %58 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
    %59 = "stablehlo.divide"(%7, %58) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %60 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.reduce"(%57, %60) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %91 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%91) : (tensor<f32>) -> ()
    }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
    %63 = "stablehlo.add"(%59, %62) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %64 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
    %66 = "stablehlo.scatter"(%65, %arg15, %63) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %90 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%90) : (tensor<f32>) -> ()
    }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
    %67 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %68 = "stablehlo.multiply"(%66, %67) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %69 = "stablehlo.multiply"(%68, %arg12) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %70 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %71 = "stablehlo.reduce"(%69, %70) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %89 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%89) : (tensor<f32>) -> ()
    }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %72 = "stablehlo.reshape"(%71) : (tensor<16xf32>) -> tensor<16x1xf32>
    %73 = "stablehlo.negate"(%72) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %74 = "stablehlo.broadcast_in_dim"(%arg13) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %75 = "stablehlo.divide"(%66, %74) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %76 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.reduce"(%73, %76) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %88 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%88) : (tensor<f32>) -> ()
    }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
    %79 = "stablehlo.add"(%75, %78) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %80 = "stablehlo.multiply"(%79, %arg12) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %81 = "stablehlo.dot_general"(%80, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %82 = "stablehlo.transpose"(%81) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %83 = "stablehlo.dot_general"(%80, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %84 = "stablehlo.add"(%50, %83) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %85 = "stablehlo.all_reduce"(%82) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %87 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%87) : (tensor<f32>) -> ()
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %86 = "stablehlo.add"(%arg7, %85) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%86, %41, %36, %84) : (tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "silu_22", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x32x16xf32>, %arg1: tensor<2x32x16xf32>, %arg2: tensor<2x32x16xf32>, %arg3: tensor<2x32x16xf32>):
    %0 = "stablehlo.multiply"(%arg2, %arg3) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg1) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %2 = "stablehlo.multiply"(%0, %arg0) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%3) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

