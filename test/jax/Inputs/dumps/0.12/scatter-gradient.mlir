"builtin.module"() <{sym_name = "jit_scatter_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %34:16 = "sdy.manual_computation"(%arg11, %arg12, %arg13, %arg14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>}> ({
    ^bb0(%arg47: tensor<2x16x8xf32>, %arg48: tensor<8x8xf32>, %arg49: tensor<2x8x16xf32>, %arg50: tensor<16x8xf32>):
      %129 = "stablehlo.dot_general"(%arg50, %arg48) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %130 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %131 = "stablehlo.reduce"(%129, %130) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
        %198 = "stablehlo.maximum"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%198) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %132 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %134 = "stablehlo.maximum"(%133, %131) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %137 = "stablehlo.subtract"(%129, %136) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %138 = "stablehlo.exponential"(%137) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %139 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %140 = "stablehlo.reduce"(%138, %139) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
        %197 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%197) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %143 = "stablehlo.divide"(%138, %142) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %144 = "stablehlo.multiply"(%141, %141) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %145 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %147 = "stablehlo.divide"(%146, %144) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %148:2 = "chlo.top_k"(%143) <{is_stable = true, k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %149 = "stablehlo.reshape"(%148#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %150 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %151 = "stablehlo.reduce"(%148#0, %150) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg57: tensor<f32>, %arg58: tensor<f32>):
        %196 = "stablehlo.add"(%arg57, %arg58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%196) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %154 = "stablehlo.divide"(%148#0, %153) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %155 = "stablehlo.multiply"(%152, %152) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %156 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %157 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %158 = "stablehlo.divide"(%157, %155) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %159 = "func.call"(%148#1) <{callee = @_one_hot}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %160 = "stablehlo.reshape"(%159) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %161 = "func.call"(%160) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %162 = "stablehlo.subtract"(%161, %160) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %163 = "stablehlo.multiply"(%162, %160) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %164 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %165 = "stablehlo.reduce"(%163, %164) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg55: tensor<i32>, %arg56: tensor<i32>):
        %195 = "stablehlo.add"(%arg55, %arg56) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%195) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %166 = "stablehlo.reshape"(%148#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %167 = "func.call"(%166) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %168 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %169 = "func.call"(%165) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
      %170 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %171 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %172 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %173 = "stablehlo.multiply"(%171, %172) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %174 = "stablehlo.reshape"(%173) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %175 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %176 = "stablehlo.reduce"(%174, %175) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
        %194 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%194) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %177 = "stablehlo.dot_general"(%176, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %178 = "stablehlo.reshape"(%177) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %179 = "stablehlo.all_to_all"(%178) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %180 = "stablehlo.transpose"(%179) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %181 = "stablehlo.reshape"(%180) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %182 = "stablehlo.dot_general"(%181, %arg49) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
      %183:3 = "func.call"(%182) <{callee = @silu}> : (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
      %184 = "stablehlo.dot_general"(%183#0, %arg47) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
      %185 = "stablehlo.reshape"(%184) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
      %186 = "stablehlo.transpose"(%185) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %187 = "stablehlo.reduce_scatter"(%186) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, scatter_dimension = 3 : i64, use_global_device_ids}> ({
      ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
        %193 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%193) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x4xf32>
      %188 = "stablehlo.all_to_all"(%187) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %189 = "stablehlo.all_gather"(%188) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %190 = "stablehlo.reshape"(%189) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %191 = "stablehlo.dot_general"(%174, %154) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      %192 = "stablehlo.dot_general"(%191, %190) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%192, %138, %141, %147, %149, %152, %148#0, %158, %181, %183#1, %183#2, %182, %183#0, %174, %190, %191) : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>)
    %35 = "stablehlo.multiply"(%34#0, %34#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %38 = "stablehlo.multiply"(%37, %34#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %128 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%128) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.divide"(%40, %41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.divide"(%43, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %47 = "stablehlo.multiply"(%46, %38) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %48:3 = "sdy.manual_computation"(%47, %arg14, %34#1, %34#2, %34#3, %34#4, %34#5, %34#6, %34#7, %34#8, %34#9, %34#10, %34#11, %arg11, %34#12, %34#13, %34#14, %34#15) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
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
      %61 = "stablehlo.convert"(%60) : (tensor<i32>) -> tensor<i32>
      %62 = "stablehlo.multiply"(%59, %61) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %64 = "stablehlo.convert"(%63) : (tensor<i32>) -> tensor<i32>
      %65 = "stablehlo.add"(%64, %62) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %66 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %67 = "stablehlo.convert"(%66) : (tensor<i32>) -> tensor<i32>
      %68 = "stablehlo.multiply"(%65, %67) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %69 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %70 = "stablehlo.convert"(%69) : (tensor<i32>) -> tensor<i32>
      %71 = "stablehlo.compare"(%68, %70) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %72 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %73 = "stablehlo.add"(%68, %72) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %74 = "stablehlo.select"(%71, %73, %68) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %75 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %76 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %77 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %78 = "stablehlo.dynamic_slice"(%53, %75, %76, %77, %74) <{slice_sizes = array<i64: 4, 2, 8, 4>}> : (tensor<4x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x4xf32>
      %79 = "stablehlo.all_to_all"(%78) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %80 = "stablehlo.all_gather"(%79) <{all_gather_dim = 3 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> : (tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %81 = "stablehlo.transpose"(%80) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
      %82 = "stablehlo.reshape"(%81) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
      %83 = "stablehlo.dot_general"(%82, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
      %84 = "stablehlo.transpose"(%83) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
      %85 = "stablehlo.dot_general"(%82, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
      %86 = "func.call"(%arg25, %arg26, %arg27, %85) <{callee = @silu_2}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
      %87 = "stablehlo.dot_general"(%86, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
      %88 = "stablehlo.transpose"(%87) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
      %89 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %90 = "stablehlo.multiply"(%52, %89) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %91 = "stablehlo.multiply"(%90, %arg22) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %93 = "stablehlo.reduce"(%91, %92) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
        %127 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%127) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %94 = "stablehlo.reshape"(%93) : (tensor<16xf32>) -> tensor<16x1xf32>
      %95 = "stablehlo.negate"(%94) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %96 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %97 = "stablehlo.divide"(%52, %96) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %99 = "stablehlo.reduce"(%95, %98) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
        %126 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%126) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
      %101 = "stablehlo.add"(%97, %100) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %102 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %104 = "stablehlo.scatter"(%103, %arg20, %101) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
        %125 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%125) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %105 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %106 = "stablehlo.multiply"(%104, %105) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %107 = "stablehlo.multiply"(%106, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %108 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %109 = "stablehlo.reduce"(%107, %108) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
        %124 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%124) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %110 = "stablehlo.reshape"(%109) : (tensor<16xf32>) -> tensor<16x1xf32>
      %111 = "stablehlo.negate"(%110) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %112 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %113 = "stablehlo.divide"(%104, %112) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %115 = "stablehlo.reduce"(%111, %114) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
        %123 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%123) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %117 = "stablehlo.add"(%113, %116) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %118 = "stablehlo.multiply"(%117, %arg17) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %119 = "stablehlo.dot_general"(%118, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %120 = "stablehlo.transpose"(%119) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %121 = "stablehlo.all_reduce"(%120) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> ({
      ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
        %122 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%122) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%84, %121, %88) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
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

