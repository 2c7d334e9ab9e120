"builtin.module"() <{sym_name = "jit_stack_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result['down']"}, {jax.result_info = "result['gate']"}, {jax.result_info = "result['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg37: tensor<8x32x8xf32>, %arg38: tensor<8x8xf32>, %arg39: tensor<8x8x32xf32>, %arg40: tensor<64x8xf32>):
    %92 = "stablehlo.broadcast_in_dim"(%arg37) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %93 = "stablehlo.broadcast_in_dim"(%arg37) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %94 = "stablehlo.concatenate"(%92, %93) <{dimension = 0 : i64}> : (tensor<1x8x32x8xf32>, tensor<1x8x32x8xf32>) -> tensor<2x8x32x8xf32>
    %95 = "stablehlo.broadcast_in_dim"(%arg38) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %96 = "stablehlo.broadcast_in_dim"(%arg38) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %97 = "stablehlo.concatenate"(%95, %96) <{dimension = 0 : i64}> : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> tensor<2x8x8xf32>
    %98 = "stablehlo.broadcast_in_dim"(%arg39) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %99 = "stablehlo.broadcast_in_dim"(%arg39) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %100 = "stablehlo.concatenate"(%98, %99) <{dimension = 0 : i64}> : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<2x8x8x32xf32>
    %101:4 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
      %358 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %359 = "func.call"() <{callee = @_one_hot}> : () -> tensor<1x1x8xi32>
      %360 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %361 = "func.call"() <{callee = @_one_hot_0}> : () -> tensor<1x8xi32>
      %362 = "stablehlo.broadcast_in_dim"(%358) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      "sdy.return"(%362, %360, %359, %361) : (tensor<1xf32>, tensor<1x8xi32>, tensor<1x1x8xi32>, tensor<1x8xi32>) -> ()
    }) : () -> (tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>)
    %102 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
    %104 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %105:10 = "stablehlo.while"(%94, %97, %100, %101#0, %101#1, %101#2, %101#3, %104, %arg40, %103) ({
    ^bb0(%arg140: tensor<2x8x32x8xf32>, %arg141: tensor<2x8x8xf32>, %arg142: tensor<2x8x8x32xf32>, %arg143: tensor<4xf32>, %arg144: tensor<4x8xi32>, %arg145: tensor<4x1x8xi32>, %arg146: tensor<4x8xi32>, %arg147: tensor<i32>, %arg148: tensor<64x8xf32>, %arg149: tensor<2x64x8xf32>):
      %356 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %357 = "stablehlo.compare"(%arg147, %356) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%357) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg110: tensor<2x8x32x8xf32>, %arg111: tensor<2x8x8xf32>, %arg112: tensor<2x8x8x32xf32>, %arg113: tensor<4xf32>, %arg114: tensor<4x8xi32>, %arg115: tensor<4x1x8xi32>, %arg116: tensor<4x8xi32>, %arg117: tensor<i32>, %arg118: tensor<64x8xf32>, %arg119: tensor<2x64x8xf32>):
      %288 = "func.call"(%arg110, %arg117) <{callee = @dynamic_index_in_dim}> : (tensor<2x8x32x8xf32>, tensor<i32>) -> tensor<8x32x8xf32>
      %289 = "func.call"(%arg111, %arg117) <{callee = @dynamic_index_in_dim_1}> : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %290 = "func.call"(%arg112, %arg117) <{callee = @dynamic_index_in_dim_2}> : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %291 = "sdy.manual_computation"(%arg113, %arg114, %arg115, %arg116, %288, %289, %290, %arg118) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
      ^bb0(%arg120: tensor<1xf32>, %arg121: tensor<1x8xi32>, %arg122: tensor<1x1x8xi32>, %arg123: tensor<1x8xi32>, %arg124: tensor<2x16x8xf32>, %arg125: tensor<8x8xf32>, %arg126: tensor<2x8x16xf32>, %arg127: tensor<16x8xf32>):
        %296 = "stablehlo.reshape"(%arg120) : (tensor<1xf32>) -> tensor<f32>
        %297 = "stablehlo.dot_general"(%arg127, %arg125) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
        %298 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
        %299 = "stablehlo.reduce"(%297, %298) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg138: tensor<f32>, %arg139: tensor<f32>):
          %355 = "stablehlo.maximum"(%arg138, %arg139) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%355) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %300 = "stablehlo.broadcast_in_dim"(%296) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
        %301 = "stablehlo.maximum"(%300, %299) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
        %302 = "stablehlo.broadcast_in_dim"(%301) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %303 = "stablehlo.broadcast_in_dim"(%302) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %304 = "stablehlo.subtract"(%297, %303) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %305 = "stablehlo.exponential"(%304) : (tensor<16x8xf32>) -> tensor<16x8xf32>
        %306 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %307 = "stablehlo.reduce"(%305, %306) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg136: tensor<f32>, %arg137: tensor<f32>):
          %354 = "stablehlo.add"(%arg136, %arg137) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%354) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %308 = "stablehlo.broadcast_in_dim"(%307) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %309 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %310 = "stablehlo.divide"(%305, %309) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %311:2 = "chlo.top_k"(%310) <{is_stable = true, k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
        %312 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %313 = "stablehlo.reduce"(%311#0, %312) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg134: tensor<f32>, %arg135: tensor<f32>):
          %353 = "stablehlo.add"(%arg134, %arg135) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%353) : (tensor<f32>) -> ()
        }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
        %314 = "stablehlo.broadcast_in_dim"(%313) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %316 = "stablehlo.divide"(%311#0, %315) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %317 = "func.call"(%311#1, %arg122) <{callee = @_one_hot_3}> : (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
        %318 = "stablehlo.reshape"(%317) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
        %319 = "func.call"(%318) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
        %320 = "stablehlo.subtract"(%319, %318) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %321 = "stablehlo.multiply"(%320, %318) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %322 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %323 = "stablehlo.reduce"(%321, %322) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg132: tensor<i32>, %arg133: tensor<i32>):
          %352 = "stablehlo.add"(%arg132, %arg133) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          "stablehlo.return"(%352) : (tensor<i32>) -> ()
        }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
        %324 = "stablehlo.reshape"(%311#1) : (tensor<16x2xi32>) -> tensor<32xi32>
        %325 = "func.call"(%324, %arg121) <{callee = @_one_hot_5}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
        %326 = "stablehlo.broadcast_in_dim"(%325) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
        %327 = "func.call"(%323, %arg123) <{callee = @_one_hot_5}> : (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>
        %328 = "stablehlo.broadcast_in_dim"(%327) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
        %329 = "stablehlo.broadcast_in_dim"(%326) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
        %330 = "stablehlo.broadcast_in_dim"(%328) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
        %331 = "stablehlo.multiply"(%329, %330) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
        %332 = "stablehlo.reshape"(%331) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
        %333 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %334 = "stablehlo.reduce"(%332, %333) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg130: tensor<f32>, %arg131: tensor<f32>):
          %351 = "stablehlo.add"(%arg130, %arg131) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%351) : (tensor<f32>) -> ()
        }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
        %335 = "stablehlo.dot_general"(%334, %arg127) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
        %336 = "stablehlo.reshape"(%335) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
        %337 = "stablehlo.all_to_all"(%336) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %338 = "stablehlo.transpose"(%337) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
        %339 = "stablehlo.reshape"(%338) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
        %340 = "stablehlo.dot_general"(%339, %arg126) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
        %341 = "func.call"(%340) <{callee = @silu}> : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
        %342 = "stablehlo.dot_general"(%341, %arg124) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
        %343 = "stablehlo.reshape"(%342) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
        %344 = "stablehlo.transpose"(%343) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
        %345 = "stablehlo.all_reduce"(%344) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
        ^bb0(%arg128: tensor<f32>, %arg129: tensor<f32>):
          %350 = "stablehlo.add"(%arg128, %arg129) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%350) : (tensor<f32>) -> ()
        }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %346 = "stablehlo.all_to_all"(%345) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %347 = "stablehlo.reshape"(%346) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
        %348 = "stablehlo.dot_general"(%332, %316) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
        %349 = "stablehlo.dot_general"(%348, %347) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
        "sdy.return"(%349) : (tensor<16x8xf32>) -> ()
      }) : (tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %292 = "stablehlo.add"(%arg118, %291) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %293 = "func.call"(%arg119, %arg118, %arg117) <{callee = @dynamic_update_index_in_dim}> : (tensor<2x64x8xf32>, tensor<64x8xf32>, tensor<i32>) -> tensor<2x64x8xf32>
      %294 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %295 = "stablehlo.add"(%arg117, %294) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg110, %arg111, %arg112, %arg113, %arg114, %arg115, %arg116, %295, %292, %293) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<i32>, tensor<64x8xf32>, tensor<2x64x8xf32>) -> ()
    }) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<i32>, tensor<64x8xf32>, tensor<2x64x8xf32>) -> (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<4xf32>, tensor<4x8xi32>, tensor<4x1x8xi32>, tensor<4x8xi32>, tensor<i32>, tensor<64x8xf32>, tensor<2x64x8xf32>)
    %106 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %108 = "stablehlo.multiply"(%107, %105#8) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %109 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.divide"(%109, %110) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %113 = "stablehlo.multiply"(%112, %108) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x8xf32>
    %116 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8xf32>
    %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %120 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %121:9 = "stablehlo.while"(%94, %97, %100, %105#9, %120, %113, %115, %117, %119) ({
    ^bb0(%arg101: tensor<2x8x32x8xf32>, %arg102: tensor<2x8x8xf32>, %arg103: tensor<2x8x8x32xf32>, %arg104: tensor<2x64x8xf32>, %arg105: tensor<i32>, %arg106: tensor<64x8xf32>, %arg107: tensor<2x8x32x8xf32>, %arg108: tensor<2x8x8xf32>, %arg109: tensor<2x8x8x32xf32>):
      %286 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %287 = "stablehlo.compare"(%arg105, %286) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%287) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg41: tensor<2x8x32x8xf32>, %arg42: tensor<2x8x8xf32>, %arg43: tensor<2x8x8x32xf32>, %arg44: tensor<2x64x8xf32>, %arg45: tensor<i32>, %arg46: tensor<64x8xf32>, %arg47: tensor<2x8x32x8xf32>, %arg48: tensor<2x8x8xf32>, %arg49: tensor<2x8x8x32xf32>):
      %137 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %138 = "stablehlo.subtract"(%137, %arg45) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %139 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %140 = "stablehlo.subtract"(%138, %139) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %141 = "func.call"(%arg41, %140) <{callee = @dynamic_index_in_dim}> : (tensor<2x8x32x8xf32>, tensor<i32>) -> tensor<8x32x8xf32>
      %142 = "func.call"(%arg42, %140) <{callee = @dynamic_index_in_dim_1}> : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %143 = "func.call"(%arg43, %140) <{callee = @dynamic_index_in_dim_2}> : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %144 = "func.call"(%arg44, %140) <{callee = @dynamic_index_in_dim_6}> : (tensor<2x64x8xf32>, tensor<i32>) -> tensor<64x8xf32>
      %145:5 = "stablehlo.optimization_barrier"(%141, %142, %143, %144, %arg46) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>, tensor<64x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>, tensor<64x8xf32>)
      %146:17 = "sdy.manual_computation"(%145#0, %145#1, %145#2, %145#3) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>]>}> ({
      ^bb0(%arg85: tensor<2x16x8xf32>, %arg86: tensor<8x8xf32>, %arg87: tensor<2x8x16xf32>, %arg88: tensor<16x8xf32>):
        %218 = "stablehlo.dot_general"(%arg88, %arg86) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
        %219 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
        %220 = "stablehlo.reduce"(%218, %219) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg99: tensor<f32>, %arg100: tensor<f32>):
          %285 = "stablehlo.maximum"(%arg99, %arg100) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%285) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %221 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
        %222 = "stablehlo.broadcast_in_dim"(%221) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
        %223 = "stablehlo.maximum"(%222, %220) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
        %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %225 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %226 = "stablehlo.subtract"(%218, %225) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %227 = "stablehlo.exponential"(%226) : (tensor<16x8xf32>) -> tensor<16x8xf32>
        %228 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %229 = "stablehlo.reduce"(%227, %228) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg97: tensor<f32>, %arg98: tensor<f32>):
          %284 = "stablehlo.add"(%arg97, %arg98) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%284) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %230 = "stablehlo.broadcast_in_dim"(%229) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %231 = "stablehlo.broadcast_in_dim"(%230) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %232 = "stablehlo.divide"(%227, %231) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %233 = "stablehlo.multiply"(%230, %230) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %234 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
        %236 = "stablehlo.divide"(%235, %233) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %237:2 = "chlo.top_k"(%232) <{is_stable = true, k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
        %238 = "stablehlo.reshape"(%237#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
        %239 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %240 = "stablehlo.reduce"(%237#0, %239) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg95: tensor<f32>, %arg96: tensor<f32>):
          %283 = "stablehlo.add"(%arg95, %arg96) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%283) : (tensor<f32>) -> ()
        }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
        %241 = "stablehlo.broadcast_in_dim"(%240) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %242 = "stablehlo.broadcast_in_dim"(%241) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %243 = "stablehlo.divide"(%237#0, %242) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %244 = "stablehlo.multiply"(%241, %241) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %245 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %246 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
        %247 = "stablehlo.divide"(%246, %244) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %248 = "func.call"(%237#1) <{callee = @_one_hot_7}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
        %249 = "stablehlo.reshape"(%248) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
        %250 = "func.call"(%249) <{callee = @cumsum_8}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
        %251 = "stablehlo.subtract"(%250, %249) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %252 = "stablehlo.multiply"(%251, %249) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %253 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %254 = "stablehlo.reduce"(%252, %253) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg93: tensor<i32>, %arg94: tensor<i32>):
          %282 = "stablehlo.add"(%arg93, %arg94) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          "stablehlo.return"(%282) : (tensor<i32>) -> ()
        }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
        %255 = "stablehlo.reshape"(%237#1) : (tensor<16x2xi32>) -> tensor<32xi32>
        %256 = "func.call"(%255) <{callee = @_one_hot_9}> : (tensor<32xi32>) -> tensor<32x8xf32>
        %257 = "stablehlo.broadcast_in_dim"(%256) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
        %258 = "func.call"(%254) <{callee = @_one_hot_9}> : (tensor<32xi32>) -> tensor<32x8xf32>
        %259 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
        %260 = "stablehlo.broadcast_in_dim"(%257) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
        %261 = "stablehlo.broadcast_in_dim"(%259) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
        %262 = "stablehlo.multiply"(%260, %261) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
        %263 = "stablehlo.reshape"(%262) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
        %264 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %265 = "stablehlo.reduce"(%263, %264) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg91: tensor<f32>, %arg92: tensor<f32>):
          %281 = "stablehlo.add"(%arg91, %arg92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%281) : (tensor<f32>) -> ()
        }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
        %266 = "stablehlo.dot_general"(%265, %arg88) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
        %267 = "stablehlo.reshape"(%266) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
        %268 = "stablehlo.all_to_all"(%267) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %269 = "stablehlo.transpose"(%268) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
        %270 = "stablehlo.reshape"(%269) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
        %271 = "stablehlo.dot_general"(%270, %arg87) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
        %272:3 = "func.call"(%271) <{callee = @silu_10}> : (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
        %273 = "stablehlo.dot_general"(%272#0, %arg85) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
        %274 = "stablehlo.reshape"(%273) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
        %275 = "stablehlo.transpose"(%274) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
        %276 = "stablehlo.all_reduce"(%275) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
        ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
          %280 = "stablehlo.add"(%arg89, %arg90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%280) : (tensor<f32>) -> ()
        }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %277 = "stablehlo.all_to_all"(%276) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %278 = "stablehlo.reshape"(%277) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
        %279 = "stablehlo.dot_general"(%263, %243) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
        "sdy.return"(%263, %arg86, %227, %230, %236, %238, %241, %237#0, %247, %278, %279, %265, %270, %272#1, %271, %272#2, %272#0) : (tensor<16x2x8x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>, tensor<16x8x8xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> ()
      }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x2x8x8xf32>, tensor<32x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>, tensor<64x8x8xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>)
      %147:4 = "sdy.manual_computation"(%145#4, %146#0, %146#1, %145#3, %146#2, %146#3, %146#4, %146#5, %146#6, %146#7, %146#8, %146#9, %146#10, %146#11, %145#2, %146#12, %146#13, %146#14, %146#15, %145#0, %146#16) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>}> ({
      ^bb0(%arg50: tensor<16x8xf32>, %arg51: tensor<16x2x8x8xf32>, %arg52: tensor<8x8xf32>, %arg53: tensor<16x8xf32>, %arg54: tensor<16x8xf32>, %arg55: tensor<16x1xf32>, %arg56: tensor<16x1xf32>, %arg57: tensor<16x2x1xi32>, %arg58: tensor<16x1xf32>, %arg59: tensor<16x2xf32>, %arg60: tensor<16x1xf32>, %arg61: tensor<8x8x8xf32>, %arg62: tensor<16x8x8xf32>, %arg63: tensor<16x8x8xf32>, %arg64: tensor<2x8x16xf32>, %arg65: tensor<2x32x8xf32>, %arg66: tensor<2x32x16xf32>, %arg67: tensor<2x32x16xf32>, %arg68: tensor<2x32x16xf32>, %arg69: tensor<2x16x8xf32>, %arg70: tensor<2x32x16xf32>):
        %154 = "stablehlo.dot_general"(%arg50, %arg62) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
        %155 = "stablehlo.transpose"(%154) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
        %156 = "stablehlo.dot_general"(%arg50, %arg61) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
        %157 = "stablehlo.dot_general"(%156, %arg51) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
        %158 = "stablehlo.reshape"(%155) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
        %159 = "stablehlo.all_to_all"(%158) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %160 = "stablehlo.transpose"(%159) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
        %161 = "stablehlo.reshape"(%160) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
        %162 = "stablehlo.dot_general"(%161, %arg70) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
        %163 = "stablehlo.transpose"(%162) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
        %164 = "stablehlo.dot_general"(%161, %arg69) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
        %165 = "func.call"(%arg66, %arg67, %arg68, %164) <{callee = @silu_11}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
        %166 = "stablehlo.dot_general"(%165, %arg65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
        %167 = "stablehlo.transpose"(%166) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
        %168 = "stablehlo.dot_general"(%165, %arg64) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x8x16xf32>) -> tensor<2x32x8xf32>
        %169 = "stablehlo.all_reduce"(%168) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
        ^bb0(%arg83: tensor<f32>, %arg84: tensor<f32>):
          %217 = "stablehlo.add"(%arg83, %arg84) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%217) : (tensor<f32>) -> ()
        }) : (tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
        %170 = "stablehlo.reshape"(%169) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
        %171 = "stablehlo.transpose"(%170) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
        %172 = "stablehlo.all_to_all"(%171) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %173 = "stablehlo.reshape"(%172) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
        %174 = "stablehlo.dot_general"(%173, %arg63) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> tensor<8x16xf32>
        %175 = "stablehlo.transpose"(%174) <{permutation = array<i64: 1, 0>}> : (tensor<8x16xf32>) -> tensor<16x8xf32>
        %176 = "stablehlo.broadcast_in_dim"(%arg60) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %177 = "stablehlo.multiply"(%157, %176) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %178 = "stablehlo.multiply"(%177, %arg59) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %179 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %180 = "stablehlo.reduce"(%178, %179) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg81: tensor<f32>, %arg82: tensor<f32>):
          %216 = "stablehlo.add"(%arg81, %arg82) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%216) : (tensor<f32>) -> ()
        }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
        %181 = "stablehlo.reshape"(%180) : (tensor<16xf32>) -> tensor<16x1xf32>
        %182 = "stablehlo.negate"(%181) : (tensor<16x1xf32>) -> tensor<16x1xf32>
        %183 = "stablehlo.broadcast_in_dim"(%arg58) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %184 = "stablehlo.divide"(%157, %183) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %185 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %186 = "stablehlo.reduce"(%182, %185) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg79: tensor<f32>, %arg80: tensor<f32>):
          %215 = "stablehlo.add"(%arg79, %arg80) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%215) : (tensor<f32>) -> ()
        }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
        %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
        %188 = "stablehlo.add"(%184, %187) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %189 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
        %191 = "stablehlo.scatter"(%190, %arg57, %188) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
        ^bb0(%arg77: tensor<f32>, %arg78: tensor<f32>):
          %214 = "stablehlo.add"(%arg77, %arg78) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%214) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
        %192 = "stablehlo.broadcast_in_dim"(%arg56) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %193 = "stablehlo.multiply"(%191, %192) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %194 = "stablehlo.multiply"(%193, %arg54) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %195 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %196 = "stablehlo.reduce"(%194, %195) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg75: tensor<f32>, %arg76: tensor<f32>):
          %213 = "stablehlo.add"(%arg75, %arg76) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%213) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %197 = "stablehlo.reshape"(%196) : (tensor<16xf32>) -> tensor<16x1xf32>
        %198 = "stablehlo.negate"(%197) : (tensor<16x1xf32>) -> tensor<16x1xf32>
        %199 = "stablehlo.broadcast_in_dim"(%arg55) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %200 = "stablehlo.divide"(%191, %199) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %201 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %202 = "stablehlo.reduce"(%198, %201) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg73: tensor<f32>, %arg74: tensor<f32>):
          %212 = "stablehlo.add"(%arg73, %arg74) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%212) : (tensor<f32>) -> ()
        }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
        %203 = "stablehlo.broadcast_in_dim"(%202) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
        %204 = "stablehlo.add"(%200, %203) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %205 = "stablehlo.multiply"(%204, %arg54) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %206 = "stablehlo.dot_general"(%205, %arg53) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
        %207 = "stablehlo.transpose"(%206) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
        %208 = "stablehlo.dot_general"(%205, %arg52) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
        %209 = "stablehlo.add"(%175, %208) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %210 = "stablehlo.all_reduce"(%207) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> ({
        ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
          %211 = "stablehlo.add"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%211) : (tensor<f32>) -> ()
        }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
        "sdy.return"(%163, %210, %167, %209) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<16x8xf32>) -> ()
      }) : (tensor<64x8xf32>, tensor<64x2x8x8xf32>, tensor<32x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>, tensor<64x8x8xf32>, tensor<8x8x32xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<8x32x8xf32>, tensor<16x32x16xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>)
      %148 = "stablehlo.add"(%arg46, %147#3) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %149 = "func.call"(%arg47, %147#0, %140) <{callee = @dynamic_update_index_in_dim_12}> : (tensor<2x8x32x8xf32>, tensor<8x32x8xf32>, tensor<i32>) -> tensor<2x8x32x8xf32>
      %150 = "func.call"(%arg48, %147#1, %140) <{callee = @dynamic_update_index_in_dim_13}> : (tensor<2x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<2x8x8xf32>
      %151 = "func.call"(%arg49, %147#2, %140) <{callee = @dynamic_update_index_in_dim_14}> : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %152 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %153 = "stablehlo.add"(%arg45, %152) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg41, %arg42, %arg43, %arg44, %153, %148, %149, %150, %151) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<2x64x8xf32>, tensor<i32>, tensor<64x8xf32>, tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>) -> ()
    }) : (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<2x64x8xf32>, tensor<i32>, tensor<64x8xf32>, tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>) -> (tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>, tensor<2x64x8xf32>, tensor<i32>, tensor<64x8xf32>, tensor<2x8x32x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8x32xf32>)
    %122 = "stablehlo.slice"(%121#8) <{limit_indices = array<i64: 1, 8, 8, 32>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %123 = "stablehlo.reshape"(%122) : (tensor<1x8x8x32xf32>) -> tensor<8x8x32xf32>
    %124 = "stablehlo.slice"(%121#8) <{limit_indices = array<i64: 2, 8, 8, 32>, start_indices = array<i64: 1, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %125 = "stablehlo.reshape"(%124) : (tensor<1x8x8x32xf32>) -> tensor<8x8x32xf32>
    %126 = "stablehlo.add"(%123, %125) : (tensor<8x8x32xf32>, tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
    %127 = "stablehlo.slice"(%121#7) <{limit_indices = array<i64: 1, 8, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
    %128 = "stablehlo.reshape"(%127) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %129 = "stablehlo.slice"(%121#7) <{limit_indices = array<i64: 2, 8, 8>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x8xf32>) -> tensor<1x8x8xf32>
    %130 = "stablehlo.reshape"(%129) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %131 = "stablehlo.add"(%128, %130) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %132 = "stablehlo.slice"(%121#6) <{limit_indices = array<i64: 1, 8, 32, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %133 = "stablehlo.reshape"(%132) : (tensor<1x8x32x8xf32>) -> tensor<8x32x8xf32>
    %134 = "stablehlo.slice"(%121#6) <{limit_indices = array<i64: 2, 8, 32, 8>, start_indices = array<i64: 1, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %135 = "stablehlo.reshape"(%134) : (tensor<1x8x32x8xf32>) -> tensor<8x32x8xf32>
    %136 = "stablehlo.add"(%133, %135) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    "func.return"(%136, %131, %126) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x1x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
    %91 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    "func.return"(%91) : (tensor<1x1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [], function_type = () -> tensor<1x8xi32>, res_attrs = [{}], sym_name = "_one_hot_0", sym_visibility = "private"}> ({
    %90 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    "func.return"(%90) : (tensor<1x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x32x8xf32>, tensor<i32>) -> tensor<8x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<2x8x32x8xf32>, %arg36: tensor<i32>):
    %85 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %86 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %87 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %88 = "stablehlo.dynamic_slice"(%arg35, %arg36, %85, %86, %87) <{slice_sizes = array<i64: 1, 8, 32, 8>}> : (tensor<2x8x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32x8xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<1x8x32x8xf32>) -> tensor<8x32x8xf32>
    "func.return"(%89) : (tensor<8x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<2x8x8xf32>, %arg34: tensor<i32>):
    %81 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %82 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %83 = "stablehlo.dynamic_slice"(%arg33, %arg34, %81, %82) <{slice_sizes = array<i64: 1, 8, 8>}> : (tensor<2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %84 = "stablehlo.reshape"(%83) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%84) : (tensor<8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<2x8x8x32xf32>, %arg32: tensor<i32>):
    %76 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %77 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %78 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %79 = "stablehlo.dynamic_slice"(%arg31, %arg32, %76, %77, %78) <{slice_sizes = array<i64: 1, 8, 8, 32>}> : (tensor<2x8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x32xf32>
    %80 = "stablehlo.reshape"(%79) : (tensor<1x8x8x32xf32>) -> tensor<8x8x32xf32>
    "func.return"(%80) : (tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x2xi32>, tensor<1x1x8xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_3", sym_visibility = "private"}> ({
  ^bb0(%arg29: tensor<16x2xi32>, %arg30: tensor<1x1x8xi32>):
    %71 = "stablehlo.broadcast_in_dim"(%arg29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %73 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %74 = "stablehlo.compare"(%72, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %75 = "stablehlo.convert"(%74) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%75) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<32x8xi32>):
    %70 = "func.call"(%arg28) <{callee = @cumsum_4}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%70) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, sym_name = "cumsum_4", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<32x8xi32>):
    %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %68 = "stablehlo.reduce_window"(%arg25, %67) <{base_dilations = array<i64: 1, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 32, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg26: tensor<i32>, %arg27: tensor<i32>):
      %69 = "stablehlo.add"(%arg26, %arg27) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%69) : (tensor<i32>) -> ()
    }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32x8xi32>
    "func.return"(%68) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<1x8xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_5", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<32xi32>, %arg24: tensor<1x8xi32>):
    %61 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %63 = "stablehlo.broadcast_in_dim"(%arg24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %64 = "stablehlo.compare"(%62, %63) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %65 = "stablehlo.convert"(%64) : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%65) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<2x32x16xf32>):
    %52 = "stablehlo.negate"(%arg22) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %53 = "stablehlo.exponential"(%52) : (tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %54 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %56 = "stablehlo.add"(%55, %53) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %57 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x16xf32>
    %59 = "stablehlo.divide"(%58, %56) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %60 = "stablehlo.multiply"(%arg22, %59) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%60) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x64x8xf32>, tensor<64x8xf32>, tensor<i32>) -> tensor<2x64x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<2x64x8xf32>, %arg20: tensor<64x8xf32>, %arg21: tensor<i32>):
    %48 = "stablehlo.broadcast_in_dim"(%arg20) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<1x64x8xf32>
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.dynamic_update_slice"(%arg19, %48, %arg21, %49, %50) : (tensor<2x64x8xf32>, tensor<1x64x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x8xf32>
    "func.return"(%51) : (tensor<2x64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x64x8xf32>, tensor<i32>) -> tensor<64x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<2x64x8xf32>, %arg18: tensor<i32>):
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.dynamic_slice"(%arg17, %arg18, %44, %45) <{slice_sizes = array<i64: 1, 64, 8>}> : (tensor<2x64x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x8xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<1x64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%47) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_7", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<16x2xi32>):
    %38 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %39 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %40 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %41 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %42 = "stablehlo.compare"(%40, %41) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %43 = "stablehlo.convert"(%42) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%43) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum_8", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<32x8xi32>):
    %37 = "func.call"(%arg15) <{callee = @cumsum_4}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%37) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_9", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<32xi32>):
    %31 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %32 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    %33 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %34 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %35 = "stablehlo.compare"(%33, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %36 = "stablehlo.convert"(%35) : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%36) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu_10", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>, res_attrs = [{}], sym_name = "silu_11", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x32x16xf32>, %arg10: tensor<2x32x16xf32>, %arg11: tensor<2x32x16xf32>, %arg12: tensor<2x32x16xf32>):
    %14 = "stablehlo.multiply"(%arg10, %arg12) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %15 = "stablehlo.multiply"(%arg12, %arg9) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %16 = "stablehlo.multiply"(%14, %arg11) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    %17 = "stablehlo.add"(%15, %16) : (tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
    "func.return"(%17) : (tensor<2x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x32x8xf32>, tensor<8x32x8xf32>, tensor<i32>) -> tensor<2x8x32x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_12", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x8x32x8xf32>, %arg7: tensor<8x32x8xf32>, %arg8: tensor<i32>):
    %9 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x32x8xf32>) -> tensor<1x8x32x8xf32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.dynamic_update_slice"(%arg6, %9, %arg8, %10, %11, %12) : (tensor<2x8x32x8xf32>, tensor<1x8x32x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x32x8xf32>
    "func.return"(%13) : (tensor<2x8x32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<2x8x8xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_13", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<i32>):
    %5 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.dynamic_update_slice"(%arg3, %5, %arg5, %6, %7) : (tensor<2x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8xf32>
    "func.return"(%8) : (tensor<2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_14", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8x8x32xf32>, %arg1: tensor<8x8x32xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2, %3) : (tensor<2x8x8x32xf32>, tensor<1x8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x32xf32>
    "func.return"(%4) : (tensor<2x8x8x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

