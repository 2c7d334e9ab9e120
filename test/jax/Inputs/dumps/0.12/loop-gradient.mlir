"builtin.module"() <{sym_name = "jit_loop_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg59: tensor<8x32x8xf32>, %arg60: tensor<8x8xf32>, %arg61: tensor<8x8x32xf32>, %arg62: tensor<64x8xf32>):
    %120:19 = "sdy.manual_computation"(%arg59, %arg60, %arg61, %arg62) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>]>}> ({
    ^bb0(%arg150: tensor<2x16x8xf32>, %arg151: tensor<8x8xf32>, %arg152: tensor<2x8x16xf32>, %arg153: tensor<16x8xf32>):
      %263 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %264 = "func.call"() <{callee = @_one_hot}> : () -> tensor<1x1x8xi32>
      %265 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %266 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %267 = "func.call"() <{callee = @silu}> : () -> tensor<f32>
      %268 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %269 = "stablehlo.broadcast_in_dim"(%268) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8xf32>
      %270 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %271 = "stablehlo.broadcast_in_dim"(%270) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8xf32>
      %272 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %273 = "stablehlo.broadcast_in_dim"(%272) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %274 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %275 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %276 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %277 = "stablehlo.broadcast_in_dim"(%276) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x16x2x1xi32>
      %278 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %279 = "stablehlo.broadcast_in_dim"(%278) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %280 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %281 = "stablehlo.broadcast_in_dim"(%280) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x2xf32>
      %282 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %283 = "stablehlo.broadcast_in_dim"(%282) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x1xf32>
      %284 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %285 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8x8xf32>
      %286 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %287 = "stablehlo.broadcast_in_dim"(%286) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x8xf32>
      %288 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %290 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %291 = "stablehlo.broadcast_in_dim"(%290) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %292 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %293 = "stablehlo.broadcast_in_dim"(%292) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %294 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %295 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x32x16xf32>
      %296 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %297 = "stablehlo.broadcast_in_dim"(%296) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x2x8x8xf32>
      %298 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8x8xf32>
      %300 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8x8xf32>
      %302 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %303:27 = "stablehlo.while"(%263, %arg151, %265, %264, %266, %arg152, %267, %arg150, %302, %arg153, %269, %271, %273, %275, %277, %279, %281, %283, %285, %287, %289, %291, %293, %295, %297, %299, %301) ({
      ^bb0(%arg193: tensor<f32>, %arg194: tensor<8x8xf32>, %arg195: tensor<1x8xi32>, %arg196: tensor<1x1x8xi32>, %arg197: tensor<1x8xi32>, %arg198: tensor<2x8x16xf32>, %arg199: tensor<f32>, %arg200: tensor<2x16x8xf32>, %arg201: tensor<i32>, %arg202: tensor<16x8xf32>, %arg203: tensor<2x16x8xf32>, %arg204: tensor<2x16x8xf32>, %arg205: tensor<2x16x1xf32>, %arg206: tensor<2x16x1xf32>, %arg207: tensor<2x16x2x1xi32>, %arg208: tensor<2x16x1xf32>, %arg209: tensor<2x16x2xf32>, %arg210: tensor<2x16x1xf32>, %arg211: tensor<2x16x8x8xf32>, %arg212: tensor<2x2x32x8xf32>, %arg213: tensor<2x2x32x16xf32>, %arg214: tensor<2x2x32x16xf32>, %arg215: tensor<2x2x32x16xf32>, %arg216: tensor<2x2x32x16xf32>, %arg217: tensor<2x16x2x8x8xf32>, %arg218: tensor<2x8x8x8xf32>, %arg219: tensor<2x16x8x8xf32>):
        %393 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
        %394 = "stablehlo.compare"(%arg201, %393) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%394) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg154: tensor<f32>, %arg155: tensor<8x8xf32>, %arg156: tensor<1x8xi32>, %arg157: tensor<1x1x8xi32>, %arg158: tensor<1x8xi32>, %arg159: tensor<2x8x16xf32>, %arg160: tensor<f32>, %arg161: tensor<2x16x8xf32>, %arg162: tensor<i32>, %arg163: tensor<16x8xf32>, %arg164: tensor<2x16x8xf32>, %arg165: tensor<2x16x8xf32>, %arg166: tensor<2x16x1xf32>, %arg167: tensor<2x16x1xf32>, %arg168: tensor<2x16x2x1xi32>, %arg169: tensor<2x16x1xf32>, %arg170: tensor<2x16x2xf32>, %arg171: tensor<2x16x1xf32>, %arg172: tensor<2x16x8x8xf32>, %arg173: tensor<2x2x32x8xf32>, %arg174: tensor<2x2x32x16xf32>, %arg175: tensor<2x2x32x16xf32>, %arg176: tensor<2x2x32x16xf32>, %arg177: tensor<2x2x32x16xf32>, %arg178: tensor<2x16x2x8x8xf32>, %arg179: tensor<2x8x8x8xf32>, %arg180: tensor<2x16x8x8xf32>):
        %304 = "stablehlo.dot_general"(%arg163, %arg155) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
        %305 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
        %306 = "stablehlo.reduce"(%304, %305) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg191: tensor<f32>, %arg192: tensor<f32>):
          %392 = "stablehlo.maximum"(%arg191, %arg192) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%392) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %307 = "stablehlo.broadcast_in_dim"(%arg154) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
        %308 = "stablehlo.maximum"(%307, %306) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
        %309 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %310 = "stablehlo.broadcast_in_dim"(%309) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %311 = "stablehlo.subtract"(%304, %310) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %312 = "stablehlo.exponential"(%311) : (tensor<16x8xf32>) -> tensor<16x8xf32>
        %313 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %314 = "stablehlo.reduce"(%312, %313) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg189: tensor<f32>, %arg190: tensor<f32>):
          %391 = "stablehlo.add"(%arg189, %arg190) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%391) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %316 = "stablehlo.broadcast_in_dim"(%315) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %317 = "stablehlo.divide"(%312, %316) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %318 = "stablehlo.multiply"(%315, %315) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %319 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %320 = "stablehlo.broadcast_in_dim"(%319) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
        %321 = "stablehlo.divide"(%320, %318) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %322:2 = "chlo.top_k"(%317) <{is_stable = true, k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
        %323 = "stablehlo.reshape"(%322#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
        %324 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %325 = "stablehlo.reduce"(%322#0, %324) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg187: tensor<f32>, %arg188: tensor<f32>):
          %390 = "stablehlo.add"(%arg187, %arg188) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%390) : (tensor<f32>) -> ()
        }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
        %326 = "stablehlo.broadcast_in_dim"(%325) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %327 = "stablehlo.broadcast_in_dim"(%326) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %328 = "stablehlo.divide"(%322#0, %327) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %329 = "stablehlo.multiply"(%326, %326) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %330 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %331 = "stablehlo.broadcast_in_dim"(%330) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
        %332 = "stablehlo.divide"(%331, %329) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %333 = "func.call"(%322#1, %arg157) <{callee = @_one_hot_1}> : (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
        %334 = "stablehlo.reshape"(%333) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
        %335 = "func.call"(%334) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
        %336 = "stablehlo.subtract"(%335, %334) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %337 = "stablehlo.multiply"(%336, %334) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %338 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %339 = "stablehlo.reduce"(%337, %338) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg185: tensor<i32>, %arg186: tensor<i32>):
          %389 = "stablehlo.add"(%arg185, %arg186) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          "stablehlo.return"(%389) : (tensor<i32>) -> ()
        }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
        %340 = "stablehlo.reshape"(%322#1) : (tensor<16x2xi32>) -> tensor<32xi32>
        %341 = "func.call"(%340, %arg156) <{callee = @_one_hot_3}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
        %342 = "stablehlo.broadcast_in_dim"(%341) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
        %343 = "func.call"(%339, %arg158) <{callee = @_one_hot_3}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
        %344 = "stablehlo.broadcast_in_dim"(%343) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
        %345 = "stablehlo.broadcast_in_dim"(%342) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
        %346 = "stablehlo.broadcast_in_dim"(%344) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
        %347 = "stablehlo.multiply"(%345, %346) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
        %348 = "stablehlo.reshape"(%347) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
        %349 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %350 = "stablehlo.reduce"(%348, %349) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg183: tensor<f32>, %arg184: tensor<f32>):
          %388 = "stablehlo.add"(%arg183, %arg184) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%388) : (tensor<f32>) -> ()
        }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
        %351 = "stablehlo.dot_general"(%350, %arg163) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
        %352 = "stablehlo.reshape"(%351) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
        %353 = "stablehlo.all_to_all"(%352) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %354 = "stablehlo.transpose"(%353) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
        %355 = "stablehlo.reshape"(%354) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
        %356 = "stablehlo.dot_general"(%355, %arg159) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
        %357:3 = "func.call"(%356, %arg160) <{callee = @silu_4}> : (tensor<2x32x16xf32>, tensor<f32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
        %358 = "stablehlo.dot_general"(%357#0, %arg161) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
        %359 = "stablehlo.reshape"(%358) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
        %360 = "stablehlo.transpose"(%359) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
        %361 = "stablehlo.reduce_scatter"(%360) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, scatter_dimension = 3 : i64, use_global_device_ids}> ({
        ^bb0(%arg181: tensor<f32>, %arg182: tensor<f32>):
          %387 = "stablehlo.add"(%arg181, %arg182) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%387) : (tensor<f32>) -> ()
        }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x4xf32>
        %362 = "stablehlo.all_to_all"(%361) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
        %363 = "stablehlo.all_gather"(%362) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
        %364 = "stablehlo.reshape"(%363) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
        %365 = "stablehlo.dot_general"(%348, %328) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
        %366 = "stablehlo.dot_general"(%365, %364) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
        %367 = "stablehlo.add"(%arg163, %366) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %368 = "func.call"(%arg164, %arg163, %arg162) <{callee = @dynamic_update_index_in_dim}> : (tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<2x16x8xf32>
        %369 = "func.call"(%arg165, %312, %arg162) <{callee = @dynamic_update_index_in_dim}> : (tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<2x16x8xf32>
        %370 = "func.call"(%arg166, %315, %arg162) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %371 = "func.call"(%arg167, %321, %arg162) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %372 = "func.call"(%arg168, %323, %arg162) <{callee = @dynamic_update_index_in_dim_6}> : (tensor<2x16x2x1xi32>, tensor<16x2x1xi32>, tensor<i32>) -> tensor<2x16x2x1xi32>
        %373 = "func.call"(%arg169, %326, %arg162) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %374 = "func.call"(%arg170, %322#0, %arg162) <{callee = @dynamic_update_index_in_dim_7}> : (tensor<2x16x2xf32>, tensor<16x2xf32>, tensor<i32>) -> tensor<2x16x2xf32>
        %375 = "func.call"(%arg171, %332, %arg162) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>
        %376 = "func.call"(%arg172, %350, %arg162) <{callee = @dynamic_update_index_in_dim_8}> : (tensor<2x16x8x8xf32>, tensor<16x8x8xf32>, tensor<i32>) -> tensor<2x16x8x8xf32>
        %377 = "func.call"(%arg173, %355, %arg162) <{callee = @dynamic_update_index_in_dim_9}> : (tensor<2x2x32x8xf32>, tensor<2x32x8xf32>, tensor<i32>) -> tensor<2x2x32x8xf32>
        %378 = "func.call"(%arg174, %357#1, %arg162) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %379 = "func.call"(%arg175, %357#2, %arg162) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %380 = "func.call"(%arg176, %356, %arg162) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %381 = "func.call"(%arg177, %357#0, %arg162) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>
        %382 = "func.call"(%arg178, %348, %arg162) <{callee = @dynamic_update_index_in_dim_11}> : (tensor<2x16x2x8x8xf32>, tensor<16x2x8x8xf32>, tensor<i32>) -> tensor<2x16x2x8x8xf32>
        %383 = "func.call"(%arg179, %364, %arg162) <{callee = @dynamic_update_index_in_dim_12}> : (tensor<2x8x8x8xf32>, tensor<8x8x8xf32>, tensor<i32>) -> tensor<2x8x8x8xf32>
        %384 = "func.call"(%arg180, %365, %arg162) <{callee = @dynamic_update_index_in_dim_8}> : (tensor<2x16x8x8xf32>, tensor<16x8x8xf32>, tensor<i32>) -> tensor<2x16x8x8xf32>
        %385 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %386 = "stablehlo.add"(%arg162, %385) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%arg154, %arg155, %arg156, %arg157, %arg158, %arg159, %arg160, %arg161, %386, %367, %368, %369, %370, %371, %372, %373, %374, %375, %376, %377, %378, %379, %380, %381, %382, %383, %384) : (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<i32>, tensor<16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>) -> ()
      }) : (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<i32>, tensor<16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>, tensor<2x8x16xf32>, tensor<f32>, tensor<2x16x8xf32>, tensor<i32>, tensor<16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>)
      "sdy.return"(%303#9, %arg151, %303#10, %303#11, %303#12, %303#13, %303#14, %303#15, %303#16, %303#17, %303#18, %303#19, %303#20, %303#21, %303#22, %303#23, %303#24, %303#25, %303#26) : (tensor<16x8xf32>, tensor<8x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<32x8xf32>, tensor<8x16x8xf32>, tensor<8x16x8xf32>, tensor<8x16x1xf32>, tensor<8x16x1xf32>, tensor<8x16x2x1xi32>, tensor<8x16x1xf32>, tensor<8x16x2xf32>, tensor<8x16x1xf32>, tensor<8x16x8x8xf32>, tensor<16x2x32x8xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<8x16x2x8x8xf32>, tensor<8x8x8x8xf32>, tensor<8x16x8x8xf32>)
    %121 = "stablehlo.multiply"(%120#0, %120#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %122 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %124 = "stablehlo.multiply"(%123, %120#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %125 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %126 = "stablehlo.reduce"(%121, %125) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg148: tensor<f32>, %arg149: tensor<f32>):
      %262 = "stablehlo.add"(%arg148, %arg149) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%262) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %127 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.divide"(%126, %127) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %129 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.divide"(%129, %130) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %133 = "stablehlo.multiply"(%132, %124) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %134:3 = "sdy.manual_computation"(%133, %120#1, %arg61, %arg59, %120#2, %120#3, %120#4, %120#5, %120#6, %120#7, %120#8, %120#9, %120#10, %120#11, %120#12, %120#13, %120#14, %120#15, %120#16, %120#17, %120#18) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg63: tensor<16x8xf32>, %arg64: tensor<8x8xf32>, %arg65: tensor<2x8x16xf32>, %arg66: tensor<2x16x8xf32>, %arg67: tensor<2x16x8xf32>, %arg68: tensor<2x16x8xf32>, %arg69: tensor<2x16x1xf32>, %arg70: tensor<2x16x1xf32>, %arg71: tensor<2x16x2x1xi32>, %arg72: tensor<2x16x1xf32>, %arg73: tensor<2x16x2xf32>, %arg74: tensor<2x16x1xf32>, %arg75: tensor<2x16x8x8xf32>, %arg76: tensor<2x2x32x8xf32>, %arg77: tensor<2x2x32x16xf32>, %arg78: tensor<2x2x32x16xf32>, %arg79: tensor<2x2x32x16xf32>, %arg80: tensor<2x2x32x16xf32>, %arg81: tensor<2x16x2x8x8xf32>, %arg82: tensor<2x8x8x8xf32>, %arg83: tensor<2x16x8x8xf32>):
      %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32>
      %137 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
      %139 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x8xf32>
      %141 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %142:25 = "stablehlo.while"(%arg67, %arg68, %arg69, %arg70, %arg71, %arg72, %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83, %arg64, %arg65, %arg66, %141, %136, %138, %140, %arg63) ({
      ^bb0(%arg123: tensor<2x16x8xf32>, %arg124: tensor<2x16x8xf32>, %arg125: tensor<2x16x1xf32>, %arg126: tensor<2x16x1xf32>, %arg127: tensor<2x16x2x1xi32>, %arg128: tensor<2x16x1xf32>, %arg129: tensor<2x16x2xf32>, %arg130: tensor<2x16x1xf32>, %arg131: tensor<2x16x8x8xf32>, %arg132: tensor<2x2x32x8xf32>, %arg133: tensor<2x2x32x16xf32>, %arg134: tensor<2x2x32x16xf32>, %arg135: tensor<2x2x32x16xf32>, %arg136: tensor<2x2x32x16xf32>, %arg137: tensor<2x16x2x8x8xf32>, %arg138: tensor<2x8x8x8xf32>, %arg139: tensor<2x16x8x8xf32>, %arg140: tensor<8x8xf32>, %arg141: tensor<2x8x16xf32>, %arg142: tensor<2x16x8xf32>, %arg143: tensor<i32>, %arg144: tensor<8x8xf32>, %arg145: tensor<2x8x16xf32>, %arg146: tensor<2x16x8xf32>, %arg147: tensor<16x8xf32>):
        %260 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
        %261 = "stablehlo.compare"(%arg143, %260) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%261) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg84: tensor<2x16x8xf32>, %arg85: tensor<2x16x8xf32>, %arg86: tensor<2x16x1xf32>, %arg87: tensor<2x16x1xf32>, %arg88: tensor<2x16x2x1xi32>, %arg89: tensor<2x16x1xf32>, %arg90: tensor<2x16x2xf32>, %arg91: tensor<2x16x1xf32>, %arg92: tensor<2x16x8x8xf32>, %arg93: tensor<2x2x32x8xf32>, %arg94: tensor<2x2x32x16xf32>, %arg95: tensor<2x2x32x16xf32>, %arg96: tensor<2x2x32x16xf32>, %arg97: tensor<2x2x32x16xf32>, %arg98: tensor<2x16x2x8x8xf32>, %arg99: tensor<2x8x8x8xf32>, %arg100: tensor<2x16x8x8xf32>, %arg101: tensor<8x8xf32>, %arg102: tensor<2x8x16xf32>, %arg103: tensor<2x16x8xf32>, %arg104: tensor<i32>, %arg105: tensor<8x8xf32>, %arg106: tensor<2x8x16xf32>, %arg107: tensor<2x16x8xf32>, %arg108: tensor<16x8xf32>):
        %143 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
        %144 = "stablehlo.subtract"(%143, %arg104) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %145 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %146 = "stablehlo.subtract"(%144, %145) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %147 = "func.call"(%arg84, %146) <{callee = @dynamic_index_in_dim}> : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
        %148 = "func.call"(%arg85, %146) <{callee = @dynamic_index_in_dim}> : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
        %149 = "func.call"(%arg86, %146) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %150 = "func.call"(%arg87, %146) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %151 = "func.call"(%arg88, %146) <{callee = @dynamic_index_in_dim_14}> : (tensor<2x16x2x1xi32>, tensor<i32>) -> tensor<16x2x1xi32>
        %152 = "func.call"(%arg89, %146) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %153 = "func.call"(%arg90, %146) <{callee = @dynamic_index_in_dim_15}> : (tensor<2x16x2xf32>, tensor<i32>) -> tensor<16x2xf32>
        %154 = "func.call"(%arg91, %146) <{callee = @dynamic_index_in_dim_13}> : (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>
        %155 = "func.call"(%arg92, %146) <{callee = @dynamic_index_in_dim_16}> : (tensor<2x16x8x8xf32>, tensor<i32>) -> tensor<16x8x8xf32>
        %156 = "func.call"(%arg93, %146) <{callee = @dynamic_index_in_dim_17}> : (tensor<2x2x32x8xf32>, tensor<i32>) -> tensor<2x32x8xf32>
        %157 = "func.call"(%arg94, %146) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %158 = "func.call"(%arg95, %146) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %159 = "func.call"(%arg96, %146) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %160 = "func.call"(%arg97, %146) <{callee = @dynamic_index_in_dim_18}> : (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
        %161 = "func.call"(%arg98, %146) <{callee = @dynamic_index_in_dim_19}> : (tensor<2x16x2x8x8xf32>, tensor<i32>) -> tensor<16x2x8x8xf32>
        %162 = "func.call"(%arg99, %146) <{callee = @dynamic_index_in_dim_20}> : (tensor<2x8x8x8xf32>, tensor<i32>) -> tensor<8x8x8xf32>
        %163 = "func.call"(%arg100, %146) <{callee = @dynamic_index_in_dim_16}> : (tensor<2x16x8x8xf32>, tensor<i32>) -> tensor<16x8x8xf32>
        %164 = "stablehlo.dot_general"(%arg108, %163) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
        %165 = "stablehlo.transpose"(%164) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
        %166 = "stablehlo.dot_general"(%arg108, %162) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
        %167 = "stablehlo.dot_general"(%166, %161) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
        %168 = "stablehlo.reshape"(%165) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
        %169 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
        %170 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
        %171 = "stablehlo.partition_id"() : () -> tensor<ui32>
        %172 = "stablehlo.divide"(%171, %169) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
        %173 = "stablehlo.remainder"(%172, %170) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
        %174 = "stablehlo.convert"(%173) : (tensor<ui32>) -> tensor<i32>
        %175 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %176 = "stablehlo.convert"(%175) : (tensor<i32>) -> tensor<i32>
        %177 = "stablehlo.multiply"(%174, %176) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %178 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %179 = "stablehlo.convert"(%178) : (tensor<i32>) -> tensor<i32>
        %180 = "stablehlo.add"(%179, %177) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %181 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
        %182 = "stablehlo.convert"(%181) : (tensor<i32>) -> tensor<i32>
        %183 = "stablehlo.multiply"(%180, %182) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %184 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %185 = "stablehlo.convert"(%184) : (tensor<i32>) -> tensor<i32>
        %186 = "stablehlo.compare"(%183, %185) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %187 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
        %188 = "stablehlo.add"(%183, %187) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %189 = "stablehlo.select"(%186, %188, %183) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
        %190 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %191 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %192 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %193 = "stablehlo.dynamic_slice"(%168, %190, %191, %192, %189) <{slice_sizes = array<i64: 4, 2, 8, 4>}> : (tensor<4x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x4xf32>
        %194 = "stablehlo.all_to_all"(%193) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
        %195 = "stablehlo.all_gather"(%194) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
        %196 = "stablehlo.transpose"(%195) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
        %197 = "stablehlo.reshape"(%196) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
        %198 = "stablehlo.dot_general"(%197, %160) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
        %199 = "stablehlo.transpose"(%198) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
        %200 = "stablehlo.add"(%arg107, %199) : (tensor<2x16x8xf32>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
        %201 = "stablehlo.dot_general"(%197, %arg103) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
        %202 = "func.call"(%157, %158, %159, %201) <{callee = @silu_21}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
        %203 = "stablehlo.dot_general"(%202, %156) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
        %204 = "stablehlo.transpose"(%203) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
        %205 = "stablehlo.add"(%arg106, %204) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
        %206 = "stablehlo.dot_general"(%202, %arg102) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x8x16xf32>) -> tensor<2x32x8xf32>
        %207 = "stablehlo.all_reduce"(%206) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
        ^bb0(%arg121: tensor<f32>, %arg122: tensor<f32>):
          %259 = "stablehlo.add"(%arg121, %arg122) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%259) : (tensor<f32>) -> ()
        }) : (tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
        %208 = "stablehlo.reshape"(%207) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
        %209 = "stablehlo.transpose"(%208) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
        %210 = "stablehlo.all_to_all"(%209) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %211 = "stablehlo.reshape"(%210) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
        %212 = "stablehlo.dot_general"(%211, %155) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> tensor<8x16xf32>
        %213 = "stablehlo.transpose"(%212) <{permutation = array<i64: 1, 0>}> : (tensor<8x16xf32>) -> tensor<16x8xf32>
        %214 = "stablehlo.add"(%arg108, %213) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %215 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %216 = "stablehlo.multiply"(%167, %215) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %217 = "stablehlo.multiply"(%216, %153) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %218 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %219 = "stablehlo.reduce"(%217, %218) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg119: tensor<f32>, %arg120: tensor<f32>):
          %258 = "stablehlo.add"(%arg119, %arg120) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%258) : (tensor<f32>) -> ()
        }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
        %220 = "stablehlo.reshape"(%219) : (tensor<16xf32>) -> tensor<16x1xf32>
        %221 = "stablehlo.negate"(%220) : (tensor<16x1xf32>) -> tensor<16x1xf32>
        %222 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %223 = "stablehlo.divide"(%167, %222) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %224 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %225 = "stablehlo.reduce"(%221, %224) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg117: tensor<f32>, %arg118: tensor<f32>):
          %257 = "stablehlo.add"(%arg117, %arg118) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%257) : (tensor<f32>) -> ()
        }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
        %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
        %227 = "stablehlo.add"(%223, %226) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %228 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %229 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
        %230 = "stablehlo.scatter"(%229, %151, %227) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
        ^bb0(%arg115: tensor<f32>, %arg116: tensor<f32>):
          %256 = "stablehlo.add"(%arg115, %arg116) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%256) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
        %231 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %232 = "stablehlo.multiply"(%230, %231) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %233 = "stablehlo.multiply"(%232, %148) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %234 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %235 = "stablehlo.reduce"(%233, %234) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg113: tensor<f32>, %arg114: tensor<f32>):
          %255 = "stablehlo.add"(%arg113, %arg114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%255) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %236 = "stablehlo.reshape"(%235) : (tensor<16xf32>) -> tensor<16x1xf32>
        %237 = "stablehlo.negate"(%236) : (tensor<16x1xf32>) -> tensor<16x1xf32>
        %238 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %239 = "stablehlo.divide"(%230, %238) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %240 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %241 = "stablehlo.reduce"(%237, %240) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg111: tensor<f32>, %arg112: tensor<f32>):
          %254 = "stablehlo.add"(%arg111, %arg112) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%254) : (tensor<f32>) -> ()
        }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
        %242 = "stablehlo.broadcast_in_dim"(%241) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
        %243 = "stablehlo.add"(%239, %242) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %244 = "stablehlo.multiply"(%243, %148) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %245 = "stablehlo.dot_general"(%244, %147) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
        %246 = "stablehlo.transpose"(%245) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
        %247 = "stablehlo.dot_general"(%244, %arg101) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
        %248 = "stablehlo.add"(%214, %247) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %249 = "stablehlo.all_reduce"(%246) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> ({
        ^bb0(%arg109: tensor<f32>, %arg110: tensor<f32>):
          %253 = "stablehlo.add"(%arg109, %arg110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%253) : (tensor<f32>) -> ()
        }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
        %250 = "stablehlo.add"(%arg105, %249) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
        %251 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %252 = "stablehlo.add"(%arg104, %251) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%arg84, %arg85, %arg86, %arg87, %arg88, %arg89, %arg90, %arg91, %arg92, %arg93, %arg94, %arg95, %arg96, %arg97, %arg98, %arg99, %arg100, %arg101, %arg102, %arg103, %252, %250, %205, %200, %248) : (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>) -> ()
      }) : (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>) -> (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x2x1xi32>, tensor<2x16x1xf32>, tensor<2x16x2xf32>, tensor<2x16x1xf32>, tensor<2x16x8x8xf32>, tensor<2x2x32x8xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x2x32x16xf32>, tensor<2x16x2x8x8xf32>, tensor<2x8x8x8xf32>, tensor<2x16x8x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>)
      "sdy.return"(%142#23, %142#21, %142#22) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<32x8xf32>, tensor<8x8x32xf32>, tensor<8x32x8xf32>, tensor<8x16x8xf32>, tensor<8x16x8xf32>, tensor<8x16x1xf32>, tensor<8x16x1xf32>, tensor<8x16x2x1xi32>, tensor<8x16x1xf32>, tensor<8x16x2xf32>, tensor<8x16x1xf32>, tensor<8x16x8x8xf32>, tensor<16x2x32x8xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<16x2x32x16xf32>, tensor<8x16x2x8x8xf32>, tensor<8x8x8x8xf32>, tensor<8x16x8x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%128, %134#0, %134#1, %134#2) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x1x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
    %119 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    "func.return"(%119) : (tensor<1x1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x8xi32>, res_attrs = [{}], sym_name = "_one_hot_0", sym_visibility = "private"}> ({
    %118 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    "func.return"(%118) : (tensor<1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<f32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
    %117 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    "func.return"(%117) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg57: tensor<16x2xi32>, %arg58: tensor<1x1x8xi32>):
    %112 = "stablehlo.broadcast_in_dim"(%arg57) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %114 = "stablehlo.broadcast_in_dim"(%arg58) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %115 = "stablehlo.compare"(%113, %114) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %116 = "stablehlo.convert"(%115) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%116) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg56: tensor<32x8xi32>):
    %111 = "func.call"(%arg56) <{callee = @cumsum_2}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%111) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg53: tensor<32x8xi32>):
    %107 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %109 = "stablehlo.reduce_window"(%arg53, %108) <{base_dilations = array<i64: 1, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 32, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg54: tensor<i32>, %arg55: tensor<i32>):
      %110 = "stablehlo.add"(%arg54, %arg55) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%110) : (tensor<i32>) -> ()
    }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32x8xi32>
    "func.return"(%109) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_3", sym_visibility = "private"}> ({
  ^bb0(%arg51: tensor<32xi32>, %arg52: tensor<1x8xi32>):
    %102 = "stablehlo.broadcast_in_dim"(%arg51) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %104 = "stablehlo.broadcast_in_dim"(%arg52) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %105 = "stablehlo.compare"(%103, %104) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %106 = "stablehlo.convert"(%105) : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%106) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x32x16xf32>, tensor<f32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu_4", sym_visibility = "private"}> ({
  ^bb0(%arg49: tensor<2x32x16xf32>, %arg50: tensor<f32>):
    %90 = "stablehlo.negate"(%arg49) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %91 = "stablehlo.exponential"(%90) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %92 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %94 = "stablehlo.add"(%93, %91) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %95 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %97 = "stablehlo.divide"(%96, %94) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %98 = "stablehlo.broadcast_in_dim"(%arg50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %99 = "stablehlo.subtract"(%98, %97) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %100 = "stablehlo.multiply"(%97, %99) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %101 = "stablehlo.multiply"(%arg49, %97) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%101, %100, %97) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<2x16x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<2x16x8xf32>, %arg47: tensor<16x8xf32>, %arg48: tensor<i32>):
    %86 = "stablehlo.broadcast_in_dim"(%arg47) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x8xf32>) -> tensor<1x16x8xf32>
    %87 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %88 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %89 = "stablehlo.dynamic_update_slice"(%arg46, %86, %arg48, %87, %88) : (tensor<2x16x8xf32>, tensor<1x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x8xf32>
    "func.return"(%89) : (tensor<2x16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x1xf32>, tensor<16x1xf32>, tensor<i32>) -> tensor<2x16x1xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg43: tensor<2x16x1xf32>, %arg44: tensor<16x1xf32>, %arg45: tensor<i32>):
    %82 = "stablehlo.broadcast_in_dim"(%arg44) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x1xf32>) -> tensor<1x16x1xf32>
    %83 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %84 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %85 = "stablehlo.dynamic_update_slice"(%arg43, %82, %arg45, %83, %84) : (tensor<2x16x1xf32>, tensor<1x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x1xf32>
    "func.return"(%85) : (tensor<2x16x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x2x1xi32>, tensor<16x2x1xi32>, tensor<i32>) -> tensor<2x16x2x1xi32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<2x16x2x1xi32>, %arg41: tensor<16x2x1xi32>, %arg42: tensor<i32>):
    %77 = "stablehlo.broadcast_in_dim"(%arg41) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<16x2x1xi32>) -> tensor<1x16x2x1xi32>
    %78 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %79 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.dynamic_update_slice"(%arg40, %77, %arg42, %78, %79, %80) : (tensor<2x16x2x1xi32>, tensor<1x16x2x1xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x2x1xi32>
    "func.return"(%81) : (tensor<2x16x2x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x2xf32>, tensor<16x2xf32>, tensor<i32>) -> tensor<2x16x2xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_7", sym_visibility = "private"}> ({
  ^bb0(%arg37: tensor<2x16x2xf32>, %arg38: tensor<16x2xf32>, %arg39: tensor<i32>):
    %73 = "stablehlo.broadcast_in_dim"(%arg38) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x2xf32>) -> tensor<1x16x2xf32>
    %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %75 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %76 = "stablehlo.dynamic_update_slice"(%arg37, %73, %arg39, %74, %75) : (tensor<2x16x2xf32>, tensor<1x16x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x2xf32>
    "func.return"(%76) : (tensor<2x16x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x8x8xf32>, tensor<16x8x8xf32>, tensor<i32>) -> tensor<2x16x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_8", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<2x16x8x8xf32>, %arg35: tensor<16x8x8xf32>, %arg36: tensor<i32>):
    %68 = "stablehlo.broadcast_in_dim"(%arg35) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<16x8x8xf32>) -> tensor<1x16x8x8xf32>
    %69 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %70 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %71 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %72 = "stablehlo.dynamic_update_slice"(%arg34, %68, %arg36, %69, %70, %71) : (tensor<2x16x8x8xf32>, tensor<1x16x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x8x8xf32>
    "func.return"(%72) : (tensor<2x16x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x32x8xf32>, tensor<2x32x8xf32>, tensor<i32>) -> tensor<2x2x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_9", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<2x2x32x8xf32>, %arg32: tensor<2x32x8xf32>, %arg33: tensor<i32>):
    %63 = "stablehlo.broadcast_in_dim"(%arg32) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x32x8xf32>) -> tensor<1x2x32x8xf32>
    %64 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %67 = "stablehlo.dynamic_update_slice"(%arg31, %63, %arg33, %64, %65, %66) : (tensor<2x2x32x8xf32>, tensor<1x2x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x32x8xf32>
    "func.return"(%67) : (tensor<2x2x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x32x16xf32>, tensor<2x32x16xf32>, tensor<i32>) -> tensor<2x2x32x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_10", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<2x2x32x16xf32>, %arg29: tensor<2x32x16xf32>, %arg30: tensor<i32>):
    %58 = "stablehlo.broadcast_in_dim"(%arg29) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x32x16xf32>) -> tensor<1x2x32x16xf32>
    %59 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %60 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %62 = "stablehlo.dynamic_update_slice"(%arg28, %58, %arg30, %59, %60, %61) : (tensor<2x2x32x16xf32>, tensor<1x2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x32x16xf32>
    "func.return"(%62) : (tensor<2x2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x2x8x8xf32>, tensor<16x2x8x8xf32>, tensor<i32>) -> tensor<2x16x2x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_11", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<2x16x2x8x8xf32>, %arg26: tensor<16x2x8x8xf32>, %arg27: tensor<i32>):
    %52 = "stablehlo.broadcast_in_dim"(%arg26) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<16x2x8x8xf32>) -> tensor<1x16x2x8x8xf32>
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %57 = "stablehlo.dynamic_update_slice"(%arg25, %52, %arg27, %53, %54, %55, %56) : (tensor<2x16x2x8x8xf32>, tensor<1x16x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x2x8x8xf32>
    "func.return"(%57) : (tensor<2x16x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x8x8xf32>, tensor<8x8x8xf32>, tensor<i32>) -> tensor<2x8x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_12", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<2x8x8x8xf32>, %arg23: tensor<8x8x8xf32>, %arg24: tensor<i32>):
    %47 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x8xf32>) -> tensor<1x8x8x8xf32>
    %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.dynamic_update_slice"(%arg22, %47, %arg24, %48, %49, %50) : (tensor<2x8x8x8xf32>, tensor<1x8x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x8xf32>
    "func.return"(%51) : (tensor<2x8x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<2x16x8xf32>, %arg21: tensor<i32>):
    %43 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.dynamic_slice"(%arg20, %arg21, %43, %44) <{slice_sizes = array<i64: 1, 16, 8>}> : (tensor<2x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %46 = "stablehlo.reshape"(%45) : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
    "func.return"(%46) : (tensor<16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x1xf32>, tensor<i32>) -> tensor<16x1xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_13", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<2x16x1xf32>, %arg19: tensor<i32>):
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.dynamic_slice"(%arg18, %arg19, %39, %40) <{slice_sizes = array<i64: 1, 16, 1>}> : (tensor<2x16x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x1xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1x16x1xf32>) -> tensor<16x1xf32>
    "func.return"(%42) : (tensor<16x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x2x1xi32>, tensor<i32>) -> tensor<16x2x1xi32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_14", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<2x16x2x1xi32>, %arg17: tensor<i32>):
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.dynamic_slice"(%arg16, %arg17, %34, %35, %36) <{slice_sizes = array<i64: 1, 16, 2, 1>}> : (tensor<2x16x2x1xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x1xi32>
    %38 = "stablehlo.reshape"(%37) : (tensor<1x16x2x1xi32>) -> tensor<16x2x1xi32>
    "func.return"(%38) : (tensor<16x2x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x2xf32>, tensor<i32>) -> tensor<16x2xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_15", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<2x16x2xf32>, %arg15: tensor<i32>):
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.dynamic_slice"(%arg14, %arg15, %30, %31) <{slice_sizes = array<i64: 1, 16, 2>}> : (tensor<2x16x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<1x16x2xf32>) -> tensor<16x2xf32>
    "func.return"(%33) : (tensor<16x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x8x8xf32>, tensor<i32>) -> tensor<16x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_16", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2x16x8x8xf32>, %arg13: tensor<i32>):
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.dynamic_slice"(%arg12, %arg13, %25, %26, %27) <{slice_sizes = array<i64: 1, 16, 8, 8>}> : (tensor<2x16x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8x8xf32>
    %29 = "stablehlo.reshape"(%28) : (tensor<1x16x8x8xf32>) -> tensor<16x8x8xf32>
    "func.return"(%29) : (tensor<16x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x2x32x8xf32>, tensor<i32>) -> tensor<2x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_17", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<2x2x32x8xf32>, %arg11: tensor<i32>):
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.dynamic_slice"(%arg10, %arg11, %20, %21, %22) <{slice_sizes = array<i64: 1, 2, 32, 8>}> : (tensor<2x2x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32x8xf32>
    %24 = "stablehlo.reshape"(%23) : (tensor<1x2x32x8xf32>) -> tensor<2x32x8xf32>
    "func.return"(%24) : (tensor<2x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x2x32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_18", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x2x32x16xf32>, %arg9: tensor<i32>):
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.dynamic_slice"(%arg8, %arg9, %15, %16, %17) <{slice_sizes = array<i64: 1, 2, 32, 16>}> : (tensor<2x2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x32x16xf32>
    %19 = "stablehlo.reshape"(%18) : (tensor<1x2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%19) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x16x2x8x8xf32>, tensor<i32>) -> tensor<16x2x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_19", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x16x2x8x8xf32>, %arg7: tensor<i32>):
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.dynamic_slice"(%arg6, %arg7, %9, %10, %11, %12) <{slice_sizes = array<i64: 1, 16, 2, 8, 8>}> : (tensor<2x16x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x2x8x8xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1x16x2x8x8xf32>) -> tensor<16x2x8x8xf32>
    "func.return"(%14) : (tensor<16x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x8x8xf32>, tensor<i32>) -> tensor<8x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_20", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x8x8x8xf32>, %arg5: tensor<i32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.dynamic_slice"(%arg4, %arg5, %4, %5, %6) <{slice_sizes = array<i64: 1, 8, 8, 8>}> : (tensor<2x8x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x8xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<1x8x8x8xf32>) -> tensor<8x8x8xf32>
    "func.return"(%8) : (tensor<8x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "silu_21", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x32x16xf32>, %arg1: tensor<2x32x16xf32>, %arg2: tensor<2x32x16xf32>, %arg3: tensor<2x32x16xf32>):
    %0 = "stablehlo.multiply"(%arg2, %arg3) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg1) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %2 = "stablehlo.multiply"(%0, %arg0) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%3) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

