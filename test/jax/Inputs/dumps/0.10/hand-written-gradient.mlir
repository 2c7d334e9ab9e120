"builtin.module"() <{sym_name = "jit_hand_written_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['down']"}, {jax.result_info = "result[1]['gate']"}, {jax.result_info = "result[1]['up']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg15: tensor<8x32x8xf32>, %arg16: tensor<8x8xf32>, %arg17: tensor<8x8x32xf32>, %arg18: tensor<64x8xf32>):
    %56:5 = "sdy.manual_computation"(%arg15, %arg16, %arg17, %arg18) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg52: tensor<2x16x8xf32>, %arg53: tensor<8x8xf32>, %arg54: tensor<2x8x16xf32>, %arg55: tensor<16x8xf32>):
      %180 = "stablehlo.dot_general"(%arg55, %arg53) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %181 = "stablehlo.reduce_precision"(%180) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %182 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %183 = "stablehlo.reduce"(%181, %182) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
        %241 = "stablehlo.maximum"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%241) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %184 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %186 = "stablehlo.maximum"(%185, %183) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %188 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %189 = "stablehlo.subtract"(%181, %188) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %190 = "stablehlo.exponential"(%189) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %191 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %192 = "stablehlo.reduce"(%190, %191) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
        %240 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%240) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %195 = "stablehlo.divide"(%190, %194) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %196:2 = "chlo.top_k"(%195) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %197 = "func.call"(%196#1) <{callee = @_one_hot}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %198 = "stablehlo.transpose"(%197) <{permutation = array<i64: 1, 0, 2>}> : (tensor<16x2x8xi32>) -> tensor<2x16x8xi32>
      %199 = "stablehlo.reshape"(%198) : (tensor<2x16x8xi32>) -> tensor<32x8xi32>
      %200 = "func.call"(%199) <{callee = @cumsum}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %201 = "stablehlo.subtract"(%200, %199) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %202 = "stablehlo.multiply"(%201, %199) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %203 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %204 = "stablehlo.reduce"(%202, %203) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg62: tensor<i32>, %arg63: tensor<i32>):
        %239 = "stablehlo.add"(%arg62, %arg63) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%239) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %205 = "stablehlo.reshape"(%204) : (tensor<32xi32>) -> tensor<2x16xi32>
      %206 = "stablehlo.transpose"(%205) <{permutation = array<i64: 1, 0>}> : (tensor<2x16xi32>) -> tensor<16x2xi32>
      %207 = "func.call"(%196#1) <{callee = @_one_hot_1}> : (tensor<16x2xi32>) -> tensor<16x2x8xf32>
      %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x8xf32>) -> tensor<16x2x8x1xf32>
      %209 = "func.call"(%206) <{callee = @_one_hot_1}> : (tensor<16x2xi32>) -> tensor<16x2x8xf32>
      %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<16x2x8xf32>) -> tensor<16x2x1x8xf32>
      %211 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x2x8x1xf32>) -> tensor<16x2x8x8xf32>
      %212 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x2x1x8xf32>) -> tensor<16x2x8x8xf32>
      %213 = "stablehlo.multiply"(%211, %212) : (tensor<16x2x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2x8x8xf32>
      %214 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %215 = "stablehlo.reduce"(%213, %214) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
        %238 = "stablehlo.add"(%arg60, %arg61) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%238) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %216 = "stablehlo.broadcast_in_dim"(%196#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xf32>) -> tensor<16x2x1x1xf32>
      %217 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x2x1x1xf32>) -> tensor<16x2x8x8xf32>
      %218 = "stablehlo.multiply"(%213, %217) : (tensor<16x2x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2x8x8xf32>
      %219 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %220 = "stablehlo.reduce"(%218, %219) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg58: tensor<f32>, %arg59: tensor<f32>):
        %237 = "stablehlo.add"(%arg58, %arg59) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%237) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %221 = "stablehlo.dot_general"(%215, %arg55) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %222 = "stablehlo.reduce_precision"(%221) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
      %223 = "stablehlo.reshape"(%222) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %224 = "stablehlo.all_to_all"(%223) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %225 = "stablehlo.dot_general"(%arg54, %224) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<4x2x8x8xf32>) -> tensor<2x16x4x8xf32>
      %226 = "stablehlo.reduce_precision"(%225) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xf32>
      %227 = "stablehlo.transpose"(%226) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x16x4x8xf32>) -> tensor<4x2x8x16xf32>
      %228 = "func.call"(%227) <{callee = @silu}> : (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
      %229 = "stablehlo.dot_general"(%arg52, %228) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x16x8xf32>, tensor<4x2x8x16xf32>) -> tensor<2x8x4x8xf32>
      %230 = "stablehlo.reduce_precision"(%229) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
      %231 = "stablehlo.transpose"(%230) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x8x4x8xf32>) -> tensor<4x2x8x8xf32>
      %232 = "stablehlo.all_reduce"(%231) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
        %236 = "stablehlo.add"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%236) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %233 = "stablehlo.all_to_all"(%232) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %234 = "stablehlo.reshape"(%233) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %235 = "stablehlo.dot_general"(%220, %234) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%181, %222, %226, %230, %235) : (tensor<16x8xf32>, tensor<8x8x8xf32>, tensor<2x16x4x8xf32>, tensor<2x8x4x8xf32>, tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<128x8xf32>, tensor<64x8x8xf32>, tensor<16x16x4x8xf32>, tensor<16x8x4x8xf32>, tensor<64x8xf32>)
    %57 = "stablehlo.multiply"(%56#4, %56#4) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %58 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %60 = "stablehlo.multiply"(%59, %56#4) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.reduce"(%57, %61) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %179 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%179) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %63 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.divide"(%62, %63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %65 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.divide"(%65, %66) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %69 = "stablehlo.multiply"(%68, %60) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %70 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %72 = "stablehlo.divide"(%69, %71) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %73:3 = "sdy.manual_computation"(%72, %56#0, %56#1, %56#2, %56#3, %arg15, %arg18) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep", "tp"}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>]>}> ({
    ^bb0(%arg19: tensor<16x8xf32>, %arg20: tensor<16x8xf32>, %arg21: tensor<8x8x8xf32>, %arg22: tensor<2x16x4x8xf32>, %arg23: tensor<2x8x4x8xf32>, %arg24: tensor<2x16x8xf32>, %arg25: tensor<16x8xf32>):
      %74:7 = "stablehlo.optimization_barrier"(%arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg19) : (tensor<16x8xf32>, tensor<8x8x8xf32>, tensor<2x16x4x8xf32>, tensor<2x8x4x8xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<8x8x8xf32>, tensor<2x16x4x8xf32>, tensor<2x8x4x8xf32>, tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      %75 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %76 = "stablehlo.reduce"(%74#0, %75) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
        %178 = "stablehlo.maximum"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%178) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %77 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %79 = "stablehlo.maximum"(%78, %76) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %82 = "stablehlo.subtract"(%74#0, %81) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %83 = "stablehlo.exponential"(%82) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %85 = "stablehlo.reduce"(%83, %84) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
        %177 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%177) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %88 = "stablehlo.divide"(%83, %87) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %89 = "stablehlo.multiply"(%86, %86) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %90 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
      %92 = "stablehlo.divide"(%91, %89) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %93:2 = "chlo.top_k"(%88) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %94 = "stablehlo.reshape"(%93#1) : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %95 = "func.call"(%93#1) <{callee = @_one_hot_2}> : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %96 = "stablehlo.transpose"(%95) <{permutation = array<i64: 1, 0, 2>}> : (tensor<16x2x8xi32>) -> tensor<2x16x8xi32>
      %97 = "stablehlo.reshape"(%96) : (tensor<2x16x8xi32>) -> tensor<32x8xi32>
      %98 = "func.call"(%97) <{callee = @cumsum_3}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %99 = "stablehlo.subtract"(%98, %97) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %100 = "stablehlo.multiply"(%99, %97) : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %101 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %102 = "stablehlo.reduce"(%100, %101) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg44: tensor<i32>, %arg45: tensor<i32>):
        %176 = "stablehlo.add"(%arg44, %arg45) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%176) : (tensor<i32>) -> ()
      }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %103 = "stablehlo.reshape"(%102) : (tensor<32xi32>) -> tensor<2x16xi32>
      %104 = "stablehlo.transpose"(%103) <{permutation = array<i64: 1, 0>}> : (tensor<2x16xi32>) -> tensor<16x2xi32>
      %105 = "func.call"(%93#1) <{callee = @_one_hot_4}> : (tensor<16x2xi32>) -> tensor<16x2x8xf32>
      %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x8xf32>) -> tensor<16x2x8x1xf32>
      %107 = "func.call"(%104) <{callee = @_one_hot_4}> : (tensor<16x2xi32>) -> tensor<16x2x8xf32>
      %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<16x2x8xf32>) -> tensor<16x2x1x8xf32>
      %109 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x2x8x1xf32>) -> tensor<16x2x8x8xf32>
      %110 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x2x1x8xf32>) -> tensor<16x2x8x8xf32>
      %111 = "stablehlo.multiply"(%109, %110) : (tensor<16x2x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2x8x8xf32>
      %112 = "stablehlo.broadcast_in_dim"(%93#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xf32>) -> tensor<16x2x1x1xf32>
      %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x2x1x1xf32>) -> tensor<16x2x8x8xf32>
      %114 = "stablehlo.multiply"(%111, %113) : (tensor<16x2x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2x8x8xf32>
      %115 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %116 = "stablehlo.reduce"(%114, %115) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
        %175 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%175) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %117 = "stablehlo.reshape"(%74#1) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %118 = "stablehlo.all_to_all"(%117) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %119 = "stablehlo.transpose"(%74#2) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x16x4x8xf32>) -> tensor<4x2x8x16xf32>
      %120:3 = "func.call"(%119) <{callee = @silu_5}> : (tensor<4x2x8x16xf32>) -> (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>)
      %121 = "stablehlo.transpose"(%74#3) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<2x8x4x8xf32>) -> tensor<4x2x8x8xf32>
      %122 = "stablehlo.all_reduce"(%121) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
        %174 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%174) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %123 = "stablehlo.all_to_all"(%122) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %124 = "stablehlo.reshape"(%123) : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %125 = "stablehlo.dot_general"(%74#6, %116) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
      %126 = "stablehlo.transpose"(%125) <{permutation = array<i64: 1, 2, 0>}> : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
      %127 = "stablehlo.dot_general"(%74#6, %124) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
      %128 = "stablehlo.reshape"(%126) : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %129 = "stablehlo.all_to_all"(%128) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %130 = "stablehlo.all_reduce"(%129) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
        %173 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%173) : (tensor<f32>) -> ()
      }) : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %131 = "stablehlo.transpose"(%130) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %132 = "stablehlo.dot_general"(%131, %74#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x8xf32>, tensor<2x16x8xf32>) -> tensor<2x4x8x16xf32>
      %133 = "stablehlo.transpose"(%132) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x4x8x16xf32>) -> tensor<4x2x8x16xf32>
      %134 = "stablehlo.dot_general"(%131, %120#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x8xf32>, tensor<4x2x8x16xf32>) -> tensor<2x8x16xf32>
      %135 = "stablehlo.transpose"(%134) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
      %136 = "func.call"(%120#1, %119, %120#2, %133) <{callee = @silu_6}> : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
      %137 = "stablehlo.transpose"(%136) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<4x2x8x16xf32>) -> tensor<2x16x4x8xf32>
      %138 = "stablehlo.dot_general"(%137, %118) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x16x4x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x16x8xf32>
      %139 = "stablehlo.transpose"(%138) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
      %140 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<16x8x8xf32>) -> tensor<16x2x8x8xf32>
      %141 = "stablehlo.multiply"(%111, %140) : (tensor<16x2x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2x8x8xf32>
      %142 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %143 = "stablehlo.reduce"(%141, %142) <{dimensions = array<i64: 2, 3>}> ({
      ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
        %172 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%172) : (tensor<f32>) -> ()
      }) : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x2xf32>
      %144 = "stablehlo.reshape"(%143) : (tensor<16x2xf32>) -> tensor<16x2x1x1xf32>
      %145 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %146 = "stablehlo.reduce"(%144, %145) <{dimensions = array<i64: 2, 3>}> ({
      ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
        %171 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%171) : (tensor<f32>) -> ()
      }) : (tensor<16x2x1x1xf32>, tensor<f32>) -> tensor<16x2xf32>
      %147 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
      %149 = "stablehlo.scatter"(%148, %94, %146) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
        %170 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%170) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %150 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %151 = "stablehlo.multiply"(%149, %150) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %152 = "stablehlo.multiply"(%151, %83) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %153 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %154 = "stablehlo.reduce"(%152, %153) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
        %169 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%169) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %155 = "stablehlo.reshape"(%154) : (tensor<16xf32>) -> tensor<16x1xf32>
      %156 = "stablehlo.negate"(%155) : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %157 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %158 = "stablehlo.divide"(%149, %157) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %159 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %160 = "stablehlo.reduce"(%156, %159) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
        %168 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%168) : (tensor<f32>) -> ()
      }) : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x8xf32>
      %162 = "stablehlo.add"(%158, %161) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %163 = "stablehlo.multiply"(%162, %83) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %164 = "stablehlo.dot_general"(%163, %74#5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %165 = "stablehlo.transpose"(%164) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %166 = "stablehlo.all_reduce"(%165) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
        %167 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%167) : (tensor<f32>) -> ()
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      "sdy.return"(%135, %166, %139) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>) -> ()
    }) : (tensor<64x8xf32>, tensor<128x8xf32>, tensor<64x8x8xf32>, tensor<16x16x4x8xf32>, tensor<16x8x4x8xf32>, tensor<8x32x8xf32>, tensor<64x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>)
    "func.return"(%64, %73#0, %73#1, %73#2) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<16x2xi32>):
    %50 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %51 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %52 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %53 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %54 = "stablehlo.compare"(%52, %53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %55 = "stablehlo.convert"(%54) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%55) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<32x8xi32>):
    %49 = "func.call"(%arg13) <{callee = @cumsum_0}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%49) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<32x8xi32>):
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %47 = "stablehlo.reduce_window"(%arg10, %46) <{base_dilations = array<i64: 1, 1>, padding = dense<[[31, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 32, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg11: tensor<i32>, %arg12: tensor<i32>):
      %48 = "stablehlo.add"(%arg11, %arg12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%48) : (tensor<i32>) -> ()
    }) : (tensor<32x8xi32>, tensor<i32>) -> tensor<32x8xi32>
    "func.return"(%47) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xf32>, res_attrs = [{}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<16x2xi32>):
    %39 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %40 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %41 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %42 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %43 = "stablehlo.compare"(%41, %42) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %44 = "stablehlo.convert"(%43) : (tensor<16x2x8xi1>) -> tensor<16x2x8xf32>
    "func.return"(%44) : (tensor<16x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<4x2x8x16xf32>):
    %30 = "stablehlo.negate"(%arg8) : (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %31 = "stablehlo.exponential"(%30) : (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %34 = "stablehlo.add"(%33, %31) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %37 = "stablehlo.divide"(%36, %34) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %38 = "stablehlo.multiply"(%arg8, %37) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    "func.return"(%38) : (tensor<4x2x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_2", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<16x2xi32>):
    %24 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %25 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %26 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %28 = "stablehlo.compare"(%26, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %29 = "stablehlo.convert"(%28) : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
    "func.return"(%29) : (tensor<16x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x8xi32>) -> tensor<32x8xi32>, res_attrs = [{}], sym_name = "cumsum_3", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<32x8xi32>):
    %23 = "func.call"(%arg6) <{callee = @cumsum_0}> : (tensor<32x8xi32>) -> tensor<32x8xi32>
    "func.return"(%23) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xf32>, res_attrs = [{}], sym_name = "_one_hot_4", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<16x2xi32>):
    %17 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %18 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %22 = "stablehlo.convert"(%21) : (tensor<16x2x8xi1>) -> tensor<16x2x8xf32>
    "func.return"(%22) : (tensor<16x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x2x8x16xf32>) -> (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu_5", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x2x8x16xf32>):
    %4 = "stablehlo.negate"(%arg4) : (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %5 = "stablehlo.exponential"(%4) : (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %8 = "stablehlo.add"(%7, %5) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %11 = "stablehlo.divide"(%10, %8) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %14 = "stablehlo.subtract"(%13, %11) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %15 = "stablehlo.multiply"(%11, %14) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %16 = "stablehlo.multiply"(%arg4, %11) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    "func.return"(%16, %11, %15) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>, res_attrs = [{}], sym_name = "silu_6", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x2x8x16xf32>, %arg1: tensor<4x2x8x16xf32>, %arg2: tensor<4x2x8x16xf32>, %arg3: tensor<4x2x8x16xf32>):
    %0 = "stablehlo.multiply"(%arg1, %arg3) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg0) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %2 = "stablehlo.multiply"(%0, %arg2) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    "func.return"(%3) : (tensor<4x2x8x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

