"builtin.module"() <{sym_name = "jit_accumulated"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8x32xf32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %43:10 = "stablehlo.while"(%arg14, %arg11, %arg12, %arg13, %42, %40, %41, %35, %37, %39) ({
    ^bb0(%arg73: tensor<64x8xf32>, %arg74: tensor<8x32x8xf32>, %arg75: tensor<8x8xf32>, %arg76: tensor<8x8x32xf32>, %arg77: tensor<i32>, %arg78: tensor<i32>, %arg79: tensor<f32>, %arg80: tensor<8x32x8xf32>, %arg81: tensor<8x8xf32>, %arg82: tensor<8x8x32xf32>):
      %191 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %192 = "stablehlo.compare"(%arg77, %191) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%192) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<64x8xf32>, %arg16: tensor<8x32x8xf32>, %arg17: tensor<8x8xf32>, %arg18: tensor<8x8x32xf32>, %arg19: tensor<i32>, %arg20: tensor<i32>, %arg21: tensor<f32>, %arg22: tensor<8x32x8xf32>, %arg23: tensor<8x8xf32>, %arg24: tensor<8x8x32xf32>):
      %44 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %45 = "stablehlo.add"(%arg20, %44) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %46 = "stablehlo.convert"(%arg20) : (tensor<i32>) -> tensor<f32>
      %47 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %48 = "stablehlo.add"(%47, %46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %49 = "stablehlo.convert"(%48) : (tensor<f32>) -> tensor<f32>
      %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %51 = "stablehlo.multiply"(%arg15, %50) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %52:16 = "sdy.manual_computation"(%arg16, %arg17, %arg18, %51) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>}> ({
      ^bb0(%arg57: tensor<2x16x8xf32>, %arg58: tensor<8x8xf32>, %arg59: tensor<2x8x16xf32>, %arg60: tensor<16x8xf32>):
        %122 = "stablehlo.dot_general"(%arg60, %arg58) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
        %123 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
        %124 = "stablehlo.reduce"(%122, %123) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
          %190 = "stablehlo.maximum"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%190) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %125 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
        %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
        %127 = "stablehlo.maximum"(%126, %124) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
        %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %130 = "stablehlo.subtract"(%122, %129) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %131 = "stablehlo.exponential"(%130) : (tensor<16x8xf32>) -> tensor<16x8xf32>
        %132 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %133 = "stablehlo.reduce"(%131, %132) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg69: tensor<f32>, %arg70: tensor<f32>):
          %189 = "stablehlo.add"(%arg69, %arg70) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%189) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %136 = "stablehlo.divide"(%131, %135) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %137 = "stablehlo.multiply"(%134, %134) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %138 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
        %140 = "stablehlo.divide"(%139, %137) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %141:2 = "chlo.top_k"(%136) <{is_stable = true, k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
        %142 = "stablehlo.reshape"(%141#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
        %143 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %144 = "stablehlo.reduce"(%141#0, %143) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
          %188 = "stablehlo.add"(%arg67, %arg68) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%188) : (tensor<f32>) -> ()
        }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
        %145 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
        %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %147 = "stablehlo.divide"(%141#0, %146) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %148 = "stablehlo.multiply"(%145, %145) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %149 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
        %151 = "stablehlo.divide"(%150, %148) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
        %152 = "func.call"(%141#1) <{callee = @_one_hot}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
        %153 = "stablehlo.reshape"(%152) : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
        %154 = "func.call"(%153) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
        %155 = "stablehlo.subtract"(%154, %153) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %156 = "stablehlo.multiply"(%155, %153) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
        %157 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
        %158 = "stablehlo.reduce"(%156, %157) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg65: tensor<i32>, %arg66: tensor<i32>):
          %187 = "stablehlo.add"(%arg65, %arg66) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          "stablehlo.return"(%187) : (tensor<i32>) -> ()
        }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
        %159 = "stablehlo.reshape"(%141#1) : (tensor<16x2xi32>) -> tensor<32xi32>
        %160 = "func.call"(%159) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
        %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
        %162 = "func.call"(%158) <{callee = @_one_hot_1}> : (tensor<32xi32>) -> tensor<32x8xf32>
        %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
        %164 = "stablehlo.broadcast_in_dim"(%161) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
        %165 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
        %166 = "stablehlo.multiply"(%164, %165) : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
        %167 = "stablehlo.reshape"(%166) : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
        %168 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %169 = "stablehlo.reduce"(%167, %168) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
          %186 = "stablehlo.add"(%arg63, %arg64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%186) : (tensor<f32>) -> ()
        }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
        %170 = "stablehlo.dot_general"(%169, %arg60) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
        %171 = "stablehlo.reshape"(%170) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
        %172 = "stablehlo.all_to_all"(%171) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %173 = "stablehlo.transpose"(%172) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
        %174 = "stablehlo.reshape"(%173) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
        %175 = "stablehlo.dot_general"(%174, %arg59) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x8x16xf32>) -> tensor<2x32x16xf32>
        %176:3 = "func.call"(%175) <{callee = @silu}> : (tensor<2x32x16xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>)
        %177 = "stablehlo.dot_general"(%176#0, %arg57) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x16x8xf32>) -> tensor<2x32x8xf32>
        %178 = "stablehlo.reshape"(%177) : (tensor<2x32x8xf32>) -> tensor<2x4x8x8xf32>
        %179 = "stablehlo.transpose"(%178) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
        %180 = "stablehlo.all_reduce"(%179) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
        ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
          %185 = "stablehlo.add"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%185) : (tensor<f32>) -> ()
        }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %181 = "stablehlo.all_to_all"(%180) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %182 = "stablehlo.reshape"(%181) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
        %183 = "stablehlo.dot_general"(%167, %147) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
        %184 = "stablehlo.dot_general"(%183, %182) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
        "sdy.return"(%184, %131, %134, %140, %142, %145, %141#0, %151, %174, %176#1, %176#2, %175, %176#0, %167, %182, %183) : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<2x32x8xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> ()
      }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>)
      %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %54 = "stablehlo.reduce"(%52#0, %53) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
        %121 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%121) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
      %55 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
      %56 = "stablehlo.divide"(%54, %55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %57 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %58 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
      %59 = "stablehlo.divide"(%57, %58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %61:3 = "sdy.manual_computation"(%60, %51, %52#1, %52#2, %52#3, %52#4, %52#5, %52#6, %52#7, %52#8, %52#9, %52#10, %52#11, %arg16, %52#12, %52#13, %52#14, %52#15) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
      ^bb0(%arg25: tensor<16x8xf32>, %arg26: tensor<16x8xf32>, %arg27: tensor<16x8xf32>, %arg28: tensor<16x1xf32>, %arg29: tensor<16x1xf32>, %arg30: tensor<16x2x1xi32>, %arg31: tensor<16x1xf32>, %arg32: tensor<16x2xf32>, %arg33: tensor<16x1xf32>, %arg34: tensor<2x32x8xf32>, %arg35: tensor<2x32x16xf32>, %arg36: tensor<2x32x16xf32>, %arg37: tensor<2x32x16xf32>, %arg38: tensor<2x16x8xf32>, %arg39: tensor<2x32x16xf32>, %arg40: tensor<16x2x8x8xf32>, %arg41: tensor<8x8x8xf32>, %arg42: tensor<16x8x8xf32>):
        %68 = "stablehlo.dot_general"(%arg25, %arg42) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
        %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
        %70 = "stablehlo.dot_general"(%arg25, %arg41) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
        %71 = "stablehlo.dot_general"(%70, %arg40) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
        %72 = "stablehlo.reshape"(%69) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
        %73 = "stablehlo.all_to_all"(%72) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
        %74 = "stablehlo.transpose"(%73) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<4x2x8x8xf32>) -> tensor<2x4x8x8xf32>
        %75 = "stablehlo.reshape"(%74) : (tensor<2x4x8x8xf32>) -> tensor<2x32x8xf32>
        %76 = "stablehlo.dot_general"(%75, %arg39) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x32x16xf32>) -> tensor<2x8x16xf32>
        %77 = "stablehlo.transpose"(%76) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
        %78 = "stablehlo.dot_general"(%75, %arg38) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8xf32>, tensor<2x16x8xf32>) -> tensor<2x32x16xf32>
        %79 = "func.call"(%arg35, %arg36, %arg37, %78) <{callee = @silu_2}> : (tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>, tensor<2x32x16xf32>) -> tensor<2x32x16xf32>
        %80 = "stablehlo.dot_general"(%79, %arg34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x16xf32>, tensor<2x32x8xf32>) -> tensor<2x16x8xf32>
        %81 = "stablehlo.transpose"(%80) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
        %82 = "stablehlo.broadcast_in_dim"(%arg33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %83 = "stablehlo.multiply"(%71, %82) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %84 = "stablehlo.multiply"(%83, %arg32) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %85 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %86 = "stablehlo.reduce"(%84, %85) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
          %120 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%120) : (tensor<f32>) -> ()
        }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
        %87 = "stablehlo.reshape"(%86) : (tensor<16xf32>) -> tensor<16x1xf32>
        %88 = "stablehlo.negate"(%87) : (tensor<16x1xf32>) -> tensor<16x1xf32>
        %89 = "stablehlo.broadcast_in_dim"(%arg31) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
        %90 = "stablehlo.divide"(%71, %89) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %91 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %92 = "stablehlo.reduce"(%88, %91) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
          %119 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%119) : (tensor<f32>) -> ()
        }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
        %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x2xf32>
        %94 = "stablehlo.add"(%90, %93) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
        %95 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
        %97 = "stablehlo.scatter"(%96, %arg30, %94) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
        ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
          %118 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%118) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
        %98 = "stablehlo.broadcast_in_dim"(%arg29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %99 = "stablehlo.multiply"(%97, %98) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %100 = "stablehlo.multiply"(%99, %arg27) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %101 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %102 = "stablehlo.reduce"(%100, %101) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
          %117 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%117) : (tensor<f32>) -> ()
        }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
        %103 = "stablehlo.reshape"(%102) : (tensor<16xf32>) -> tensor<16x1xf32>
        %104 = "stablehlo.negate"(%103) : (tensor<16x1xf32>) -> tensor<16x1xf32>
        %105 = "stablehlo.broadcast_in_dim"(%arg28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
        %106 = "stablehlo.divide"(%97, %105) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %107 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
        %108 = "stablehlo.reduce"(%104, %107) <{dimensions = array<i64: 1>}> ({
        ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
          %116 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%116) : (tensor<f32>) -> ()
        }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
        %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
        %110 = "stablehlo.add"(%106, %109) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %111 = "stablehlo.multiply"(%110, %arg27) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
        %112 = "stablehlo.dot_general"(%111, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
        %113 = "stablehlo.transpose"(%112) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
        %114 = "stablehlo.all_reduce"(%113) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> ({
        ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
          %115 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%115) : (tensor<f32>) -> ()
        }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
        "sdy.return"(%77, %114, %81) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
      }) : (tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<16x32x8xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<16x32x16xf32>, tensor<8x32x8xf32>, tensor<16x32x16xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
      %62 = "stablehlo.add"(%arg21, %56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %63 = "stablehlo.add"(%arg22, %61#0) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
      %64 = "stablehlo.add"(%arg23, %61#1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %65 = "stablehlo.add"(%arg24, %61#2) : (tensor<8x8x32xf32>, tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
      %66 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %67 = "stablehlo.add"(%arg19, %66) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg15, %arg16, %arg17, %arg18, %67, %45, %62, %63, %64, %65) : (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> (tensor<64x8xf32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%43#6, %43#7, %43#8, %43#9) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
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

