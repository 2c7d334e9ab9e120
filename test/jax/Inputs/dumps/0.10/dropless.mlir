"builtin.module"() <{sym_name = "jit_dropless"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg52: tensor<8x32x8xf32>, %arg53: tensor<8x8xf32>, %arg54: tensor<8x8x32xf32>, %arg55: tensor<64x8xf32>):
    %95 = "sdy.manual_computation"(%arg52, %arg53, %arg54, %arg55) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg56: tensor<2x16x8xf32>, %arg57: tensor<8x8xf32>, %arg58: tensor<2x8x16xf32>, %arg59: tensor<16x8xf32>):
      %96 = "stablehlo.dot_general"(%arg59, %arg57) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %97 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %98 = "stablehlo.reduce"(%96, %97) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg82: tensor<f32>, %arg83: tensor<f32>):
        %387 = "stablehlo.maximum"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%387) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %99 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %101 = "stablehlo.maximum"(%100, %98) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %104 = "stablehlo.subtract"(%96, %103) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %105 = "stablehlo.exponential"(%104) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %107 = "stablehlo.reduce"(%105, %106) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg80: tensor<f32>, %arg81: tensor<f32>):
        %386 = "stablehlo.add"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%386) : (tensor<f32>) -> ()
      }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %110 = "stablehlo.divide"(%105, %109) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %111:2 = "chlo.top_k"(%110) <{k = 2 : i64}> : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %112 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %113 = "stablehlo.reduce"(%111#0, %112) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
        %385 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%385) : (tensor<f32>) -> ()
      }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
      %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %116 = "stablehlo.divide"(%111#0, %115) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %117 = "stablehlo.reshape"(%111#1) : (tensor<16x2xi32>) -> tensor<32xi32>
      %118 = "func.call"(%117) <{callee = @argsort}> : (tensor<32xi32>) -> tensor<32xi32>
      %119 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %120 = "func.call"(%118, %119) <{callee = @floor_divide}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %121 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %122 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %123 = "stablehlo.compare"(%120, %122) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %124 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
      %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %126 = "stablehlo.add"(%120, %125) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %127 = "stablehlo.select"(%123, %126, %120) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %129 = "stablehlo.gather"(%arg59, %128) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<32x1xi32>) -> tensor<32x8xf32>
      %130 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %132 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %133 = "func.call"(%117, %132) <{callee = @clip}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
      %134 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %136 = "stablehlo.compare"(%133, %135) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %137 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %139 = "stablehlo.add"(%133, %138) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %140 = "stablehlo.select"(%136, %139, %133) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %142 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %144 = "stablehlo.scatter"(%131, %141, %143) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg76: tensor<i32>, %arg77: tensor<i32>):
        %384 = "stablehlo.add"(%arg76, %arg77) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%384) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<8xi32>
      %145 = "stablehlo.reshape"(%144) : (tensor<8xi32>) -> tensor<4x2xi32>
      %146 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %147 = "stablehlo.reduce"(%145, %146) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg74: tensor<i32>, %arg75: tensor<i32>):
        %383 = "stablehlo.add"(%arg74, %arg75) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%383) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4xi32>
      %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
      %149 = "stablehlo.all_gather"(%148) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<1x4xi32>) -> tensor<4x4xi32>
      %150 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1x8xi32>
      %151 = "stablehlo.all_gather"(%150) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<1x8xi32>) -> tensor<4x8xi32>
      %152 = "stablehlo.reshape"(%151) : (tensor<4x8xi32>) -> tensor<4x4x2xi32>
      %153 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %154 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
      %155 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %156 = "stablehlo.divide"(%155, %153) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %157 = "stablehlo.remainder"(%156, %154) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %158 = "stablehlo.convert"(%157) : (tensor<ui32>) -> tensor<i32>
      %159 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %160 = "stablehlo.broadcast_in_dim"(%159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %161 = "func.call"(%147) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %162 = "stablehlo.subtract"(%161, %147) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %163 = "func.call"(%149) <{callee = @cumsum_1}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %164 = "stablehlo.subtract"(%163, %149) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %165 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %166 = "stablehlo.compare"(%158, %165) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %167 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %168 = "stablehlo.add"(%158, %167) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %169 = "stablehlo.select"(%166, %168, %158) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %170 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %171 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %172 = "stablehlo.compare"(%170, %171) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %173 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %174 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %175 = "stablehlo.add"(%173, %174) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %176 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %177 = "stablehlo.select"(%172, %175, %176) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %178 = "stablehlo.dynamic_slice"(%164, %169, %177) <{slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<1x4xi32>
      %179 = "stablehlo.reshape"(%178) : (tensor<1x4xi32>) -> tensor<4xi32>
      %180 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %181 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %182 = "stablehlo.compare"(%180, %181) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %183 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %184 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %185 = "stablehlo.add"(%183, %184) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %186 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %187 = "stablehlo.select"(%182, %185, %186) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %188 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %189 = "stablehlo.compare"(%158, %188) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %190 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %191 = "stablehlo.add"(%158, %190) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %192 = "stablehlo.select"(%189, %191, %158) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %193 = "stablehlo.dynamic_slice"(%149, %187, %192) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %194 = "stablehlo.reshape"(%193) : (tensor<4x1xi32>) -> tensor<4xi32>
      %195 = "stablehlo.custom_call"(%129, %160, %162, %147, %179, %194) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<32x8xf32>, tensor<64x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<64x8xf32>
      %196 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %197 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %198 = "stablehlo.compare"(%196, %197) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %199 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %200 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %201 = "stablehlo.add"(%199, %200) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %202 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %203 = "stablehlo.select"(%198, %201, %202) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %204 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %205 = "stablehlo.compare"(%158, %204) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %206 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %207 = "stablehlo.add"(%158, %206) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %208 = "stablehlo.select"(%205, %207, %158) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %209 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %210 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %211 = "stablehlo.compare"(%209, %210) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %212 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %213 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %214 = "stablehlo.add"(%212, %213) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %215 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %216 = "stablehlo.select"(%211, %214, %215) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %217 = "stablehlo.dynamic_slice"(%152, %203, %208, %216) <{slice_sizes = array<i64: 4, 1, 2>}> : (tensor<4x4x2xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x2xi32>
      %218 = "stablehlo.reshape"(%217) : (tensor<4x1x2xi32>) -> tensor<4x2xi32>
      %219 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
      %220 = "stablehlo.reshape"(%219) : (tensor<2xi32>) -> tensor<1x2xi32>
      %221 = "stablehlo.broadcast_in_dim"(%220) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xi32>) -> tensor<4x2xi32>
      %222 = "stablehlo.reshape"(%221) : (tensor<4x2xi32>) -> tensor<8xi32>
      %223 = "stablehlo.reshape"(%218) : (tensor<4x2xi32>) -> tensor<8xi32>
      %224 = "func.call"(%223) <{callee = @_roll_static}> : (tensor<8xi32>) -> tensor<8xi32>
      %225 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
      %227 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %228 = "stablehlo.scatter"(%224, %226, %227) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg72: tensor<i32>, %arg73: tensor<i32>):
        "stablehlo.return"(%arg73) : (tensor<i32>) -> ()
      }) : (tensor<8xi32>, tensor<1xi32>, tensor<i32>) -> tensor<8xi32>
      %229 = "func.call"(%228) <{callee = @cumsum_3}> : (tensor<8xi32>) -> tensor<8xi32>
      %230 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %231 = "stablehlo.broadcast_in_dim"(%230) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %232 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %233 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %234 = "stablehlo.compare"(%229, %233) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
      %235 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %236 = "stablehlo.broadcast_in_dim"(%235) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %237 = "stablehlo.add"(%229, %236) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %238 = "stablehlo.select"(%234, %237, %229) : (tensor<8xi1>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
      %239 = "stablehlo.broadcast_in_dim"(%238) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
      %240 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %241 = "stablehlo.broadcast_in_dim"(%240) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8xi32>
      %242 = "stablehlo.scatter"(%231, %239, %241) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg70: tensor<i32>, %arg71: tensor<i32>):
        %382 = "stablehlo.add"(%arg70, %arg71) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%382) : (tensor<i32>) -> ()
      }) : (tensor<64xi32>, tensor<8x1xi32>, tensor<8xi32>) -> tensor<64xi32>
      %243 = "func.call"(%242) <{callee = @cumsum_5}> : (tensor<64xi32>) -> tensor<64xi32>
      %244 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %245 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %246 = "stablehlo.subtract"(%243, %245) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %247 = "func.call"(%222, %246) <{callee = @_take}> : (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>
      %248 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<64xi32>
      %249 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %250 = "stablehlo.reduce"(%218, %249) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg68: tensor<i32>, %arg69: tensor<i32>):
        %381 = "stablehlo.add"(%arg68, %arg69) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%381) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<i32>
      %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %252 = "stablehlo.compare"(%248, %251) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %253 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %254 = "func.call"(%252, %247, %253) <{callee = @_where_8}> : (tensor<64xi1>, tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
      %255 = "func.call"(%254) <{callee = @argsort_9}> : (tensor<64xi32>) -> tensor<64xi32>
      %256 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %257 = "stablehlo.reduce"(%218, %256) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg66: tensor<i32>, %arg67: tensor<i32>):
        %380 = "stablehlo.add"(%arg66, %arg67) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%380) : (tensor<i32>) -> ()
      }) : (tensor<4x2xi32>, tensor<i32>) -> tensor<2xi32>
      %258 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %259 = "stablehlo.broadcast_in_dim"(%258) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %260 = "stablehlo.compare"(%255, %259) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %261 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %262 = "stablehlo.broadcast_in_dim"(%261) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %263 = "stablehlo.add"(%255, %262) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %264 = "stablehlo.select"(%260, %263, %255) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %265 = "stablehlo.broadcast_in_dim"(%264) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %266 = "stablehlo.gather"(%195, %265) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<64x1xi32>) -> tensor<64x8xf32>
      %267 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x8xf32>) -> tensor<2x64x8xf32>
      %268 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x8xi32>
      %269 = "func.call"(%257) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %270 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %271 = "stablehlo.broadcast_in_dim"(%270) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %272 = "stablehlo.slice"(%271) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %273 = "stablehlo.slice"(%269) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %274 = "stablehlo.concatenate"(%272, %273) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %275 = "stablehlo.broadcast_in_dim"(%269) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %276 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x8xi32>
      %277 = "stablehlo.compare"(%276, %268) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %278 = "stablehlo.compare"(%268, %275) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi1>
      %279 = "stablehlo.and"(%277, %278) : (tensor<2x64x8xi1>, tensor<2x64x8xi1>) -> tensor<2x64x8xi1>
      %280 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %281 = "stablehlo.broadcast_in_dim"(%280) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8xf32>
      %282 = "stablehlo.select"(%279, %267, %281) : (tensor<2x64x8xi1>, tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
      %283 = "stablehlo.dot_general"(%282, %arg58) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x8x16xf32>) -> tensor<64x16xf32>
      %284 = "func.call"(%283) <{callee = @silu}> : (tensor<64x16xf32>) -> tensor<64x16xf32>
      %285 = "stablehlo.broadcast_in_dim"(%284) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<2x64x16xf32>
      %286 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x64x16xi32>
      %287 = "func.call"(%257) <{callee = @cumsum_10}> : (tensor<2xi32>) -> tensor<2xi32>
      %288 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
      %290 = "stablehlo.slice"(%289) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %291 = "stablehlo.slice"(%287) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<1xi32>
      %292 = "stablehlo.concatenate"(%290, %291) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %293 = "stablehlo.broadcast_in_dim"(%287) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %294 = "stablehlo.broadcast_in_dim"(%292) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x64x16xi32>
      %295 = "stablehlo.compare"(%294, %286) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %296 = "stablehlo.compare"(%286, %293) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64x16xi32>, tensor<2x64x16xi32>) -> tensor<2x64x16xi1>
      %297 = "stablehlo.and"(%295, %296) : (tensor<2x64x16xi1>, tensor<2x64x16xi1>) -> tensor<2x64x16xi1>
      %298 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x16xf32>
      %300 = "stablehlo.select"(%297, %285, %299) : (tensor<2x64x16xi1>, tensor<2x64x16xf32>, tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
      %301 = "stablehlo.dot_general"(%300, %arg56) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<2x16x8xf32>) -> tensor<64x8xf32>
      %302 = "stablehlo.all_reduce"(%301) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
        %379 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%379) : (tensor<f32>) -> ()
      }) : (tensor<64x8xf32>) -> tensor<64x8xf32>
      %303 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
      %305 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %306 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %307 = "stablehlo.compare"(%255, %306) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
      %308 = "stablehlo.constant"() <{value = dense<64> : tensor<i32>}> : () -> tensor<i32>
      %309 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
      %310 = "stablehlo.add"(%255, %309) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %311 = "stablehlo.select"(%307, %310, %255) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
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
      %325 = "stablehlo.compare"(%158, %324) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %326 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %327 = "stablehlo.add"(%158, %326) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %328 = "stablehlo.select"(%325, %327, %158) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %329 = "stablehlo.dynamic_slice"(%149, %323, %328) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %330 = "stablehlo.reshape"(%329) : (tensor<4x1xi32>) -> tensor<4xi32>
      %331 = "func.call"(%330) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32>
      %332 = "stablehlo.subtract"(%331, %330) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
      %333 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %334 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %335 = "stablehlo.compare"(%333, %334) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %336 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %337 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %338 = "stablehlo.add"(%336, %337) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %339 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %340 = "stablehlo.select"(%335, %338, %339) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %341 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %342 = "stablehlo.compare"(%158, %341) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %343 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %344 = "stablehlo.add"(%158, %343) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %345 = "stablehlo.select"(%342, %344, %158) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %346 = "stablehlo.dynamic_slice"(%149, %340, %345) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %347 = "stablehlo.reshape"(%346) : (tensor<4x1xi32>) -> tensor<4xi32>
      %348 = "func.call"(%149) <{callee = @cumsum_11}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
      %349 = "stablehlo.subtract"(%348, %149) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
      %350 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %351 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %352 = "stablehlo.compare"(%350, %351) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %353 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %354 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %355 = "stablehlo.add"(%353, %354) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %356 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %357 = "stablehlo.select"(%352, %355, %356) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %358 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %359 = "stablehlo.compare"(%158, %358) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %360 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %361 = "stablehlo.add"(%158, %360) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %362 = "stablehlo.select"(%359, %361, %158) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %363 = "stablehlo.dynamic_slice"(%349, %357, %362) <{slice_sizes = array<i64: 4, 1>}> : (tensor<4x4xi32>, tensor<i32>, tensor<i32>) -> tensor<4x1xi32>
      %364 = "stablehlo.reshape"(%363) : (tensor<4x1xi32>) -> tensor<4xi32>
      %365 = "stablehlo.custom_call"(%313, %315, %332, %347, %364, %147) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<64x8xf32>, tensor<32x8xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<32x8xf32>
      %366 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %367 = "stablehlo.broadcast_in_dim"(%366) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x8xf32>
      %368 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %369 = "stablehlo.broadcast_in_dim"(%368) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %370 = "stablehlo.compare"(%118, %369) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
      %371 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
      %372 = "stablehlo.broadcast_in_dim"(%371) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
      %373 = "stablehlo.add"(%118, %372) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %374 = "stablehlo.select"(%370, %373, %118) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
      %375 = "stablehlo.broadcast_in_dim"(%374) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
      %376 = "stablehlo.scatter"(%367, %375, %365) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
        "stablehlo.return"(%arg61) : (tensor<f32>) -> ()
      }) : (tensor<32x8xf32>, tensor<32x1xi32>, tensor<32x8xf32>) -> tensor<32x8xf32>
      %377 = "stablehlo.reshape"(%376) : (tensor<32x8xf32>) -> tensor<16x2x8xf32>
      %378 = "stablehlo.dot_general"(%377, %116) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x8xf32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      "sdy.return"(%378) : (tensor<16x8xf32>) -> ()
    }) : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    "func.return"(%95) : (tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg47: tensor<32xi32>):
    %92 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %93:2 = "stablehlo.sort"(%arg47, %92) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg48: tensor<i32>, %arg49: tensor<i32>, %arg50: tensor<i32>, %arg51: tensor<i32>):
      %94 = "stablehlo.compare"(%arg48, %arg49) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%94) : (tensor<i1>) -> ()
    }) : (tensor<32xi32>, tensor<32xi32>) -> (tensor<32xi32>, tensor<32xi32>)
    "func.return"(%93#1) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg45: tensor<32xi32>, %arg46: tensor<i32>):
    %75 = "stablehlo.convert"(%arg46) : (tensor<i32>) -> tensor<i32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %77 = "stablehlo.divide"(%arg45, %76) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %78 = "stablehlo.sign"(%arg45) : (tensor<32xi32>) -> tensor<32xi32>
    %79 = "stablehlo.sign"(%75) : (tensor<i32>) -> tensor<i32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %81 = "stablehlo.compare"(%78, %80) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %82 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %83 = "stablehlo.remainder"(%arg45, %82) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %84 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %86 = "stablehlo.compare"(%83, %85) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %87 = "stablehlo.and"(%81, %86) : (tensor<32xi1>, tensor<32xi1>) -> tensor<32xi1>
    %88 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %90 = "stablehlo.subtract"(%77, %89) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %91 = "func.call"(%87, %90, %77) <{callee = @_where}> : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%91) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg42: tensor<32xi1>, %arg43: tensor<32xi32>, %arg44: tensor<32xi32>):
    %74 = "stablehlo.select"(%arg42, %arg43, %arg44) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%74) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<32xi32>, %arg41: tensor<i32>):
    %71 = "stablehlo.convert"(%arg41) : (tensor<i32>) -> tensor<i32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %73 = "stablehlo.maximum"(%72, %arg40) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%73) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xi32>) -> tensor<4xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg39: tensor<4xi32>):
    %70 = "func.call"(%arg39) <{callee = @cumsum_0}> : (tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%70) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>) -> tensor<4xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<4xi32>):
    %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %68 = "stablehlo.reduce_window"(%arg36, %67) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg37: tensor<i32>, %arg38: tensor<i32>):
      %69 = "stablehlo.add"(%arg37, %arg38) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%69) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    "func.return"(%68) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, res_attrs = [{}], sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<4x4xi32>):
    %65 = "func.call"(%arg35) <{callee = @cumsum_2}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
    "func.return"(%65) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xi32>) -> tensor<4x4xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<4x4xi32>):
    %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %63 = "stablehlo.reduce_window"(%arg32, %62) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg33: tensor<i32>, %arg34: tensor<i32>):
      %64 = "stablehlo.add"(%arg33, %arg34) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%64) : (tensor<i32>) -> ()
    }) : (tensor<4x4xi32>, tensor<i32>) -> tensor<4x4xi32>
    "func.return"(%63) : (tensor<4x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "_roll_static", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<8xi32>):
    %58 = "stablehlo.slice"(%arg31) <{limit_indices = array<i64: 8>, start_indices = array<i64: 7>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1xi32>
    %59 = "stablehlo.slice"(%arg31) <{limit_indices = array<i64: 7>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<8xi32>) -> tensor<7xi32>
    %60 = "stablehlo.concatenate"(%58, %59) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<7xi32>) -> tensor<8xi32>
    "func.return"(%60) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xi32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "cumsum_3", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<8xi32>):
    %57 = "func.call"(%arg30) <{callee = @cumsum_4}> : (tensor<8xi32>) -> tensor<8xi32>
    "func.return"(%57) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8xi32>) -> tensor<8xi32>, sym_name = "cumsum_4", sym_visibility = "private"}> ({
  ^bb0(%arg27: tensor<8xi32>):
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %55 = "stablehlo.reduce_window"(%arg27, %54) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg28: tensor<i32>, %arg29: tensor<i32>):
      %56 = "stablehlo.add"(%arg28, %arg29) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%56) : (tensor<i32>) -> ()
    }) : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    "func.return"(%55) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "cumsum_5", sym_visibility = "private"}> ({
  ^bb0(%arg26: tensor<64xi32>):
    %52 = "func.call"(%arg26) <{callee = @cumsum_6}> : (tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%52) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<64xi32>) -> tensor<64xi32>, sym_name = "cumsum_6", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<64xi32>):
    %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %50 = "stablehlo.reduce_window"(%arg23, %49) <{base_dilations = array<i64: 1>, padding = dense<[[63, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 64>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg24: tensor<i32>, %arg25: tensor<i32>):
      %51 = "stablehlo.add"(%arg24, %arg25) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%51) : (tensor<i32>) -> ()
    }) : (tensor<64xi32>, tensor<i32>) -> tensor<64xi32>
    "func.return"(%50) : (tensor<64xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xi32>, tensor<64xi32>) -> tensor<64xi32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<8xi32>, %arg20: tensor<64xi32>):
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %27 = "stablehlo.compare"(%arg20, %26) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %28 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %30 = "stablehlo.add"(%arg20, %29) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %31 = "func.call"(%27, %30, %arg20) <{callee = @_where_7}> : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %33 = "stablehlo.constant"() <{value = dense<7> : tensor<1xi32>}> : () -> tensor<1xi32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64x1xi32>
    %36 = "stablehlo.compare"(%32, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %37 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<64x1xi32>
    %39 = "stablehlo.compare"(%32, %38) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %40 = "stablehlo.and"(%36, %39) : (tensor<64x1xi1>, tensor<64x1xi1>) -> tensor<64x1xi1>
    %41 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %42 = "stablehlo.reduce"(%40, %41) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg21: tensor<i1>, %arg22: tensor<i1>):
      %47 = "stablehlo.and"(%arg21, %arg22) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%47) : (tensor<i1>) -> ()
    }) : (tensor<64x1xi1>, tensor<i1>) -> tensor<64xi1>
    %43 = "stablehlo.gather"(%arg19, %32) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<8xi32>, tensor<64x1xi32>) -> tensor<64xi32>
    %44 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<64xi32>
    %46 = "stablehlo.select"(%42, %43, %45) : (tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    "func.return"(%46) : (tensor<64xi32>) -> ()
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

