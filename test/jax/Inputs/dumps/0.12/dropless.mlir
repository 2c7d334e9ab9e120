"builtin.module"() <{sym_name = "jit_dropless"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg52: tensor<8x32x8xf32>, %arg53: tensor<8x8xf32>, %arg54: tensor<8x8x32xf32>, %arg55: tensor<64x8xf32>):
    %97 = "sdy.manual_computation"(%arg52, %arg53, %arg54, %arg55) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg56: tensor<2x16x8xf32>, %arg57: tensor<8x8xf32>, %arg58: tensor<2x8x16xf32>, %arg59: tensor<16x8xf32>):
      %98 = "stablehlo.dot_general"(%arg59, %arg57) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %99 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %100 = "stablehlo.reduce"(%98, %99) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg82: tensor<f32>, %arg83: tensor<f32>):
        %390 = "stablehlo.maximum"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%390) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %101 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %103 = "stablehlo.maximum"(%102, %100) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %106 = "stablehlo.subtract"(%98, %105) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %107 = "stablehlo.exponential"(%106) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %108 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %109 = "stablehlo.reduce"(%107, %108) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg80: tensor<f32>, %arg81: tensor<f32>):
        %389 = "stablehlo.add"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%389) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %112 = "stablehlo.divide"(%107, %111) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %113:2 = "chlo.top_k"(%112) <{is_stable = true, k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %115 = "stablehlo.reduce"(%113#0, %114) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
        %388 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%388) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %118 = "stablehlo.divide"(%113#0, %117) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %119 = "stablehlo.reshape"(%113#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %120 = "func.call"(%119) <{callee = @argsort}> : (tensor<32xi32>) -> tensor<32xi32>
      %121 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %122 = "func.call"(%120, %121) <{callee = @floor_divide}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %123 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %125 = "stablehlo.compare"(%122, %124) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %126 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
      %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %128 = "stablehlo.add"(%122, %127) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %129 = "stablehlo.select"(%125, %128, %122) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %131 = "stablehlo.gather"(%arg59, %130) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<32x1xi32>) -> tensor<32x8xf32>
      %132 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %134 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %135 = "func.call"(%119, %134) <{callee = @clip}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %136 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %137 = "stablehlo.convert"(%136) : (tensor<i32>) -> tensor<i32>
      %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %139 = "stablehlo.compare"(%135, %138) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %140 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %142 = "stablehlo.add"(%135, %141) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %143 = "stablehlo.select"(%139, %142, %135) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %145 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %147 = "stablehlo.scatter"(%133, %144, %146) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg76: tensor<i32>, %arg77: tensor<i32>):
        %387 = "stablehlo.add"(%arg76, %arg77) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%387) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<8xi32>
      %148 = "stablehlo.reshape"(%147) : (tensor<8xi32>) -> tensor<4x2xi32>
      %149 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %150 = "stablehlo.reduce"(%148, %149) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg74: tensor<i32>, %arg75: tensor<i32>):
        %386 = "stablehlo.add"(%arg74, %arg75) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%386) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4xi32>
      %151 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
      %152 = "stablehlo.all_gather"(%151) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> : (tensor<1x4xi32>) -> tensor<4x4xi32>
      %153 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1x8xi32>
      %154 = "stablehlo.all_gather"(%153) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> : (tensor<1x8xi32>) -> tensor<4x8xi32>
      %155 = "stablehlo.reshape"(%154) : (tensor<4x8xi32>) -> tensor<4x4x2xi32>
      %156 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %157 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
      %158 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %159 = "stablehlo.divide"(%158, %156) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %160 = "stablehlo.remainder"(%159, %157) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %161 = "stablehlo.convert"(%160) : (tensor<ui32>) -> tensor<i32>
      %162 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %164 = "func.call"(%150) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %165 = "stablehlo.subtract"(%164, %150) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %166 = "func.call"(%152) <{callee = @cumsum_1}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %167 = "stablehlo.subtract"(%166, %152) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %168 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %169 = "stablehlo.convert"(%168) : (tensor<i32>) -> tensor<i32>
      %170 = "stablehlo.compare"(%161, %169) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %171 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %172 = "stablehlo.add"(%161, %171) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %173 = "stablehlo.select"(%170, %172, %161) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %174 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %175 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %176 = "stablehlo.compare"(%174, %175) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %177 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %178 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %179 = "stablehlo.add"(%177, %178) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %180 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %181 = "stablehlo.select"(%176, %179, %180) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %182 = "stablehlo.dynamic_slice"(%167, %173, %181) <{slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<1x4xi32>
      %183 = "stablehlo.reshape"(%182) : (tensor<1x4xi32>) -> tensor<4xi32>
      %184 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %185 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %186 = "stablehlo.compare"(%184, %185) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %187 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %188 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %189 = "stablehlo.add"(%187, %188) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %190 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %191 = "stablehlo.select"(%186, %189, %190) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %192 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %193 = "stablehlo.convert"(%192) : (tensor<i32>) -> tensor<i32>
      %194 = "stablehlo.compare"(%161, %193) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %195 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %196 = "stablehlo.add"(%161, %195) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %197 = "stablehlo.select"(%194, %196, %161) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %198 = "stablehlo.dynamic_slice"(%152, %191, %197) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %199 = "stablehlo.reshape"(%198) : (tensor<4x1xi32>) -> tensor<4xi32>
      %200 = "stablehlo.custom_call"(%131, %163, %165, %150, %183, %199) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<32x8xf32>, tensor<64x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<64x8xf32>
      %201 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %202 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %203 = "stablehlo.compare"(%201, %202) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %204 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %205 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %206 = "stablehlo.add"(%204, %205) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %207 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %208 = "stablehlo.select"(%203, %206, %207) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %209 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %210 = "stablehlo.convert"(%209) : (tensor<i32>) -> tensor<i32>
      %211 = "stablehlo.compare"(%161, %210) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %212 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %213 = "stablehlo.add"(%161, %212) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %214 = "stablehlo.select"(%211, %213, %161) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %215 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %216 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %217 = "stablehlo.compare"(%215, %216) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %218 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %219 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %220 = "stablehlo.add"(%218, %219) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %221 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %222 = "stablehlo.select"(%217, %220, %221) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %223 = "stablehlo.dynamic_slice"(%155, %208, %214, %222) <{slice_sizes = array<i64: 4, 1, 2>}> : (tensor<4x4x2xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x2xi32>
      %224 = "stablehlo.reshape"(%223) : (tensor<4x1x2xi32>) -> tensor<4x2xi32>
      %225 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
      %226 = "stablehlo.reshape"(%225) : (tensor<2xi32>) -> tensor<1x2xi32>
      %227 = "stablehlo.broadcast_in_dim"(%226) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xi32>) -> tensor<4x2xi32>
      %228 = "stablehlo.reshape"(%227) : (tensor<4x2xi32>) -> tensor<8xi32>
      %229 = "stablehlo.reshape"(%224) : (tensor<4x2xi32>) -> tensor<8xi32>
      %230 = "func.call"(%229) <{callee = @_roll_static}> : (tensor<8xi32>) -> tensor<8xi32>
      %231 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %232 = "stablehlo.broadcast_in_dim"(%231) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
      %233 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %234 = "stablehlo.scatter"(%230, %232, %233) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg72: tensor<i32>, %arg73: tensor<i32>):
        "stablehlo.return"(%arg73) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<1xi32>, tensor<i32>) -> tensor<8xi32>
      %235 = "func.call"(%234) <{callee = @cumsum_3}> : (tensor<8xi32>) -> tensor<8xi32>
      %236 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %237 = "stablehlo.broadcast_in_dim"(%236) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %238 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %239 = "stablehlo.convert"(%238) : (tensor<i32>) -> tensor<i32>
      %240 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %241 = "stablehlo.compare"(%235, %240) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
      %242 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %244 = "stablehlo.add"(%235, %243) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %245 = "stablehlo.select"(%241, %244, %235) : (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %246 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
      %247 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %248 = "stablehlo.broadcast_in_dim"(%247) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %249 = "stablehlo.scatter"(%237, %246, %248) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg70: tensor<i32>, %arg71: tensor<i32>):
        %385 = "stablehlo.add"(%arg70, %arg71) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%385) : (tensor<i32>) -> ()
      }) : (tensor<64xi32>, tensor<8x1xi32>, tensor<8xi32>) -> tensor<64xi32>
      %250 = "func.call"(%249) <{callee = @cumsum_5}> : (tensor<64xi32>) -> tensor<64xi32>
      %251 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %252 = "stablehlo.convert"(%251) : (tensor<i32>) -> tensor<i32>
      %253 = "stablehlo.broadcast_in_dim"(%252) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %254 = "stablehlo.subtract"(%250, %253) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %255 = "func.call"(%228, %254) <{callee = @_take}> : (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>
      %256 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xi32>
      %257 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %258 = "stablehlo.reduce"(%224, %257) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg68: tensor<i32>, %arg69: tensor<i32>):
        %384 = "stablehlo.add"(%arg68, %arg69) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%384) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<i32>
      %259 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %260 = "stablehlo.compare"(%256, %259) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %261 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %262 = "func.call"(%260, %255, %261) <{callee = @_where_8}> : (tensor<64xi1>, tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
      %263 = "func.call"(%262) <{callee = @argsort_9}> : (tensor<64xi32>) -> tensor<64xi32>
      %264 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %265 = "stablehlo.reduce"(%224, %264) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg66: tensor<i32>, %arg67: tensor<i32>):
        %383 = "stablehlo.add"(%arg66, %arg67) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%383) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<2xi32>
      %266 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %267 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %268 = "stablehlo.compare"(%263, %267) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %269 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %270 = "stablehlo.broadcast_in_dim"(%269) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %271 = "stablehlo.add"(%263, %270) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %272 = "stablehlo.select"(%268, %271, %263) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %273 = "stablehlo.broadcast_in_dim"(%272) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %274 = "stablehlo.gather"(%200, %273) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<64x1xi32>) -> tensor<64x8xf32>
      %275 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %276 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %277 = "func.call"(%265) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %278 = "stablehlo.subtract"(%277, %265) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %279 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %280 = "stablehlo.broadcast_in_dim"(%278) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %281 = "stablehlo.compare"(%280, %276) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %282 = "stablehlo.compare"(%276, %279) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %283 = "stablehlo.and"(%281, %282) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %284 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %285 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %286 = "stablehlo.select"(%283, %275, %285) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %287 = "stablehlo.dot_general"(%286, %arg58) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x8x16xf32>) -> tensor<64x16xf32>
      %288 = "func.call"(%287) <{callee = @silu}> : (tensor<64x16xf32>) -> tensor<64x16xf32>
      %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %290 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %291 = "func.call"(%265) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %292 = "stablehlo.subtract"(%291, %265) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      %293 = "stablehlo.broadcast_in_dim"(%291) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %294 = "stablehlo.broadcast_in_dim"(%292) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %295 = "stablehlo.compare"(%294, %290) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %296 = "stablehlo.compare"(%290, %293) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %297 = "stablehlo.and"(%295, %296) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %298 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %300 = "stablehlo.select"(%297, %289, %299) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %301 = "stablehlo.dot_general"(%300, %arg56) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<2x16x8xf32>) -> tensor<64x8xf32>
      %302 = "stablehlo.all_reduce"(%301) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
      ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
        %382 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%382) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>) -> tensor<64x8xf32>
      %303 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %305 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %306 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %307 = "stablehlo.compare"(%263, %306) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %308 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %309 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %310 = "stablehlo.add"(%263, %309) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %311 = "stablehlo.select"(%307, %310, %263) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %312 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %313 = "stablehlo.scatter"(%304, %312, %302) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg62: tensor<f32>, %arg63: tensor<f32>):
        "stablehlo.return"(%arg63) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>, tensor<64x1xi32>, tensor<64x8xf32>) -> tensor<64x8xf32>
      %314 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %316 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %317 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %318 = "stablehlo.compare"(%316, %317) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %319 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %320 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %321 = "stablehlo.add"(%319, %320) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %322 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %323 = "stablehlo.select"(%318, %321, %322) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %324 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %325 = "stablehlo.convert"(%324) : (tensor<i32>) -> tensor<i32>
      %326 = "stablehlo.compare"(%161, %325) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %327 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %328 = "stablehlo.add"(%161, %327) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %329 = "stablehlo.select"(%326, %328, %161) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %330 = "stablehlo.dynamic_slice"(%152, %323, %329) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %331 = "stablehlo.reshape"(%330) : (tensor<4x1xi32>) -> tensor<4xi32>
      %332 = "func.call"(%331) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %333 = "stablehlo.subtract"(%332, %331) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %334 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %335 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %336 = "stablehlo.compare"(%334, %335) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %337 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %338 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %339 = "stablehlo.add"(%337, %338) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %340 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %341 = "stablehlo.select"(%336, %339, %340) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %342 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %343 = "stablehlo.convert"(%342) : (tensor<i32>) -> tensor<i32>
      %344 = "stablehlo.compare"(%161, %343) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %345 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %346 = "stablehlo.add"(%161, %345) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %347 = "stablehlo.select"(%344, %346, %161) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %348 = "stablehlo.dynamic_slice"(%152, %341, %347) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %349 = "stablehlo.reshape"(%348) : (tensor<4x1xi32>) -> tensor<4xi32>
      %350 = "func.call"(%152) <{callee = @cumsum_11}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %351 = "stablehlo.subtract"(%350, %152) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %352 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %353 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %354 = "stablehlo.compare"(%352, %353) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %355 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %356 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %357 = "stablehlo.add"(%355, %356) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %358 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %359 = "stablehlo.select"(%354, %357, %358) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %360 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %361 = "stablehlo.convert"(%360) : (tensor<i32>) -> tensor<i32>
      %362 = "stablehlo.compare"(%161, %361) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %363 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %364 = "stablehlo.add"(%161, %363) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %365 = "stablehlo.select"(%362, %364, %161) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %366 = "stablehlo.dynamic_slice"(%351, %359, %365) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %367 = "stablehlo.reshape"(%366) : (tensor<4x1xi32>) -> tensor<4xi32>
      %368 = "stablehlo.custom_call"(%313, %315, %333, %349, %367, %150) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<64x8xf32>, tensor<32x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<32x8xf32>
      %369 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %370 = "stablehlo.broadcast_in_dim"(%369) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %371 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %372 = "stablehlo.broadcast_in_dim"(%371) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %373 = "stablehlo.compare"(%120, %372) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %374 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
      %375 = "stablehlo.broadcast_in_dim"(%374) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %376 = "stablehlo.add"(%120, %375) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %377 = "stablehlo.select"(%373, %376, %120) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %378 = "stablehlo.broadcast_in_dim"(%377) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %379 = "stablehlo.scatter"(%370, %378, %368) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
        "stablehlo.return"(%arg61) : (tensor<f32>) -> ()
      }) : (tensor<32x8xf32>, tensor<32x1xi32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %380 = "stablehlo.reshape"(%379) : (tensor<32x8xf32>) -> tensor<16x2x8xf32>
      %381 = "stablehlo.dot_general"(%380, %118) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8xf32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      "sdy.return"(%381) : (tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%97) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg47: tensor<32xi32>):
    %94 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %95:2 = "stablehlo.sort"(%arg47, %94) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg48: tensor<i32>, %arg49: tensor<i32>, %arg50: tensor<i32>, %arg51: tensor<i32>):
      %96 = "stablehlo.compare"(%arg48, %arg49) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%96) : (tensor<i1>) -> ()
    }) : (tensor<32xi32>, tensor<32xi32>) -> (tensor<32xi32>, tensor<32xi32>)
    "func.return"(%95#1) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg45: tensor<32xi32>, %arg46: tensor<i32>):
    %77 = "stablehlo.convert"(%arg46) : (tensor<i32>) -> tensor<i32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %79 = "stablehlo.divide"(%arg45, %78) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %80 = "stablehlo.sign"(%arg45) : (tensor<32xi32>) -> tensor<32xi32>
    %81 = "stablehlo.sign"(%77) : (tensor<i32>) -> tensor<i32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %83 = "stablehlo.compare"(%80, %82) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %84 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %85 = "stablehlo.remainder"(%arg45, %84) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %86 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %88 = "stablehlo.compare"(%85, %87) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %89 = "stablehlo.and"(%83, %88) : (tensor<32xi1>, tensor<32xi1>) -> tensor<32xi1>
    %90 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %92 = "stablehlo.subtract"(%79, %91) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %93 = "func.call"(%89, %92, %79) <{callee = @_where}> : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%93) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg42: tensor<32xi1>, %arg43: tensor<32xi32>, %arg44: tensor<32xi32>):
    %76 = "stablehlo.select"(%arg42, %arg43, %arg44) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%76) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<32xi32>, %arg41: tensor<i32>):
    %73 = "stablehlo.convert"(%arg41) : (tensor<i32>) -> tensor<i32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %75 = "stablehlo.maximum"(%74, %arg40) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%75) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xi32>) -> tensor<4xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<4xi32>):
    %72 = "func.call"(%arg39) <{callee = @cumsum_0}> : (tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%72) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>) -> tensor<4xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<4xi32>):
    %68 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %70 = "stablehlo.reduce_window"(%arg36, %69) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg37: tensor<i32>, %arg38: tensor<i32>):
      %71 = "stablehlo.add"(%arg37, %arg38) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%71) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%70) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, res_attrs = [{}], sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<4x4xi32>):
    %67 = "func.call"(%arg35) <{callee = @cumsum_2}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
    "func.return"(%67) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<4x4xi32>):
    %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %65 = "stablehlo.reduce_window"(%arg32, %64) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg33: tensor<i32>, %arg34: tensor<i32>):
      %66 = "stablehlo.add"(%arg33, %arg34) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%66) : (tensor<i32>) -> ()
    }) : (tensor<4x4xi32>, tensor<i32>) -> tensor<4x4xi32>
    "func.return"(%65) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "_roll_static", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<8xi32>):
    %60 = "stablehlo.slice"(%arg31) <{limit_indices = array<i64: 8>, start_indices = array<i64: 7>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1xi32>
    %61 = "stablehlo.slice"(%arg31) <{limit_indices = array<i64: 7>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<7xi32>
    %62 = "stablehlo.concatenate"(%60, %61) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    "func.return"(%62) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "cumsum_3", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<8xi32>):
    %59 = "func.call"(%arg30) <{callee = @cumsum_4}> : (tensor<8xi32>) -> tensor<8xi32>
    "func.return"(%59) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8xi32>) -> tensor<8xi32>, sym_name = "cumsum_4", sym_visibility = "private"}> ({
  ^bb0(%arg27: tensor<8xi32>):
    %55 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %57 = "stablehlo.reduce_window"(%arg27, %56) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg28: tensor<i32>, %arg29: tensor<i32>):
      %58 = "stablehlo.add"(%arg28, %arg29) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%58) : (tensor<i32>) -> ()
    }) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    "func.return"(%57) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "cumsum_5", sym_visibility = "private"}> ({
  ^bb0(%arg26: tensor<64xi32>):
    %54 = "func.call"(%arg26) <{callee = @cumsum_6}> : (tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%54) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<64xi32>) -> tensor<64xi32>, sym_name = "cumsum_6", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<64xi32>):
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %52 = "stablehlo.reduce_window"(%arg23, %51) <{base_dilations = array<i64: 1>, padding = dense<[[63, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 64>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg24: tensor<i32>, %arg25: tensor<i32>):
      %53 = "stablehlo.add"(%arg24, %arg25) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%53) : (tensor<i32>) -> ()
    }) : (tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
    "func.return"(%52) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<8xi32>, %arg20: tensor<64xi32>):
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.convert"(%25) : (tensor<i32>) -> tensor<i32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %28 = "stablehlo.compare"(%arg20, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %29 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.convert"(%29) : (tensor<i32>) -> tensor<i32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %32 = "stablehlo.add"(%arg20, %31) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %33 = "func.call"(%28, %32, %arg20) <{callee = @_where_7}> : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %35 = "stablehlo.constant"() <{value = dense<7> : tensor<1xi32>}> : () -> tensor<1xi32>
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64x1xi32>
    %38 = "stablehlo.compare"(%34, %37) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %39 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<64x1xi32>
    %41 = "stablehlo.compare"(%34, %40) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %42 = "stablehlo.and"(%38, %41) : (tensor<64x1xi1>, tensor<64x1xi1>) -> tensor<64x1xi1>
    %43 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %44 = "stablehlo.reduce"(%42, %43) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg21: tensor<i1>, %arg22: tensor<i1>):
      %49 = "stablehlo.and"(%arg21, %arg22) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%49) : (tensor<i1>) -> ()
    }) : (tensor<64x1xi1>, tensor<i1>) -> tensor<64xi1>
    %45 = "stablehlo.gather"(%arg19, %34) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<8xi32>, tensor<64x1xi32>) -> tensor<64xi32>
    %46 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %48 = "stablehlo.select"(%44, %45, %47) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%48) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_where_7", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<64xi1>, %arg17: tensor<64xi32>, %arg18: tensor<64xi32>):
    %24 = "stablehlo.select"(%arg16, %arg17, %arg18) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%24) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<64xi1>, tensor<64xi32>, tensor<i32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_where_8", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<64xi1>, %arg14: tensor<64xi32>, %arg15: tensor<i32>):
    %21 = "stablehlo.convert"(%arg15) : (tensor<i32>) -> tensor<i32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %23 = "stablehlo.select"(%arg13, %arg14, %22) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%23) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "argsort_9", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<64xi32>):
    %18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xi32>
    %19:2 = "stablehlo.sort"(%arg8, %18) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg9: tensor<i32>, %arg10: tensor<i32>, %arg11: tensor<i32>, %arg12: tensor<i32>):
      %20 = "stablehlo.compare"(%arg9, %arg10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%20) : (tensor<i1>) -> ()
    }) : (tensor<64xi32>, tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>)
    "func.return"(%19#1) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, sym_name = "cumsum_10", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<2xi32>):
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %16 = "stablehlo.reduce_window"(%arg5, %15) <{base_dilations = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
      %17 = "stablehlo.add"(%arg6, %arg7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%17) : (tensor<i32>) -> ()
    }) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%16) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64x16xf32>) -> tensor<64x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<64x16xf32>):
    %5 = "stablehlo.negate"(%arg4) : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %6 = "stablehlo.exponential"(%5) : (tensor<64x16xf32>) -> tensor<64x16xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16xf32>
    %9 = "stablehlo.add"(%8, %6) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x16xf32>
    %12 = "stablehlo.divide"(%11, %9) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    %13 = "stablehlo.multiply"(%arg4, %12) : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
    "func.return"(%13) : (tensor<64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, res_attrs = [{}], sym_name = "cumsum_11", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x4xi32>):
    %4 = "func.call"(%arg3) <{callee = @cumsum_12}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
    "func.return"(%4) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, sym_name = "cumsum_12", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x4xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%3) : (tensor<i32>) -> ()
    }) : (tensor<4x4xi32>, tensor<i32>) -> tensor<4x4xi32>
    "func.return"(%2) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

