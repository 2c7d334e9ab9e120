// Loops of StableHLO that call functions, as JAX's random numbers are: each
// result varies with the operands that reach it, by way of the body, of what the
// body calls and of the condition.
// RUN: moe-opt %s -moe-print-replication -o /dev/null 2>&1 | FileCheck %s

moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]

func.func private @swap(%i: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>) {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %j, %b, %a : tensor<i32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @once_more(%i: tensor<i32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>) {
  %r:3 = call @swap(%i, %a, %b) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1, %r#2 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @by_device(%i: tensor<i32>, %a: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %d = "stablehlo.partition_id"() : () -> tensor<ui32>
  %e = "stablehlo.convert"(%d) : (tensor<ui32>) -> tensor<f32>
  %f = "stablehlo.broadcast_in_dim"(%e) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
  return %i, %f : tensor<i32>, tensor<4xf32>
}
func.func private @itself(%i: tensor<i32>, %a: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %r:2 = call @itself(%i, %a) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}
func.func private @elsewhere(%i: tensor<i32>, %a: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)

func.func @main(%n: tensor<i32> {moe.varying = []}, %k: tensor<i32> {moe.varying = ["tp"]},
                %a: tensor<4xf32> {moe.varying = []}, %b: tensor<4xf32> {moe.varying = ["ep"]}, %c: tensor<4xf32> {moe.varying = ["tp"]}) {
  // The two that change places go together; the third stays what it is.
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over [], ["ep"], ["ep"], ["tp"]{{$}}
  %0:4 = "stablehlo.while"(%n, %a, %b, %c) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>):
    %s = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %t = "stablehlo.compare"(%i, %s) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>):
    %r:3 = func.call @once_more(%i, %x, %y) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>)
    "stablehlo.return"(%r#0, %r#1, %r#2, %z) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)

  // How often the body runs differs along tp: so does all that it changes, and
  // all else might.
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["tp"], ["ep", "tp"], ["ep", "tp"]{{$}}
  %1:3 = "stablehlo.while"(%k, %a, %b) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>):
    %s = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %t = "stablehlo.compare"(%i, %s) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>):
    %r:3 = func.call @swap(%i, %x, %y) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>)
    "stablehlo.return"(%r#0, %r#1, %r#2) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>)

  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep", "tp"], ["ep", "tp"]{{$}}
  %by_device:2 = "stablehlo.while"(%n, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %s = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %t = "stablehlo.compare"(%i, %s) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %r:2 = func.call @by_device(%i, %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "stablehlo.return"(%r#0, %r#1) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep", "tp"], ["ep", "tp"]{{$}}
  %itself:2 = "stablehlo.while"(%n, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %s = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %t = "stablehlo.compare"(%i, %s) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %r:2 = func.call @itself(%i, %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "stablehlo.return"(%r#0, %r#1) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep", "tp"], ["ep", "tp"]{{$}}
  %elsewhere:2 = "stablehlo.while"(%n, %a) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %s = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %t = "stablehlo.compare"(%i, %s) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %r:2 = func.call @elsewhere(%i, %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "stablehlo.return"(%r#0, %r#1) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)

  // Constants may come from outside; what else does may differ.
  %limit = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over [], ["ep"]{{$}}
  %2:2 = "stablehlo.while"(%n, %b) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %t = "stablehlo.compare"(%i, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    "stablehlo.return"(%limit, %x) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep", "tp"], ["ep", "tp"]{{$}}
  %3:2 = "stablehlo.while"(%n, %b) ({
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    %t = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    "stablehlo.return"(%limit, %x) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)

  // A device's place on an axis, as JAX computes it, differs along that axis.
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
  %four = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep", "tp"]
  %device = "stablehlo.partition_id"() : () -> tensor<ui32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep"]
  %q = "stablehlo.divide"(%device, %four) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep"]
  %at_ep = "stablehlo.remainder"(%q, %two) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["tp"]
  %at_tp = "stablehlo.remainder"(%device, %four) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over []
  %none = "stablehlo.subtract"(%at_tp, %at_tp) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: remark: varies over ["ep", "tp"]
  %half = "stablehlo.divide"(%device, %two) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  return
}
