// A loop of StableHLO is a function of what it carries: each result of the operands
// that reach it, of the constants from outside and of what the body calls.
// RUN: moe-opt %s --moe-decompose-all-to-all -o %t.mlir
// RUN: FileCheck %s --check-prefix=ONCE < %t.mlir
// RUN: moe-run %t.mlir --symbolic --against=%s | FileCheck %s --check-prefix=EQUAL
// Another constant, another attribute, and another function of the same name are
// another loop.
// RUN: sed 's/dense<5>/dense<6>/' %s > %t.constant.mlir
// RUN: not moe-run %t.constant.mlir --symbolic --against=%s | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/comparison_direction LT/comparison_direction LE/' %s > %t.attribute.mlir
// RUN: not moe-run %t.attribute.mlir --symbolic --against=%s | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/stablehlo.multiply/stablehlo.add/' %s > %t.body.mlir
// RUN: not moe-run %t.body.mlir --symbolic --against=%s | FileCheck %s --check-prefix=OTHER

// ONCE: moe.drop {{.*}} on <@mesh, ["tp"]>
// ONCE: moe.all_to_all
// ONCE: moe.all_gather
// EQUAL: {{^}}equal: 8 ranks
// OTHER: {{^}}unequal: result 0, rank 0

moe.mesh @mesh axes ["ep", "tp"] shape [2, 4]

func.func private @step(%i: tensor<i32>, %x: tensor<2x4xf32>) -> (tensor<i32>, tensor<2x4xf32>) {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %y = "stablehlo.multiply"(%x, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %j, %y : tensor<i32>, tensor<2x4xf32>
}
// %z varies over tp and is carried along; %x does not.
func.func @main(%x: tensor<2x4xf32> {moe.varying = ["ep"]}, %z: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %limit = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %0:3 = "stablehlo.while"(%zero, %x, %z) ({
  ^bb0(%i: tensor<i32>, %a: tensor<2x4xf32>, %b: tensor<2x4xf32>):
    %t = "stablehlo.compare"(%i, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<2x4xf32>, %b: tensor<2x4xf32>):
    %r:2 = func.call @step(%i, %a) : (tensor<i32>, tensor<2x4xf32>) -> (tensor<i32>, tensor<2x4xf32>)
    "stablehlo.return"(%r#0, %r#1, %b) : (tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>) -> ()
  }) : (tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>)
  %1 = moe.all_to_all %0#1 on <@mesh, ["ep"]> split 0 concat 0 : tensor<2x4xf32> -> tensor<2x4xf32>
  return %1, %0#2 : tensor<2x4xf32>, tensor<2x4xf32>
}
