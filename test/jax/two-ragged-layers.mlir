// Two dropless layers with the same constant sizes and a residual between them are two
// layers: the second one exchanges what the first one sent back.
// RUN: moe-opt %s --convert-stablehlo-to-moe=layers=true | FileCheck %s
// CHECK: moe.layer "0" phase "fwd"
// CHECK-COUNT-2: moe.ragged_all_to_all
// CHECK: stablehlo.add
// CHECK: moe.layer "1" phase "fwd"
// CHECK-COUNT-2: moe.ragged_all_to_all
// CHECK-NOT: moe.ragged_all_to_all

"builtin.module"() <{sym_name = "small"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["ep"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{function_type = (tensor<16x4xf32>) -> tensor<16x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<16x4xf32>):
    %0 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>, manual_axes = #sdy<manual_axes{"ep"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"ep"}, {}]>]>}> ({
    ^bb0(%x: tensor<8x4xf32>):
      %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<8x4xf32>}> : () -> tensor<8x4xf32>
      %o1 = "stablehlo.constant"() <{value = dense<[0, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
      %s1 = "stablehlo.constant"() <{value = dense<4> : tensor<2xi32>}> : () -> tensor<2xi32>
      %a1 = "stablehlo.custom_call"(%x, %z, %o1, %s1, %o1, %s1) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x4xf32>
      %m1 = "stablehlo.multiply"(%a1, %a1) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      %b1 = "stablehlo.custom_call"(%m1, %z, %o1, %s1, %o1, %s1) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x4xf32>
      %e = "stablehlo.add"(%b1, %x) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      %o2 = "stablehlo.constant"() <{value = dense<[0, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
      %s2 = "stablehlo.constant"() <{value = dense<4> : tensor<2xi32>}> : () -> tensor<2xi32>
      %a2 = "stablehlo.custom_call"(%e, %z, %o2, %s2, %o2, %s2) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x4xf32>
      %m2 = "stablehlo.multiply"(%a2, %a2) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
      %b2 = "stablehlo.custom_call"(%m2, %z, %o2, %s2, %o2, %s2) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x4xf32>
      "sdy.return"(%b2) : (tensor<8x4xf32>) -> ()
    }) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    "func.return"(%0) : (tensor<16x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
