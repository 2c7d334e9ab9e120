// RUN: moe-run %s --print-values | FileCheck %s
// RUN: moe-run %s --print-values --symbolic | FileCheck %s --check-prefix=TERMS

// Elementwise ops of two results, and of three operands.
// CHECK: result 0: tensor<3xi8>
// CHECK: [44, 0, 3]
// CHECK: result 1: tensor<3xi1>
// CHECK: [true, true, false]
// CHECK: result 2: tensor<3xi8>
// CHECK: [32, -64, 2]
// CHECK: result 3: tensor<3xi8>
// CHECK: [-22, 31, 0]
// CHECK: result 4: tensor<3xi8>
// CHECK: [-100, 95, 0]
// CHECK: result 5: f32
// CHECK: {{^ +0$}}
// CHECK: result 6: f32
// CHECK: {{^ +1$}}
// CHECK: result 7: f32
// CHECK: 5.960463056453591e-08
// CHECK: result 8: i1
// CHECK: false
// CHECK: result 9: i1
// CHECK: true

// TERMS: result 10: f32
// TERMS: math.sincos:f32:f32 0(arg0)
// TERMS: result 11: f32
// TERMS: math.sincos:f32:f32 1(arg0)
func.func @main(%x: f32) -> (tensor<3xi8>, tensor<3xi1>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, f32, f32, f32, i1, i1, f32, f32) {
  %a = arith.constant dense<[-56, -64, 1]> : tensor<3xi8>
  %b = arith.constant dense<[100, 64, 2]> : tensor<3xi8>
  %c = arith.constant dense<[-56, 127, 1]> : tensor<3xi8>
  %sum, %over = arith.addui_extended %a, %b : tensor<3xi8>, tensor<3xi1>
  %low, %high = arith.mulsi_extended %c, %b : tensor<3xi8>
  %low2, %high2 = arith.mului_extended %a, %c : tensor<3xi8>
  %zero = arith.constant 0.0 : f32
  %sin, %cos = math.sincos %zero : f32
  // 1 + 2^-23 times 1 - 2^-23 less 1 + 2^-24: nothing is rounded but the sum.
  %p = arith.constant 1.00000011920928955078125 : f32
  %q = arith.constant 0.99999988079071044921875 : f32
  %m = arith.constant -0.99999994039535522460937500 : f32
  %fma = math.fma %p, %q, %m : f32
  %tiny = arith.constant 1.0e-40 : f32
  %normal = math.isnormal %tiny : f32
  %finite = math.isfinite %tiny : f32
  %s, %t = math.sincos %x : f32
  return %sum, %over, %low, %high, %high2, %sin, %cos, %fma, %normal, %finite, %s, %t : tensor<3xi8>, tensor<3xi1>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, f32, f32, f32, i1, i1, f32, f32
}
