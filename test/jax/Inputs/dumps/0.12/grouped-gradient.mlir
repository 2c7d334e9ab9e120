"builtin.module"() <{sym_name = "jit_grouped_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=4, "tp"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "ep", size = 4 : i64}, {name = "tp", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {"tp"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {"tp"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}]>}], function_type = (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]['down']"}, {jax.result_info = "result[1][0]['gate']"}, {jax.result_info = "result[1][0]['up']"}, {jax.result_info = "result[1][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x32x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8x32xf32>, %arg14: tensor<64x8xf32>):
    %34:18 = "sdy.manual_computation"(%arg11, %arg12, %arg13, %arg14) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>}> ({
    ^bb0(%arg52: tensor<2x16x8xf32>, %arg53: tensor<8x8xf32>, %arg54: tensor<2x8x16xf32>, %arg55: tensor<16x8xf32>):
      %114 = "stablehlo.dot_general"(%arg55, %arg53) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %115 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %116 = "stablehlo.reduce"(%114, %115) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
        %180 = "stablehlo.maximum"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%180) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %117 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
      %119 = "stablehlo.maximum"(%118, %116) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64: 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>) -> tensor<16x1xf32>
      %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %122 = "stablehlo.subtract"(%114, %121) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %123 = "stablehlo.exponential"(%122) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %124 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %125 = "stablehlo.reduce"(%123, %124) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
        %179 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%179) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64: 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>) -> tensor<16x1xf32>
      %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %128 = "stablehlo.divide"(%123, %127) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %129 = "stablehlo.multiply"(%126, %126) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %130 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<f32>) -> tensor<16x1xf32>
      %132 = "stablehlo.divide"(%131, %129) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %133:2 = "chlo.top_k"(%128) <{is_stable = true, k = 2 : i64}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
      %134 = "stablehlo.reshape"(%133#1) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
      %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %136 = "stablehlo.reduce"(%133#0, %135) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg62: tensor<f32>, %arg63: tensor<f32>):
        %178 = "stablehlo.add"(%arg62, %arg63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%178) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64: 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>) -> tensor<16x1xf32>
      %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %139 = "stablehlo.divide"(%133#0, %138) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %140 = "stablehlo.multiply"(%137, %137) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %141 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<f32>) -> tensor<16x1xf32>
      %143 = "stablehlo.divide"(%142, %140) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      %144 = "func.call"(%133#1) <{callee = @_one_hot}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xi32>) -> tensor<16x2x8xi32>
      %145 = "stablehlo.reshape"(%144) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2x8xi32>) -> tensor<32x8xi32>
      %146 = "func.call"(%145) <{callee = @cumsum}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xi32>) -> tensor<32x8xi32>
      %147 = "stablehlo.subtract"(%146, %145) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %148 = "stablehlo.multiply"(%147, %145) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi32>
      %149 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %150 = "stablehlo.reduce"(%148, %149) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg60: tensor<i32>, %arg61: tensor<i32>):
        %177 = "stablehlo.add"(%arg60, %arg61) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%177) : (tensor<i32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xi32>, tensor<i32>) -> tensor<32xi32>
      %151 = "stablehlo.reshape"(%133#1) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xi32>) -> tensor<32xi32>
      %152 = "func.call"(%151) <{callee = @_one_hot_1}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32xi32>) -> tensor<32x8xf32>
      %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 1>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
      %154 = "func.call"(%150) <{callee = @_one_hot_1}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32xi32>) -> tensor<32x8xf32>
      %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64: 0, 2>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xf32>) -> tensor<32x1x8xf32>
      %156 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x8x1xf32>) -> tensor<32x8x8xf32>
      %157 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<32x1x8xf32>) -> tensor<32x8x8xf32>
      %158 = "stablehlo.multiply"(%156, %157) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8x8xf32>, tensor<32x8x8xf32>) -> tensor<32x8x8xf32>
      %159 = "stablehlo.reshape"(%158) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8x8xf32>) -> tensor<16x2x8x8xf32>
      %160 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %161 = "stablehlo.reduce"(%159, %160) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg58: tensor<f32>, %arg59: tensor<f32>):
        %176 = "stablehlo.add"(%arg58, %arg59) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%176) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2x8x8xf32>, tensor<f32>) -> tensor<16x8x8xf32>
      %162 = "stablehlo.dot_general"(%161, %arg55) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %163 = "stablehlo.reshape"(%162) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %164 = "stablehlo.all_to_all"(%163) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %165 = "stablehlo.dot_general"(%arg54, %164) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x8x16xf32>, tensor<4x2x8x8xf32>) -> tensor<2x16x4x8xf32>
      %166 = "stablehlo.transpose"(%165) <{permutation = array<i64: 2, 0, 3, 1>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x16x4x8xf32>) -> tensor<4x2x8x16xf32>
      %167:3 = "func.call"(%166) <{callee = @silu}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>) -> (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>)
      %168 = "stablehlo.dot_general"(%arg52, %167#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x16x8xf32>, tensor<4x2x8x16xf32>) -> tensor<2x8x4x8xf32>
      %169 = "stablehlo.transpose"(%168) <{permutation = array<i64: 2, 0, 3, 1>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x8x4x8xf32>) -> tensor<4x2x8x8xf32>
      %170 = "stablehlo.all_reduce"(%169) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
      ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
        %175 = "stablehlo.add"(%arg56, %arg57) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%175) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %171 = "stablehlo.all_to_all"(%170) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %172 = "stablehlo.reshape"(%171) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %173 = "stablehlo.dot_general"(%159, %139) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2x8x8xf32>, tensor<16x2xf32>) -> tensor<16x8x8xf32>
      %174 = "stablehlo.dot_general"(%173, %172) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%174, %arg53, %123, %126, %132, %134, %137, %133#0, %143, %161, %164, %167#1, %167#2, %166, %167#0, %159, %172, %173) : (tensor<16x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x2x1xi32>, tensor<16x1xf32>, tensor<16x2xf32>, tensor<16x1xf32>, tensor<16x8x8xf32>, tensor<4x2x8x8xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<16x2x8x8xf32>, tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> ()
    }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<32x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<64x8x8xf32>, tensor<32x2x8x8xf32>, tensor<32x2x8x16xf32>, tensor<32x2x8x16xf32>, tensor<32x2x8x16xf32>, tensor<32x2x8x16xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>)
    %35 = "stablehlo.multiply"(%34#0, %34#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %38 = "stablehlo.multiply"(%37, %34#0) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %39 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%35, %39) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %113 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%113) : (tensor<f32>) -> ()
    }) : (tensor<64x8xf32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.divide"(%40, %41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.divide"(%43, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x8xf32>
    %47 = "stablehlo.multiply"(%46, %38) : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    %48:4 = "sdy.manual_computation"(%47, %34#1, %arg14, %34#2, %34#3, %34#4, %34#5, %34#6, %34#7, %34#8, %34#9, %34#10, %arg13, %34#11, %34#12, %34#13, %34#14, %arg11, %34#15, %34#16, %34#17) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep", "tp"}, {}, {}, {}]>, <@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{"ep"}, {}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>, <@mesh, [{"ep"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"ep", "tp"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {"tp"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"ep"}, {}, {"tp"}]>, <@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%arg15: tensor<16x8xf32>, %arg16: tensor<8x8xf32>, %arg17: tensor<16x8xf32>, %arg18: tensor<16x8xf32>, %arg19: tensor<16x1xf32>, %arg20: tensor<16x1xf32>, %arg21: tensor<16x2x1xi32>, %arg22: tensor<16x1xf32>, %arg23: tensor<16x2xf32>, %arg24: tensor<16x1xf32>, %arg25: tensor<16x8x8xf32>, %arg26: tensor<4x2x8x8xf32>, %arg27: tensor<2x8x16xf32>, %arg28: tensor<4x2x8x16xf32>, %arg29: tensor<4x2x8x16xf32>, %arg30: tensor<4x2x8x16xf32>, %arg31: tensor<4x2x8x16xf32>, %arg32: tensor<2x16x8xf32>, %arg33: tensor<16x2x8x8xf32>, %arg34: tensor<8x8x8xf32>, %arg35: tensor<16x8x8xf32>):
      %49 = "stablehlo.dot_general"(%arg15, %arg35) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8x8xf32>) -> tensor<8x8x8xf32>
      %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 1, 2, 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
      %51 = "stablehlo.dot_general"(%arg15, %arg34) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8x8xf32>
      %52 = "stablehlo.dot_general"(%51, %arg33) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8x8xf32>, tensor<16x2x8x8xf32>) -> tensor<16x2xf32>
      %53 = "stablehlo.reshape"(%50) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x8x8xf32>) -> tensor<4x2x8x8xf32>
      %54 = "stablehlo.all_to_all"(%53) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 1, 3, 0, 2>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<2x8x4x8xf32>
      %56 = "stablehlo.dot_general"(%55, %arg32) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x8x4x8xf32>, tensor<2x16x8xf32>) -> tensor<2x4x8x16xf32>
      %57 = "stablehlo.transpose"(%56) <{permutation = array<i64: 1, 0, 2, 3>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x4x8x16xf32>) -> tensor<4x2x8x16xf32>
      %58 = "stablehlo.dot_general"(%55, %arg31) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x8x4x8xf32>, tensor<4x2x8x16xf32>) -> tensor<2x8x16xf32>
      %59 = "stablehlo.transpose"(%58) <{permutation = array<i64: 0, 2, 1>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x8x16xf32>) -> tensor<2x16x8xf32>
      %60 = "func.call"(%arg28, %arg29, %arg30, %57) <{callee = @silu_2}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
      %61 = "stablehlo.transpose"(%60) <{permutation = array<i64: 1, 3, 0, 2>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>) -> tensor<2x16x4x8xf32>
      %62 = "stablehlo.dot_general"(%61, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x16x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x8x8xf32>
      %63 = "stablehlo.transpose"(%62) <{permutation = array<i64: 1, 0, 2, 3>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x4x8x8xf32>) -> tensor<4x2x8x8xf32>
      %64 = "stablehlo.dot_general"(%61, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x16x4x8xf32>, tensor<4x2x8x8xf32>) -> tensor<2x16x8xf32>
      %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 0, 2, 1>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<2x16x8xf32>) -> tensor<2x8x16xf32>
      %66 = "stablehlo.all_reduce"(%63) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "tp">]>, use_global_device_ids}> ({
      ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
        %112 = "stablehlo.add"(%arg48, %arg49) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%112) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %67 = "stablehlo.all_to_all"(%66) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, split_count = 4 : i64, split_dimension = 0 : i64}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %68 = "stablehlo.reshape"(%67) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x8xf32>) -> tensor<8x8x8xf32>
      %69 = "stablehlo.dot_general"(%68, %arg25) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x8x8xf32>, tensor<16x8x8xf32>) -> tensor<8x16xf32>
      %70 = "stablehlo.transpose"(%69) <{permutation = array<i64: 1, 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x16xf32>) -> tensor<16x8xf32>
      %71 = "stablehlo.broadcast_in_dim"(%arg24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %72 = "stablehlo.multiply"(%52, %71) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %73 = "stablehlo.multiply"(%72, %arg23) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %74 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %75 = "stablehlo.reduce"(%73, %74) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
        %111 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%111) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
      %76 = "stablehlo.reshape"(%75) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>) -> tensor<16x1xf32>
      %77 = "stablehlo.negate"(%76) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %78 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
      %79 = "stablehlo.divide"(%52, %78) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %80 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %81 = "stablehlo.reduce"(%77, %80) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
        %110 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%110) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>) -> tensor<16x2xf32>
      %83 = "stablehlo.add"(%79, %82) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
      %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<f32>) -> tensor<16x8xf32>
      %86 = "stablehlo.scatter"(%85, %arg21, %83) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
        %109 = "stablehlo.add"(%arg42, %arg43) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%109) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x2x1xi32>, tensor<16x2xf32>) -> tensor<16x8xf32>
      %87 = "stablehlo.broadcast_in_dim"(%arg20) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %88 = "stablehlo.multiply"(%86, %87) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %89 = "stablehlo.multiply"(%88, %arg18) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %91 = "stablehlo.reduce"(%89, %90) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
        %108 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%108) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %92 = "stablehlo.reshape"(%91) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>) -> tensor<16x1xf32>
      %93 = "stablehlo.negate"(%92) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>) -> tensor<16x1xf32>
      %94 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %95 = "stablehlo.divide"(%86, %94) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %96 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %97 = "stablehlo.reduce"(%93, %96) <{dimensions = array<i64: 1>}> ({
      ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
        %107 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%107) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64: 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16xf32>) -> tensor<16x8xf32>
      %99 = "stablehlo.add"(%95, %98) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %100 = "stablehlo.multiply"(%99, %arg18) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %101 = "stablehlo.dot_general"(%100, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %102 = "stablehlo.transpose"(%101) <{permutation = array<i64: 1, 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %103 = "stablehlo.dot_general"(%100, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %104 = "stablehlo.all_reduce"(%102) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "ep">]>, use_global_device_ids}> ({
      ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
        %106 = "stablehlo.add"(%arg36, %arg37) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%106) : (tensor<f32>) -> ()
      }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
      %105 = "stablehlo.add"(%70, %103) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      "sdy.return"(%59, %104, %65, %105) : (tensor<2x16x8xf32>, tensor<8x8xf32>, tensor<2x8x16xf32>, tensor<16x8xf32>) -> ()
    }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<64x8xf32>, tensor<32x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x2x1xi32>, tensor<64x1xf32>, tensor<64x2xf32>, tensor<64x1xf32>, tensor<64x8x8xf32>, tensor<32x2x8x8xf32>, tensor<8x8x32xf32>, tensor<32x2x8x16xf32>, tensor<32x2x8x16xf32>, tensor<32x2x8x16xf32>, tensor<32x2x8x16xf32>, tensor<8x32x8xf32>, tensor<64x2x8x8xf32>, tensor<32x8x8xf32>, tensor<64x8x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>)
    "func.return"(%42, %48#0, %48#1, %48#2, %48#3) : (tensor<f32>, tensor<8x32x8xf32>, tensor<8x8xf32>, tensor<8x8x32xf32>, tensor<64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x2xi32>) -> tensor<16x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<16x2xi32>):
    %28 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0, 1>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %29 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : () -> tensor<1x1x8xi32>
    %30 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xi32>) -> tensor<16x2x8xi32>
    %31 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x2x8xi32>
    %32 = "stablehlo.compare"(%30, %31) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2x8xi32>, tensor<16x2x8xi32>) -> tensor<16x2x8xi1>
    %33 = "stablehlo.convert"(%32) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<16x2x8xi1>) -> tensor<16x2x8xi32>
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
    }) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xi32>, tensor<i32>) -> tensor<32x8xi32>
    "func.return"(%25) : (tensor<32x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32x8xf32>, res_attrs = [{}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<32xi32>):
    %17 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32xi32>) -> tensor<32x1xi32>
    %18 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : () -> tensor<1x8xi32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x8xi32>
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<32x8xi32>
    %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
    %22 = "stablehlo.convert"(%21) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<32x8xi1>) -> tensor<32x8xf32>
    "func.return"(%22) : (tensor<32x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x2x8x16xf32>) -> (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>), res_attrs = [{}, {}, {}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x2x8x16xf32>):
    %4 = "stablehlo.negate"(%arg4) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %5 = "stablehlo.exponential"(%4) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %8 = "stablehlo.add"(%7, %5) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %11 = "stablehlo.divide"(%10, %8) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x8x16xf32>
    %14 = "stablehlo.subtract"(%13, %11) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %15 = "stablehlo.multiply"(%11, %14) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %16 = "stablehlo.multiply"(%arg4, %11) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    "func.return"(%16, %15, %11) : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>, res_attrs = [{}], sym_name = "silu_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x2x8x16xf32>, %arg1: tensor<4x2x8x16xf32>, %arg2: tensor<4x2x8x16xf32>, %arg3: tensor<4x2x8x16xf32>):
    %0 = "stablehlo.multiply"(%arg2, %arg3) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %1 = "stablehlo.multiply"(%arg3, %arg1) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %2 = "stablehlo.multiply"(%0, %arg0) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    %3 = "stablehlo.add"(%1, %2) {mhlo.frontend_attributes = {moe_layer = "L7"}} : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>) -> tensor<4x2x8x16xf32>
    "func.return"(%3) : (tensor<4x2x8x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

